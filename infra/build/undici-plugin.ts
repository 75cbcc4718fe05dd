// Bundles undici as its HTTP/1.1 client alone: `Agent` and `request`.
// These are unpromised paths inside the package, so a build in which one no longer fits fails.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { PartialMessage, Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** The version these replacements were read against. Raising it means reading them again. */
const REVIEWED_VERSION = '8.12.4';

const PACKAGE = require.resolve('undici/package.json');
const ROOT = dirname(PACKAGE);
const NAMESPACE = 'slim-undici';

const field = (source: unknown, name: string): unknown =>
  typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined;

/** What of an undici module is known at build time, as source text. */
const original = (path: string, name: string): unknown => field(require(join(ROOT, path)), name);

const llhttpConstants = (): string =>
  ['ERROR', 'TYPE']
    .map((name) => `exports.${name} = ${JSON.stringify(original('lib/llhttp/constants.js', name))};`)
    .join('\n');

const silentChannels = (): string => {
  const names = Object.keys(original('lib/core/diagnostics.js', 'channels') ?? {});
  return `const silent = { hasSubscribers: false };\nexports.channels = { ${names.map((name) => `${name}: silent`).join(', ')} };`;
};

const neverReached = (what: string): string => `() => { throw new Error('undici was bundled without ${what}'); }`;

/**
 * Replaced modules and their CommonJS text, built only when reached. Keys are files of the package, or the
 * built-ins its files require: those are replaced for undici alone.
 */
export const undiciReplacements: Readonly<Record<string, () => string>> = {
  // Every machine that runs Node 24 has SIMD; without these three, four WebAssembly parsers would be carried.
  'lib/llhttp/llhttp-wasm.js': () => "module.exports = require('./llhttp_simd-wasm.js');",
  'lib/dispatcher/parser-h1.js': () => 'exports.getMiloEnabled = () => false;',
  'lib/llhttp/constants.js': llhttpConstants,
  // Requires node:http2, 10 ms, even where it is not allowed.
  'lib/dispatcher/client-h2.js': () => `module.exports = ${neverReached('HTTP/2')};`,
  // Only request bodies of the type FormData lead here. Answering "not one of ours" makes undici refuse them.
  'lib/web/fetch/formdata.js': () => '',
  'lib/web/webidl/index.js': () => 'exports.webidl = { is: { FormData: () => false } };',
  'lib/web/fetch/body.js': () => `exports.extractBody = ${neverReached('FormData')};`,
  // No subscriber and no NODE_DEBUG on our side.
  'lib/core/diagnostics.js': silentChannels,
  // 1 ms each. Of http, undici wants one number and the class of a body that a server would pass on.
  'node:assert': () =>
    "module.exports = (ok, message) => { if (!ok) throw Object.assign(new Error(message || 'undici: assertion failed'), { code: 'ERR_ASSERTION' }); };",
  'node:http': () => 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {};',
};

/** Rooms of the package that nothing of ours leads to; a file from one of them means a new path was opened. */
const CLOSED = /^lib\/(?:web|milo|mock|cache|interceptor|handler|encoding)\//;

// The request of undici's index.js, without its global dispatcher. HTTP/2 must not be offered in the TLS handshake.
const ENTRY = `
import AnyAgent from './lib/dispatcher/agent.js';
import dispatchRequest from './lib/api/api-request.js';
import { parseURL } from './lib/core/util.js';

export class Agent extends AnyAgent {
  constructor(options) {
    super({ ...options, allowH2: false });
  }
}

export const request = async (address, { dispatcher, ...options } = {}) => {
  if (!dispatcher) throw new TypeError('undici was bundled without a global dispatcher: pass one');
  const { origin, pathname, search } = parseURL(address);
  const method = options.method || (options.body ? 'PUT' : 'GET');
  return dispatchRequest.call(dispatcher, { ...options, origin, path: pathname + search, method });
};
`;

const insidePackage = (file: string): string | undefined => {
  const path = relative(ROOT, file).split(sep).join('/');
  return path.startsWith('../') || path === '' ? undefined : path;
};

const misfits = (replacements: Readonly<Record<string, unknown>>): readonly PartialMessage[] => {
  const version = field(require(PACKAGE), 'version');
  const missing = Object.keys(replacements).filter(
    (path) => !path.startsWith('node:') && !existsSync(join(ROOT, path)),
  );
  return [
    ...(version === REVIEWED_VERSION
      ? []
      : [{ text: `undici is ${String(version)}, its replacements were reviewed for ${REVIEWED_VERSION}` }]),
    ...missing.map((path) => ({ text: `undici has no ${path}, which should be replaced` })),
  ];
};

/** Lets a bundle import `{ Agent, request }` from `undici`, and nothing else of it. */
export const slimUndici = (replacements: Readonly<Record<string, () => string>> = undiciReplacements): Plugin => ({
  name: 'slim-undici',
  setup: (build) => {
    const hits = new Set<string>();
    let used = false;

    build.onStart(() => {
      hits.clear();
      used = false;
      return { errors: [...misfits(replacements)] };
    });

    build.onResolve({ filter: /^undici$/ }, () => {
      used = true;
      return { path: 'undici', namespace: NAMESPACE, sideEffects: false };
    });

    build.onResolve({ filter: /^node:/, namespace: 'file' }, ({ path, importer }) =>
      Object.hasOwn(replacements, path) && insidePackage(importer) !== undefined
        ? { path, namespace: NAMESPACE }
        : undefined,
    );

    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => {
      hits.add(path);
      return { contents: path === 'undici' ? ENTRY : (replacements[path]?.() ?? ''), resolveDir: ROOT, loader: 'js' };
    });

    build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]/, namespace: 'file' }, ({ path: file }) => {
      const path = insidePackage(file);
      if (path === undefined) return undefined;
      const replacement = Object.hasOwn(replacements, path) ? replacements[path] : undefined;
      if (replacement !== undefined) {
        hits.add(path);
        return { contents: replacement(), loader: 'js' };
      }
      return CLOSED.test(path)
        ? { errors: [{ text: `undici leads to ${path}, which no replacement covers` }] }
        : undefined;
    });

    build.onEnd(() => {
      const idle = used ? Object.keys(replacements).filter((path) => !hits.has(path)) : [];
      return { errors: idle.map((path) => ({ text: `undici no longer leads to ${path}, which should be replaced` })) };
    });
  },
});
