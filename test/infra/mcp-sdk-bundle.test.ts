// Tests the MCP SDK as Lambda runs it: bundled, with the stubs of its JSON Schema validator.
import { createRequire } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { bundleProbe, modulesLoadedBy, packagesOf } from '../support/bundled-files.ts';

/** 140,989 bytes with version 1.32.2 and zod 4.6.7. The margin is for the names that esbuild chooses. */
const MAX_BYTES = 143_000;

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

const probe = await bundleProbe(PROBE);
afterAll(probe.remove);
const { createServer }: { readonly createServer: (options?: object) => Server } = createRequire(import.meta.url)(
  probe.file,
);

test('the MCP bundle is ASCII and stays below its maximum size', () => {
  expect(probe.code.length).toBeGreaterThan(100_000);
  expect(probe.code.length).toBeLessThanOrEqual(MAX_BYTES);
  expect(probe.code).toMatch(/^[\n\x20-\x7e]*$/);
});

test('the MCP bundle has the server of the SDK, and no transport, client or authorization', () => {
  expect(packagesOf(probe.files)).toEqual([SDK, 'zod', 'zod-to-json-schema']);
  const sdkFiles = probe.files.flatMap((path) => path.split(`node_modules/${SDK}/dist/esm/`).slice(1));
  expect(sdkFiles.toSorted()).toEqual([
    'experimental/tasks/helpers.js',
    'experimental/tasks/interfaces.js',
    'experimental/tasks/server.js',
    'server/index.js',
    'server/zod-compat.js',
    'server/zod-json-schema-compat.js',
    'shared/protocol.js',
    'types.js',
    'validation/ajv-provider.js',
  ]);
});

test('the MCP bundle requires no built-in when it is loaded and a server is created', () => {
  const names = modulesLoadedBy(probe, 'loaded.createServer();');
  expect(names.filter((name) => /^(?:https?|http2|net|tls|crypto|stream|child_process|undici)/.test(name))).toEqual([]);
});

const validatorOf = (server: Server): unknown => Reflect.get(server, '_jsonSchemaValidator');

test('the default validator throws when it gets a schema', () => {
  const validator = validatorOf(createServer());
  if (typeof validator !== 'object' || validator === null) throw new Error('no validator');
  const getValidator: unknown = Reflect.get(validator, 'getValidator');
  if (typeof getValidator !== 'function') throw new Error('no getValidator');
  expect(() => getValidator.call(validator, { type: 'object' })).toThrow(/bundled without ajv/);
  expect(() => getValidator.call(validator, { $id: 'a', type: 'object' })).toThrow(/bundled without ajv/);
});

test('the server uses the validator of the caller when there is one', () => {
  const jsonSchemaValidator = { getValidator: () => () => ({ valid: true }) };
  expect(validatorOf(createServer({ jsonSchemaValidator }))).toBe(jsonSchemaValidator);
});
