// Bundles undici as an HTTP/1.1 client: `Agent`, and no other export. The published undici needs 570 kB
// and 35 ms of start-up more, mostly for node:http2, fetch, WebSocket, the mocks and the cache.
import { createRequire } from 'node:module';
import { asRecord } from '../../shared/model/json.ts';
import type { StubbedDependency } from './stubs-plugin.ts';

const require = createRequire(import.meta.url);

/** @returns an export of a file of undici, read at build time */
const readExport = (path: string, name: string): unknown => asRecord(require(`undici/${path}`))?.[name];

const parserConstants = (): string =>
  ['ERROR', 'TYPE']
    .map((name) => `exports.${name} = ${JSON.stringify(readExport('lib/llhttp/constants.js', name))};`)
    .join('\n');

const diagnosticsStub = (): string => {
  const names = Object.keys(readExport('lib/core/diagnostics.js', 'channels') ?? {});
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

export const undiciStubs: StubbedDependency = {
  reviewedVersions: { undici: '8.12.4' },
  stubs: {
    'undici/index.js': () => ENTRY,
    // The parser for CPUs without SIMD. Every CPU of Lambda has SIMD.
    'undici/lib/llhttp/llhttp-wasm.js': () => "module.exports = require('./llhttp_simd-wasm.js');",
    // Chooses the experimental parser, which would add two WebAssembly modules.
    'undici/lib/dispatcher/parser-h1.js': () => 'exports.getMiloEnabled = () => false;',
    // Computes its tables at start-up. The client needs two of them.
    'undici/lib/llhttp/constants.js': parserConstants,
    // Requires node:http2 (10 ms), even if HTTP/2 is not allowed.
    'undici/lib/dispatcher/client-h2.js': () => `module.exports = ${unreachableStub('HTTP/2')};`,
    // These three are reached only for request bodies of type FormData, which undici then rejects.
    'undici/lib/web/fetch/formdata.js': () => '',
    'undici/lib/web/webidl/index.js': () => 'exports.webidl = { is: { FormData: () => false } };',
    'undici/lib/web/fetch/body.js': () => `exports.extractBody = ${unreachableStub('FormData')};`,
    // Publishes to diagnostics channels. The service has no subscriber.
    'undici/lib/core/diagnostics.js': diagnosticsStub,
    // 1 ms. undici calls only assert(value, message).
    'node:assert': () =>
      "module.exports = (ok, message) => { if (!ok) throw Object.assign(new Error(message || 'undici: assertion failed'), { code: 'ERR_ASSERTION' }); };",
    // 1 ms. undici reads only maxHeaderSize, and checks bodies for IncomingMessage.
    'node:http': () => 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {};',
  },
};
