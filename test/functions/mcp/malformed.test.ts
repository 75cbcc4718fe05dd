// Checks that invalid messages and failing calls are answered at once and do not affect other messages of a batch.
// `FUZZ_SEED=… FUZZ_RUNS=…` chooses other generated messages and their number.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerHandshake } from '../../../functions/mcp/handshake-protocol.ts';
import type { Registry } from '../../../functions/mcp/registry.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { type Exchange, exchanges, judge } from '../../generators/json-rpc-fuzz.ts';
import { malformedMessages } from '../../generators/malformed-messages.ts';
import { readRuns } from '../../generators/seed.ts';
import { type McpAnswer, META, mcpCalls, mirrored, rpc } from '../../support/mcp-calls.ts';
import { createTestRegistry } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';

const { registry, context } = createTestRegistry();

const createLoggedCalls = (served: Registry = registry, remainingMilliseconds?: number) => {
  const log: LogFields[] = [];
  const calls = mcpCalls(
    mcpHandler(served, (fields) => void log.push(fields)),
    remainingMilliseconds,
  );
  return {
    ...calls,
    problems: () => log.filter(({ event }) => event === 'problem'),
    errors: () => log.splice(0).filter(({ level }) => level === 'error'),
  };
};

const TITLED = malformedMessages.map(([message, id]) => [message.slice(0, 120), message, id] as const);

describe('[mcp 2] malformed messages', () => {
  const { call, problems } = createLoggedCalls();

  test.each(TITLED)(
    'a malformed message gets -32600, alone with 400, and in a batch only for itself: %s',
    async (_, message, id) => {
      const answer = await call(message);
      expect([answer.status, answer.json.id, answer.json.error?.code]).toEqual([400, id, -32600]);
      expect(answer.json.error.message).toMatch(/^Invalid Request: [\w.,$/"' -]+$/);
      const others = Array.from({ length: 19 }, (_, index) => JSON.stringify(rpc('ping', undefined, `ping ${index}`)));
      const batch = await call(`[${[...others.slice(0, 7), message, ...others.slice(7)].join()}]`);
      expect([batch.status, batch.json.length]).toEqual([200, 20]);
      const [fault] = batch.json.splice(7, 1);
      expect([fault.id, fault.error.code]).toEqual([id, -32600]);
      expect(batch.json).toEqual(others.map((_, index) => ({ jsonrpc: '2.0', id: `ping ${index}`, result: {} })));
      expect(problems()).toEqual([]);
    },
  );

  test.each([
    { _meta: 'a' },
    { _meta: null },
    { _meta: { ...META, progressToken: {} } },
    { _meta: { ...META, progressToken: 9007199254740992 } },
  ])('a malformed message of the stateless revision returns 400 with -32600: %j', async (params) => {
    const headers = mirrored('tools/list', {});
    for (const id of [1, 'a']) {
      const answer = await call(rpc('tools/list', params, id), headers);
      expect([answer.status, answer.json.id, answer.json.error.code]).toEqual([400, id, -32600]);
    }
    const nameless = await call(rpc('tools/list', { _meta: META }, 2 ** 53), headers);
    expect([nameless.status, nameless.json.id, nameless.json.error.code]).toEqual([400, null, -32600]);
  });
});

test.each([
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","method":"constructor"}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a"}}',
])('[mcp 2] %s gets no answer', async (message) => {
  const { call } = createLoggedCalls();
  expect(await call(message)).toMatchObject({ status: 202, body: '' });
  const { json } = await call(`[${message},{"jsonrpc":"2.0","id":1,"method":"ping"},${message}]`);
  expect(json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
});

const METHODS: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['tools/call', {}, 'name must be a string'],
  ['tools/call', { name: 7 }, 'name must be a string'],
  ['tools/call', { name: 'x_get_post', arguments: '{"id":"20"}' }, 'arguments must be an object'],
  ['tools/call', { name: 'constructor' }, 'There is no such tool.'],
  ['tools/call', { name: '\ud800' }, 'There is no such tool.'],
  ['tools/list', { cursor: 7 }, 'There are no further pages'],
  ['resources/read', {}, 'uri must be a string'],
  ['resources/read', { uri: 'postern://constructor' }, 'There is no such resource.'],
  ['prompts/get', { name: 'toString' }, 'There is no such prompt.'],
  ['prompts/get', { name: 'summarize_post', arguments: 'a' }, 'arguments must be an object'],
  ['prompts/get', { name: 'summarize_post', arguments: { url: 20 } }, 'url is required.'],
  ['prompts/get', { name: 'summarize_post', arguments: { url: '20', language: 7 } }, 'language must be the name'],
];

test('[mcp 14] arguments that are null are no arguments', async () => {
  const { call, callStateless } = createLoggedCalls();
  const params = { name: 'x_get_post', arguments: null };
  for (const { json } of [await call(rpc('tools/call', params)), await callStateless('tools/call', params)])
    expect(json.result).toMatchObject({ isError: true, _meta: { code: 'missing_parameter' } });
});

describe('[mcp 2] invalid parameters', () => {
  const { call, callStateless } = createLoggedCalls();

  test.each(METHODS)('%s %j returns -32602 with a text of the service', async (method, params, expectedText) => {
    const { json } = await call(rpc(method, params));
    expect(json).toMatchObject({ id: 1, error: { code: -32602, message: expect.stringContaining(expectedText) } });
    const stateless = await callStateless(method, params);
    // The stateless revision first rejects values that its headers do not mirror.
    const isMirrored = method.endsWith('/list') || typeof (params['name'] ?? params['uri']) === 'string';
    if (isMirrored) expect(stateless.json.error).toEqual(json.error);
    else expect(stateless.json.error.code).toBe(-32020);
  });

  const CLIENT = { name: 'a', version: '1' };

  test.each([
    [undefined, 'protocolVersion must be a string'],
    [{ protocolVersion: 7, capabilities: {}, clientInfo: CLIENT }, 'protocolVersion must be a string'],
    [{ protocolVersion: '2025-11-25', clientInfo: CLIENT }, 'capabilities must be an object'],
    [{ protocolVersion: '2025-11-25', capabilities: [], clientInfo: CLIENT }, 'capabilities must be an object'],
    [{ protocolVersion: '2025-11-25', capabilities: {} }, 'clientInfo must be an object'],
    [{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a' } }, 'clientInfo must be an object'],
  ])('initialize %j returns -32602 with a text of the service', async (params, expectedText) => {
    const { json } = await call(rpc('initialize', params));
    expect(json).toMatchObject({ id: 1, error: { code: -32602, message: expect.stringContaining(expectedText) } });
  });

  test('initialize and completion ignore the client capabilities that the service does not use', async () => {
    const capabilities = { roots: { listChanged: 'yes' }, elicitation: 7, tasks: [], experimental: { a: null } };
    const clientInfo = { ...CLIENT, icons: 'none', websiteUrl: 7 };
    const { json } = await call(rpc('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }));
    expect(json.result).toMatchObject({ protocolVersion: '2025-11-25' });
    const completion = await call(rpc('completion/complete', { ref: 7, argument: 'a' }));
    expect(completion.json.result).toEqual({ completion: { values: [], total: 0, hasMore: false } });
    // MCP 2025-11-25, tasks: a server without tasks answers such a call as usual.
    const task = await call(rpc('tools/call', { name: 'x_get_post', arguments: { id: '20' }, task: { ttl: 1 } }));
    expect(task.json.result.isError).toBeUndefined();
  });
});

describe('[mcp 2] failing calls', () => {
  const READ = { uri: 'postern://guide' };
  const never = (): Promise<never> => new Promise(() => undefined);
  const broken = () => Promise.reject(new Error('SECRET'));

  const INTERNAL = { code: -32603, data: { code: 'internal_error', status: 500 } };

  test('a fault of the service returns -32603 without the cause, which is logged', async () => {
    const { call, callStateless, problems } = createLoggedCalls({ ...registry, readResource: broken });
    const single = await call(rpc('resources/read', READ));
    expect(single).toMatchObject({ status: 200, json: { id: 1, error: INTERNAL } });
    const stateless = await callStateless('resources/read', READ);
    expect(stateless).toMatchObject({ status: 200, json: { id: 1, error: INTERNAL } });
    const { json } = await call([rpc('ping', {}, 2), rpc('resources/read', READ, 3), rpc('tools/list', {}, 4)]);
    expect(json).toMatchObject([
      { id: 2, result: {} },
      { id: 3, error: INTERNAL },
      { id: 4, result: {} },
    ]);
    expect(JSON.stringify([single.json, stateless.json, json])).not.toContain('SECRET');
    expect(problems()).toEqual(
      Array(3).fill({
        level: 'error',
        event: 'problem',
        request_id: expect.any(String),
        mcp_method: 'resources/read',
        code: 'internal_error',
        cause: expect.stringContaining('SECRET'),
      }),
    );
  });

  test('a call that takes all the time returns -32603 with retry_after', async () => {
    const { call, problems } = createLoggedCalls({ ...registry, callTool: never }, 520);
    const slowCall = rpc('tools/call', { name: 'x_get_post', arguments: { id: '20' } }, 2);
    const single = await call(slowCall);
    const expected = {
      id: 2,
      error: {
        code: -32603,
        message: expect.stringContaining('Retry after 30 s.'),
        data: { code: 'upstream_unavailable', status: 503, retry_after: 30 },
      },
    };
    expect(single).toMatchObject({ status: 200, json: expected, headers: { 'retry-after': '30' } });
    const { json } = await call([rpc('ping', {}, 1), slowCall, rpc('ping', {}, 3)]);
    expect(json).toMatchObject([{ id: 1, result: {} }, expected, { id: 3, result: {} }]);
    expect(problems()).toMatchObject(Array(2).fill({ cause: expect.stringContaining('ran out of time') }));
  });

  test('answerHandshake rejects at once when the SDK drops a message', async () => {
    const dropped = { jsonrpc: '2.0', id: 2 ** 53, method: 'tools/list' } as const;
    await expect(answerHandshake(dropped, registry, context)).rejects.toThrow('the SDK gave no answer');
  });
});

/** Matches texts of validators and stack traces. */
const FOREIGN_TEXT =
  /invalid_type|invalid_union|unrecognized_keys|"expected"|received|Zod|ajv|must NOT|node_modules|\bat \S+ \(/i;

const METHOD_ERRORS = [-32601, -32602, -32600, -32000, -32020, -32022];

interface Rpc {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

const answersIn = ({ json }: McpAnswer): readonly Rpc[] => (json === undefined ? [] : [json].flat());

const check = (exchange: Exchange, answer: McpAnswer): void => {
  const { isBatch, expected } = judge(exchange);
  const answers = answersIn(answer);
  expect(Array.isArray(answer.json)).toBe(isBatch && expected.length > 0);
  expect(answers.map(({ id }) => JSON.stringify(id))).toEqual(expected.map(({ id }) => JSON.stringify(id)));
  answers.forEach(({ jsonrpc, result, error }, index) => {
    expect([jsonrpc, (result === undefined) !== (error === undefined)]).toEqual(['2.0', true]);
    if (expected[index]?.isRefused) expect(error?.code).toSatisfy((code) => code === -32600 || code === -32700);
    else if (error !== undefined) expect(METHOD_ERRORS).toContain(error.code);
    expect(error?.message ?? '').not.toMatch(FOREIGN_TEXT);
  });
  expect(expected.length === 0 ? [202] : isBatch ? [200] : [200, 400, 404]).toContain(answer.status);
};

test('[mcp 2] every generated message is answered separately, in time, without a fault and in texts of the service', async () => {
  const { call, errors } = createLoggedCalls();
  const property = fc.asyncProperty(exchanges, async (exchange) => {
    check(exchange, await call(exchange.body, exchange.headers));
    // The time limit of the function would log a problem.
    expect(errors()).toEqual([]);
  });
  await fc.assert(property, { numRuns: readRuns(2000) });
});
