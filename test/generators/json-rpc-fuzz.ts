// Generates bodies for the MCP endpoint, valid and hostile mixed, for both kinds of revision, and computes the expected
// answers. The schemas of the SDK decide which messages are valid, because the SDK drops a message that its schemas
// reject.
import {
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import {
  BATCH_VERSION,
  HANDSHAKE_VERSIONS,
  MAX_BATCH_MESSAGES,
  STATELESS_VERSION,
  TOOL_NAMES,
} from '../../shared/contract/mcp.ts';
import { META, mirrored } from '../support/mcp-calls.ts';
import { weighted } from './seed.ts';

export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const nested = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.boolean())
  .map(([depth, isObject]): unknown =>
    JSON.parse(isObject ? `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}` : `${'['.repeat(depth)}${']'.repeat(depth)}`),
  );

const strings = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...PROTOTYPE_NAMES, '', ' ', '\ud800', 'a\udfff', '\u0000', 'a'.repeat(10_000), '9007199254740993'),
);

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 53, -(2 ** 53), Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, -0, 0.5, 1e21),
);

const junk: fc.Arbitrary<unknown> = weighted(
  [3, strings],
  [3, numbers],
  [2, fc.constantFrom(null, true, false)],
  [2, fc.array(fc.oneof(strings, numbers), { maxLength: 3 })],
  [2, fc.dictionary(fc.oneof(strings, fc.constantFrom(...PROTOTYPE_NAMES)), strings, { maxKeys: 3 })],
  [1, nested],
);

/** Generates mostly the usual value, and sometimes an arbitrary value. */
const mostly = (usual: fc.Arbitrary<unknown>, weight = 7): fc.Arbitrary<unknown> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: junk });

const text = (...usual: readonly string[]): fc.Arbitrary<unknown> => mostly(fc.constantFrom(...usual));

const argument = fc.oneof(
  junk,
  fc.constantFrom<unknown>('20', 'jack', '@jack', 'https://x.com/jack/status/20', 'top', 'full', 5, 50, 51, false),
);

// biome-ignore format: side by side they fit on a screen
const argumentNames = [
  'url', 'handle', 'id', 'q', 'feed', 'limit', 'cursor', 'max_tokens', 'part', 'metrics', 'lang', 'translation', 'thread', 'replies', 'count',
];

const toolArguments = weighted(
  [3, fc.constantFrom<unknown>({ id: '20' }, { handle: 'jack', q: 'tide', url: 'x.com/jack/status/20' })],
  [3, fc.dictionary(fc.constantFrom(...argumentNames, ...PROTOTYPE_NAMES), argument, { maxKeys: 4 })],
  [1, junk],
);

const implementation = fc.record({ name: text('a'), version: text('1') }, { requiredKeys: [] });

const meta = weighted(
  [2, fc.record({ progressToken: mostly(fc.oneof(fc.nat(), fc.string())) })],
  [2, junk],
  [1, fc.record({ 'io.modelcontextprotocol/related-task': mostly(fc.record({ taskId: strings })) })],
  [2, mostly(fc.constant(META), 3)],
);

const list = fc.record({ cursor: junk }, { requiredKeys: [] });
const noParameters = fc.constant({});

/** Maps a method to the generator of its parameters. */
const parameters: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'tools/call': fc.record(
    { name: text(...TOOL_NAMES), arguments: toolArguments, task: junk },
    { requiredKeys: ['name', 'arguments'] },
  ),
  'tools/list': list,
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': fc.record({
    uri: text('postern://guide', 'postern://posts/20', 'postern://profiles/jack', 'postern://posts/%ED%A0%80'),
  }),
  'prompts/list': list,
  'prompts/get': fc.record({
    name: text('summarize_post'),
    arguments: mostly(fc.record({ url: text('20'), language: text('French') }, { requiredKeys: [] })),
  }),
  'completion/complete': fc.record({ ref: junk, argument: junk }),
  initialize: fc.record({
    protocolVersion: text(...HANDSHAKE_VERSIONS, STATELESS_VERSION),
    capabilities: mostly(fc.record({ roots: junk, sampling: junk, elicitation: junk }, { requiredKeys: [] })),
    clientInfo: mostly(implementation),
  }),
  ping: noParameters,
  'server/discover': noParameters,
  'logging/setLevel': fc.record({ level: junk }),
  'notifications/cancelled': fc.record({ requestId: junk }),
  'notifications/initialized': noParameters,
  'tools/call ': noParameters,
  '': noParameters,
  ...Object.fromEntries(PROTOTYPE_NAMES.map((name) => [name, noParameters])),
};

const methods = weighted(
  [5, fc.constantFrom('tools/call', 'resources/read', 'prompts/get', 'initialize')],
  [4, fc.constantFrom(...Object.keys(parameters), '__proto__')],
);

const paramsOf = (method: string): fc.Arbitrary<unknown> =>
  mostly(
    fc
      .tuple(
        Object.hasOwn(parameters, method) ? (parameters[method] ?? noParameters) : noParameters,
        weighted([3, noParameters], [1, fc.record({ _meta: meta })]),
      )
      .map(([methodParams, rest]) => ({ ...methodParams, ...rest })),
    20,
  );

const id = mostly(fc.oneof(fc.nat({ max: 3 }), fc.integer(), fc.string()), 12);

const methodCall = methods.chain((method) =>
  fc.record(
    { jsonrpc: mostly(fc.constant('2.0'), 40), id, method: fc.constant(method), params: paramsOf(method) },
    { requiredKeys: ['jsonrpc', 'method', ...(parameters[method] === noParameters ? [] : (['params'] as const))] },
  ),
);

const response = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: mostly(fc.nat()),
    result: mostly(fc.record({ a: strings })),
    error: mostly(fc.record({ code: mostly(fc.integer()), message: mostly(fc.string()), data: junk })),
  },
  { requiredKeys: ['jsonrpc'] },
);

const malformed = fc.record(
  { jsonrpc: text('2.0'), id, method: junk, params: junk, result: junk, error: junk, extra: junk },
  { requiredKeys: [] },
);

const message: fc.Arbitrary<unknown> = weighted([14, methodCall], [2, response], [2, malformed], [1, junk]);

const versionHeader = weighted(
  [6, fc.constant({})],
  [
    3,
    fc
      .constantFrom(...HANDSHAKE_VERSIONS, STATELESS_VERSION, '', '1999-01-01', ' 2025-03-26 ')
      .map((version) => ({ 'mcp-protocol-version': version })),
  ],
);

const single: fc.Arbitrary<Exchange> = fc
  .tuple(message, versionHeader)
  .map(([value, headers]) => ({ headers, body: JSON.stringify(value) }));

const batch: fc.Arbitrary<Exchange> = fc
  .tuple(
    weighted(
      [9, fc.array(message, { minLength: 1, maxLength: MAX_BATCH_MESSAGES })],
      [1, fc.array(fc.constant({ jsonrpc: '2.0', id: 1, method: 'ping' }), { maxLength: 22 })],
    ),
    weighted([9, fc.constant({})], [1, versionHeader]),
  )
  .map(([values, headers]) => ({ headers, body: JSON.stringify(values) }));

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Generates a stateless request whose headers mirror the body, or mirror another request. */
const stateless: fc.Arbitrary<Exchange> = fc
  .tuple(methodCall, mostly(fc.constant(META), 9), fc.boolean(), fc.constantFrom(true, true, true, false))
  .map(([value, metaValue, isMinimal, isMirrored]) => {
    const params = isFields(value.params) && !isMinimal ? value.params : {};
    const headers = mirrored(String(value.method), isMirrored ? params : { name: 'another' });
    return { headers, body: JSON.stringify({ ...value, params: { ...params, _meta: metaValue } }) };
  });

const broken: fc.Arbitrary<Exchange> = fc
  .tuple(single, fc.nat())
  .map(([{ headers, body }, cut]) => ({ headers, body: body.slice(0, cut % body.length) }));

export const exchanges: fc.Arbitrary<Exchange> = weighted([10, single], [5, stateless], [3, batch], [1, broken]);

/** Describes one expected answer: its id, and whether the message is rejected before any method handles it. */
export interface Expected {
  readonly id: string | number | null;
  readonly isRefused: boolean;
}

const accepts = (schema: { safeParse(value: unknown): { readonly success: boolean } }, value: unknown): boolean =>
  schema.safeParse(value).success;

const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/** Removes further members, which JSON-RPC allows, and the null id of an error, which JSON-RPC allows too. */
const withSdkMembers = (value: Fields): Fields =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) =>
        MEMBERS.includes(name) && !(name === 'id' && member === null && !('method' in value) && 'error' in value),
    ),
  );

const isUsable = (value: unknown): value is string | number => typeof value === 'string' || Number.isSafeInteger(value);

/** @returns undefined if no answer is expected */
const expectedOf = (value: unknown): Expected | undefined => {
  if (!isFields(value)) return { id: null, isRefused: true };
  const messageFields = withSdkMembers(value);
  if (accepts(JSONRPCRequestSchema, messageFields) && isUsable(messageFields['id']))
    return { id: messageFields['id'], isRefused: false };
  const unanswered = [JSONRPCNotificationSchema, JSONRPCResultResponseSchema, JSONRPCErrorResponseSchema];
  if (unanswered.some((schema) => accepts(schema, messageFields))) return undefined;
  const isResponse =
    !Object.hasOwn(messageFields, 'method') &&
    (Object.hasOwn(messageFields, 'result') || Object.hasOwn(messageFields, 'error'));
  const { id: messageId } = value;
  return { id: isUsable(messageId) && !isResponse ? messageId : null, isRefused: true };
};

export interface Judged {
  /** Counts the messages in the body. */
  readonly messages: number;
  readonly isBatch: boolean;
  readonly expected: readonly Expected[];
}

const wholeBodyRejected: Expected = { id: null, isRefused: true };

export const judge = ({ headers, body }: Exchange): Judged => {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { messages: 1, isBatch: false, expected: [wholeBodyRejected] };
  }
  if (!Array.isArray(value)) {
    const expected = expectedOf(value);
    return { messages: 1, isBatch: false, expected: expected === undefined ? [] : [expected] };
  }
  const version = headers['mcp-protocol-version']?.trim() || BATCH_VERSION;
  const isAccepted = version === BATCH_VERSION && value.length > 0 && value.length <= MAX_BATCH_MESSAGES;
  if (!isAccepted) return { messages: Math.max(1, value.length), isBatch: false, expected: [wholeBodyRejected] };
  return { messages: value.length, isBatch: true, expected: value.flatMap((item) => expectedOf(item) ?? []) };
};
