// Replaces files of a dependency that no Lambda function reaches, because their start-up would pay for them. The files
// are no promised interface of the dependency, so the stubs apply only to the reviewed versions. Every other version is
// bundled whole, with a warning, and test/infra/stubs-plugin.test.ts fails. The plug-in comes first, then the stubs of
// undici and of the AWS SDK.
import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { asRecord } from '../../shared/model/json.ts';

export interface StubbedDependency {
  /** Package name to version. */
  readonly reviewedVersions: Readonly<Record<string, string>>;
  /**
   * The JavaScript of each stub, by `package/path` or by `node:name` (a built-in, replaced only for the files of these
   * packages). It is created only if the bundle reaches the original.
   */
  readonly stubs: Readonly<Record<string, () => string>>;
}

const versionOf = (name: string): string => {
  try {
    const { version }: { readonly version?: unknown } = JSON.parse(
      readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8'),
    );
    return String(version);
  } catch {
    return 'not installed';
  }
};

/** @returns a sentence for each package whose stubs need a review */
export const reviewFindings = ({ reviewedVersions }: StubbedDependency): readonly string[] =>
  Object.entries(reviewedVersions).flatMap(([name, reviewed]) => {
    const installed = versionOf(name);
    return installed === reviewed ? [] : [`${name} is ${installed}, but its stubs were reviewed for ${reviewed}`];
  });

export const stubsPlugin = (dependency: StubbedDependency): Plugin => ({
  name: 'stubs',
  setup(build) {
    const findings = reviewFindings(dependency);
    if (findings.length > 0) {
      build.onStart(() => ({ warnings: findings.map((text) => ({ text: `${text}: bundled without stubs` })) }));
      return;
    }
    const folders = Object.keys(dependency.reviewedVersions).map((name) => `${sep}node_modules${sep}${name}${sep}`);
    for (const [key, text] of Object.entries(dependency.stubs)) {
      const isBuiltIn = key.startsWith('node:');
      const filter = new RegExp(`${isBuiltIn ? '^' : '[\\\\/]node_modules[\\\\/]'}${RegExp.escape(key)}$`);
      const namespace = isBuiltIn ? 'stub' : 'file';
      if (isBuiltIn)
        build.onResolve({ filter }, ({ path, importer }) =>
          folders.some((folder) => importer.includes(folder)) ? { path, namespace } : undefined,
        );
      build.onLoad({ filter, namespace }, () => ({ contents: text(), loader: 'js' }));
    }
  },
});

// Bundles undici as an HTTP/1.1 client: `Agent`, and no other export. The published undici needs 570 kB
// and 35 ms of start-up more, mostly for node:http2, fetch, WebSocket, the mocks and the cache.

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

// Bundles the DynamoDB client without the code that reads configuration from the environment, from ~/.aws and from the
// instance metadata service. The caller passes region and credentials; every other option has the default of the SDK.

const CLIENT = '@aws-sdk/client-dynamodb';

const throwing = (feature: string): string => `throw new Error('${CLIENT} was bundled without ${feature}');`;

// Has the shape of runtimeConfig.browser.js, which reads no configuration either, but with the Node request handler.
const RUNTIME_CONFIG = `
import { createDefaultUserAgentProvider } from '@aws-sdk/core/client';
import { calculateBodyLength } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { version } from '../package.json';
import { getRuntimeConfig as getSharedRuntimeConfig } from './runtimeConfig.shared';

const noCredentials = () => { ${throwing('the credential provider chain: pass credentials')} };

export const getRuntimeConfig = (config) => {
  if (config.profile) ${throwing('profiles')}
  if (config.defaultsMode) ${throwing('defaults modes')}
  const shared = getSharedRuntimeConfig(config);
  return {
    ...shared,
    ...config,
    runtime: 'node',
    bodyLengthChecker: config.bodyLengthChecker ?? calculateBodyLength,
    credentialDefaultProvider: config.credentialDefaultProvider ?? noCredentials,
    defaultUserAgentProvider:
      config.defaultUserAgentProvider ??
      createDefaultUserAgentProvider({ serviceId: shared.serviceId, clientVersion: version }),
    endpointDiscoveryEnabledProvider: config.endpointDiscoveryEnabledProvider ?? (async () => undefined),
    requestHandler: NodeHttpHandler.create(config.requestHandler),
    streamCollector: config.streamCollector ?? streamCollector,
  };
};
`;

// Each stub saves at least 3 % of the start-up work: the CPU instructions of `search` until its first socket connects,
// minus those of an empty function. Files with a smaller effect are bundled as they are.
export const awsSdkStubs: StubbedDependency = {
  reviewedVersions: { [CLIENT]: '3.1162.0', '@aws-sdk/core': '3.981.0', '@smithy/core': '3.41.0' },
  stubs: {
    // Leads to the credential providers and to the files in ~/.aws: 150 kB and 30 % of the start-up work.
    [`${CLIENT}/dist-es/runtimeConfig.js`]: () => RUNTIME_CONFIG,
    // Reads AWS_ENDPOINT_URL and ~/.aws before the first request: 8 % of the start-up work.
    '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointFromConfig.js': () =>
      'export const getEndpointFromConfig = async () => undefined;',
    // Reads the environment and ~/.aws before the first request: 8 % of the start-up work.
    '@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/clock-skew-defaults.js': () =>
      'export const DEFAULT_DISABLE_CLOCK_SKEW_CORRECTION = async () => false;',
    // No operation of DynamoDB has an event stream: 18 kB and 4 % of the start-up work.
    '@smithy/core/dist-es/submodules/event-streams/index.js': () => throwing('event streams'),
  },
};
