// Checks the MCP server by the handshake of current clients and by the stateless revision.
import { HANDSHAKE_VERSIONS, STATELESS_VERSION } from '../../contract/mcp.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { type UseCase, useCases } from '../../contract/use-cases.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import { type Answer, codeOf, jsonOf, listMember, responseHeader, textMember } from '../answer.ts';
import { type Check, PROVIDER_CODES, ProviderOutage, Skipped, statusText, type Verifier } from '../check.ts';
import type { Service } from '../service.ts';
import { knownText } from './targets.ts';

const CLIENT = { name: 'postern-verify', version: '1.0.0' };
const POST_TOOL = 'x_get_post';
const INVALID_REQUEST = -32_600;
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const post = (service: Service, message: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  service.send(MCP_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
  });

/** @throws Error if the answer is no result */
const resultOf = (answer: Answer, method: string): JsonRecord => {
  const result = asRecord(jsonOf(answer)['result']);
  if (answer.status === 200 && result !== undefined) return result;
  throw new Error(`${method}: ${statusText(answer)}: ${answer.body.slice(0, 120)}`);
};

/** A deployment that has the route of a use case has its tool. The id of that operation is the name of the use case. */
const expectedTools = async (service: Service): Promise<readonly string[]> => {
  const names = new Set<string>();
  for (const [name, { tool }] of Object.entries<UseCase>(useCases)) {
    if (tool !== undefined && (await service.hasOperation(name))) names.add(tool);
  }
  return [...names];
};

const requireTools = async (service: Service, verify: Verifier, result: JsonRecord): Promise<number> => {
  const tools = listMember(result, 'tools');
  const names = tools.map((tool) => textMember(tool, 'name'));
  const lost = (await expectedTools(service)).filter((name) => !names.includes(name));
  verify.equals(lost, [], 'tools that tools/list lacks');
  verify.holds(
    tools.every((tool) => asRecord(tool['annotations'])?.['readOnlyHint'] === true),
    'a tool is not marked as read-only',
  );
  return tools.length;
};

/** Requires the text of the post. @throws ProviderOutage, Skipped */
const requirePost = (service: Service, verify: Verifier, result: JsonRecord): void => {
  const code = textMember(result['_meta'], 'code');
  if (code !== undefined && PROVIDER_CODES.includes(code)) throw new ProviderOutage(`${POST_TOOL} says ${code}`);
  if (code === 'rate_limited') throw new Skipped(`${POST_TOOL} says ${code}`);
  verify.holds(result['isError'] !== true, `${POST_TOOL} failed: ${code ?? 'no code'}`);
  const [first] = listMember(result, 'content');
  const text = textMember(first, 'text') ?? '';
  verify.holds(text.includes('https://x.com/'), `${POST_TOOL} gives no post`);
  verify.holds(text.includes(knownText(service) ?? ''), `${POST_TOOL} gives another text`);
};

const argumentsOf = ({ known }: Service) => ({ url: `https://x.com/i/status/${known.post}` });

export const mcpChecks: readonly Check[] = [
  {
    name: 'mcp-handshake',
    statement: 'An MCP client connects by handshake, lists the tools and reads the post',
    rows: ['mcp 1'],
    isInCanary: true,
    run: async (service, verify) => {
      const [protocolVersion] = HANDSHAKE_VERSIONS;
      const rpc = (id: number, method: string, params?: object) =>
        post(
          service,
          { jsonrpc: '2.0', id, method, ...(params && { params }) },
          id === 1 ? {} : { 'MCP-Protocol-Version': protocolVersion },
        );
      const hello = await rpc(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT });
      const server = resultOf(hello, 'initialize');
      verify.equals(server['protocolVersion'], protocolVersion, 'protocolVersion');
      verify.equals(textMember(server['serverInfo'], 'version'), await service.version(), 'the version of the server');
      const ready = await post(service, { jsonrpc: '2.0', method: 'notifications/initialized' });
      verify.equals(ready.status, 202, 'the status of a notification');
      const tools = await requireTools(service, verify, resultOf(await rpc(2, 'tools/list'), 'tools/list'));
      const call = await rpc(3, 'tools/call', { name: POST_TOOL, arguments: argumentsOf(service) });
      requirePost(service, verify, resultOf(call, 'tools/call'));
      return `${protocolVersion}, ${tools} tools`;
    },
  },
  {
    name: 'mcp-stateless',
    statement: 'The stateless revision of MCP discovers the server, lists the tools and reads the post',
    rows: ['mcp 1'],
    run: async (service, verify) => {
      const rpc = (method: string, params: Readonly<Record<string, unknown>> = {}) =>
        post(
          service,
          { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
          {
            'MCP-Protocol-Version': STATELESS_VERSION,
            'MCP-Method': method,
            ...(typeof params['name'] === 'string' && { 'MCP-Name': params['name'] }),
          },
        );
      const server = resultOf(await rpc('server/discover'), 'server/discover');
      const versions = server['supportedVersions'];
      verify.holds(
        Array.isArray(versions) && versions.includes(STATELESS_VERSION),
        `${STATELESS_VERSION} is not supported`,
      );
      const tools = await requireTools(service, verify, resultOf(await rpc('tools/list'), 'tools/list'));
      const call = await rpc('tools/call', { name: POST_TOOL, arguments: argumentsOf(service) });
      requirePost(service, verify, resultOf(call, 'tools/call'));
      return `${STATELESS_VERSION}, ${tools} tools`;
    },
  },
  {
    name: 'mcp-refusals',
    statement: '/mcp answers a malformed message at once, and an invalid key with the problem document',
    rows: ['mcp 1', 'keys 14', 'caching 1'],
    run: async (service, verify) => {
      const malformed = await post(service, { jsonrpc: '2.0', id: {}, method: 'tools/list' });
      verify.equals(asRecord(jsonOf(malformed)['error'])?.['code'], INVALID_REQUEST, 'the code of a malformed message');
      const refused = await post(
        service,
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { Authorization: 'Bearer malformed' },
      );
      verify.equals([refused.status, codeOf(refused)], [401, 'invalid_key'], '/mcp with an invalid key');
      verify.equals(responseHeader(refused, 'cache-control'), 'private, no-store', 'Cache-Control of /mcp with a key');
      return '-32600 and 401';
    },
  },
];
