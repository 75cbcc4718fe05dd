// The slimmed MCP SDK is judged as Lambda gets it: bundled, then asked.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../infra/build/bundle.ts';
import { mcpSdkReplacements, slimMcpSdk } from '../../infra/build/mcp-sdk-plugin.ts';

/** Measured 140,279 with version 1.32.2 and zod 4.6.7; the slack is for esbuild's naming. */
const MOST_BYTES = 143_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SDK = '@modelcontextprotocol/sdk';
const PROBE = `
import { Server } from '${SDK}/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '${SDK}/types.js';

const tools = [{ name: 'probe', inputSchema: { type: 'object' } }];

export const createServer = (options = {}) => {
  const server = new Server({ name: 'probe', version: '1' }, { capabilities: { tools: {} }, ...options });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: params.name }] }));
  return server;
};

export const handler = async () => 'ready';
`;

type Server = import('@modelcontextprotocol/sdk/server/index.js').Server;
type Transport = import('@modelcontextprotocol/sdk/shared/transport.js').Transport;

const directory = mkdtempSync(join(tmpdir(), 'mcp-sdk-bundle-'));
const entry = join(directory, 'probe.ts');
const file = join(directory, 'out', 'probe', 'index.cjs');

/** The probe lies outside the project, whose packages it means. */
const fromProject: Plugin = {
  name: 'from-project',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^@modelcontextprotocol\// }, ({ path, kind, importer }) =>
      importer === entry ? resolve(path, { kind, resolveDir: ROOT }) : undefined,
    );
  },
};

let bytes = 0;
let inputs: readonly string[] = [];
let createServer: (options?: object) => Server;

beforeAll(async () => {
  writeFileSync(entry, PROBE);
  const made = await bundle({ entries: { probe: entry }, outDir: join(directory, 'out'), plugins: [fromProject] });
  bytes = made.bytes['probe'] ?? 0;
  inputs = Object.values(made.metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  ({ createServer } = createRequire(import.meta.url)(file));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** One request, one answer, and that was the connection. */
const answerTo = async (message: JSONRPCMessage, server = createServer()): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const transport: Transport = {
    start: async () => undefined,
    send: async (answer) => resolve(answer),
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  transport.onmessage?.(message);
  const answer = await promise;
  await server.close();
  return answer;
};

const request = (method: string, params: Record<string, unknown> = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

test('the bundle holds the server, the schemas of its messages, and no more of the SDK than measured', () => {
  const text = readFileSync(file, 'utf8');
  const packages = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  expect([...new Set(packages)].sort()).toEqual([SDK, 'zod']);
  expect(bytes).toBe(Buffer.byteLength(text));
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(/addKeyword|compileSchema|strictSchema/.exec(text)).toBeNull(); // words of Ajv
  expect(/[^\n\x20-\x7e]/.exec(text)).toBeNull();
});

test('loading the bundle requires no built-in', () => {
  const script = `
    const before = new Set(process.moduleLoadList);
    require(${JSON.stringify(file)}).createServer();
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`;
  const modules: readonly string[] = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
  const names = modules.map((name) => name.replace('NativeModule ', ''));
  expect(names.filter((name) => /^(?:https?|http2|net|tls|crypto|stream|child_process|undici)/.test(name))).toEqual([]);
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('initialize agrees on %s', async (version) => {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  expect(await answerTo(request('initialize', params))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } },
  });
});

test('tools are listed and called', async () => {
  expect(await answerTo(request('tools/list'))).toMatchObject({ result: { tools: [{ name: 'probe' }] } });
  expect(await answerTo(request('tools/call', { name: 'probe', arguments: { a: [1] } }))).toMatchObject({
    result: { content: [{ type: 'text', text: 'probe' }] },
  });
});

test('a message of the wrong shape, and one that nobody handles, is refused', async () => {
  expect(await answerTo(request('tools/call', { name: 5 }))).toMatchObject({ error: { code: -32603 } });
  expect(await answerTo(request('resources/list'))).toMatchObject({ error: { code: -32601 } });
});

test('what was left out refuses instead of misbehaving', () => {
  const server = createServer();
  const validator: unknown = Reflect.get(server, '_jsonSchemaValidator');
  const { getValidator } = validator as { getValidator(schema: object): unknown };
  expect(() => getValidator({ type: 'object' })).toThrow(/bundled without Ajv/);
  const own = { getValidator: () => () => ({ valid: true }) };
  expect(Reflect.get(createServer({ jsonSchemaValidator: own }), '_jsonSchemaValidator')).toBe(own);
});

const buildWith = (replacements: Readonly<Record<string, () => string>>, stdin = PROBE): Promise<unknown> =>
  build({
    stdin: { contents: stdin, resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
    plugins: [slimMcpSdk(replacements)],
  });

test('the build fails when a replaced path is gone from the package', async () => {
  const gone = { ...mcpSdkReplacements, 'dist/esm/validation/ajv-vendor.js': () => '' };
  await expect(buildWith(gone)).rejects.toThrow('the MCP SDK has no dist/esm/validation/ajv-vendor.js');
});

test('the build fails when a replaced path or package is no longer reached', async () => {
  const unreached = { ...mcpSdkReplacements, 'dist/esm/server/express.js': () => '', jose: () => '' };
  await expect(buildWith(unreached)).rejects.toThrow('the MCP SDK no longer leads to dist/esm/server/express.js');
  await expect(buildWith(unreached)).rejects.toThrow('the MCP SDK no longer leads to jose');
});

test('the build fails when the SDK leads to a package or a file of its own that nobody has reviewed', async () => {
  const ajv = 'the MCP SDK leads to ajv, which nobody has reviewed';
  await expect(buildWith({ 'zod-to-json-schema': () => 'export const zodToJsonSchema = 0;' })).rejects.toThrow(ajv);
  const mcp = `${PROBE} export { McpServer } from '${SDK}/server/mcp.js';`;
  await expect(buildWith(mcpSdkReplacements, mcp)).rejects.toThrow('the MCP SDK leads to dist/esm/server/mcp.js');
  const http = `export { StreamableHTTPServerTransport } from '${SDK}/server/streamableHttp.js';`;
  await expect(buildWith(mcpSdkReplacements, http)).rejects.toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ text: 'the MCP SDK leads to @hono/node-server, which nobody has reviewed' }),
    ]),
  });
});

test('a bundle need not import it', async () => {
  await expect(buildWith(mcpSdkReplacements, 'export const handler = () => 1;')).resolves.toBeDefined();
});
