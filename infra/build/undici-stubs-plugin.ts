// Bundles undici as an HTTP/1.1 client: `Agent`, and no other export. The published undici needs 570 kB
// and 35 ms of start-up more, mostly for node:http2, fetch, WebSocket, the mocks and the cache.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { asRecord } from '../../shared/model/json.ts';
import { createStubsPlugin, type StubbedDependency } from './stubs-plugin.ts';

const require = createRequire(import.meta.url);

/** @returns an export of an undici module, read at build time */
const readExport = (directory: string, path: string, name: string): unknown =>
  asRecord(require(join(directory, path)))?.[name];

const parserConstants = (directory: string): string =>
  ['ERROR', 'TYPE']
    .map((name) => `exports.${name} = ${JSON.stringify(readExport(directory, 'lib/llhttp/constants.js', name))};`)
    .join('\n');

const diagnosticsStub = (directory: string): string => {
  const names = Object.keys(readExport(directory, 'lib/core/diagnostics.js', 'channels') ?? {});
  const channels = names.map((name) => `${name}: silent`).join(', ');
  return `const silent = { hasSubscribers: false };\nexports.channels = { ${channels} };`;
};

const unreachableStub = (feature: string): string =>
  `() => { throw new Error('undici was bundled without ${feature}'); }`;

// HTTP/2 must not be offered in the TLS handshake, because its client is a stub.
const ENTRY = `
import FullAgent from './lib/dispatcher/agent.js';

export class Agent extends FullAgent {
  constructor(options) {
    super({ ...options, allowH2: false });
  }
}
`;

const ONLY_FORM_DATA = 'reached only for request bodies of type FormData, which undici then rejects';

export const undiciStubs: StubbedDependency = {
  name: 'undici',
  declaredIn: 'infra/build/undici-stubs-plugin.ts',
  testedIn: 'test/infra/undici-bundle.test.ts',
  reviewedVersions: { undici: '8.12.4' },
  stubs: {
    undici: { reason: 'Agent without the other exports', text: () => ENTRY },
    'undici/lib/llhttp/llhttp-wasm.js': {
      reason: 'the parser for CPUs without SIMD; every CPU of Lambda has SIMD',
      text: () => "module.exports = require('./llhttp_simd-wasm.js');",
    },
    'undici/lib/dispatcher/parser-h1.js': {
      reason: 'chooses the experimental parser, which would add two WebAssembly modules',
      text: () => 'exports.getMiloEnabled = () => false;',
    },
    'undici/lib/llhttp/constants.js': {
      reason: 'computes its tables at start-up; the client needs two of them',
      text: parserConstants,
    },
    'undici/lib/dispatcher/client-h2.js': {
      reason: 'requires node:http2 (10 ms), even if HTTP/2 is not allowed',
      text: () => `module.exports = ${unreachableStub('HTTP/2')};`,
    },
    'undici/lib/web/fetch/formdata.js': { reason: ONLY_FORM_DATA, text: () => '' },
    'undici/lib/web/webidl/index.js': {
      reason: ONLY_FORM_DATA,
      text: () => 'exports.webidl = { is: { FormData: () => false } };',
    },
    'undici/lib/web/fetch/body.js': {
      reason: ONLY_FORM_DATA,
      text: () => `exports.extractBody = ${unreachableStub('FormData')};`,
    },
    'undici/lib/core/diagnostics.js': {
      reason: 'publishes to diagnostics channels; the service has no subscriber',
      text: diagnosticsStub,
    },
    'node:assert': {
      reason: '1 ms; undici calls only assert(value, message)',
      text: () =>
        "module.exports = (ok, message) => { if (!ok) throw Object.assign(new Error(message || 'undici: assertion failed'), { code: 'ERR_ASSERTION' }); };",
    },
    'node:http': {
      reason: '1 ms; undici reads only maxHeaderSize, and checks bodies for IncomingMessage',
      text: () => 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {};',
    },
  },
  aliases: {},
};

export const undiciStubsPlugin = (dependency: StubbedDependency = undiciStubs): Plugin => createStubsPlugin(dependency);
