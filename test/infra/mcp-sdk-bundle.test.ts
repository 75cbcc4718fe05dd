// Tests the MCP SDK as Lambda runs it: bundled, with the stubs of its JSON Schema validator.
import { createRequire } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { mcpSdkStubs } from '../../infra/build/package-stubs.ts';
import { bundleProbe, modulesLoadedBy } from '../support/bundled-files.ts';

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

test('the MCP bundle contains every stub, and not ajv', () => {
  const files = probe.files.map((file) => file.replace(/^.*node_modules\//, ''));
  expect(files).toEqual(expect.arrayContaining(Object.keys(mcpSdkStubs.stubs)));
  expect(files.filter((file) => file.startsWith('ajv'))).toEqual([]);
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
