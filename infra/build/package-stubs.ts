// Replaces files of a dependency that no Lambda function reaches, because their start-up would pay for them. The files
// are no promised interface of the dependency, so the stubs apply only to the reviewed versions. Every other version is
// bundled whole, with a warning, and answers as before: no code of the service relies on a stub. .ci/upgrades builds and runs
// the bundles so, and test/infra/stubs-plugin.test.ts fails until the stubs are reviewed. The plug-in comes first, then the
// stubs of undici, of the AWS SDK and of the MCP SDK.
import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'esbuild';

export interface StubbedDependency {
  /** Package name to version. The first package is a dependency of the project, the others are dependencies of the first. */
  readonly reviewedVersions: Readonly<Record<string, string>>;
  /**
   * The JavaScript of each stub, by `package/path` or by `node:name` (a built-in, replaced only for these packages). A stub saves at least 5 % of the bytes of a bundle or 5 % of the CPU time of
   * its start, as measured beside the same build without it; below that, a file is bundled as it is.
   */
  readonly stubs: Readonly<Record<string, string>>;
}

interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
}

/** Finds the copies that the bundles contain: a dependency of a package can be another copy than that of the project. */
const installedOf = ({ reviewedVersions }: StubbedDependency): readonly Installed[] => {
  const [first = '', ...others] = Object.keys(reviewedVersions);
  const find = (name: string, from: string): Installed => {
    try {
      const manifest = realpathSync(findPackageJSON(name, from) ?? '');
      const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
      return { name, folder: dirname(manifest), version: String(version) };
    } catch {
      return { name, folder: '', version: 'not installed' };
    }
  };
  const main = find(first, import.meta.filename);
  return [main, ...others.map((name) => find(name, join(main.folder, 'package.json')))];
};

/** @returns a sentence for each package whose stubs need a review */
export const reviewFindings = (dependency: StubbedDependency): readonly string[] =>
  installedOf(dependency).flatMap(({ name, version }) => {
    const reviewed = dependency.reviewedVersions[name];
    return version === reviewed ? [] : [`${name} is ${version}, but its stubs were reviewed for ${reviewed}`];
  });

export const stubsPlugin = (dependency: StubbedDependency): Plugin => ({
  name: 'stubs',
  setup(build) {
    const findings = reviewFindings(dependency);
    if (findings.length > 0) {
      build.onStart(() => ({ warnings: findings.map((text) => ({ text: `${text}: bundled without stubs` })) }));
      return;
    }
    const installed = installedOf(dependency);
    const isOfPackages = (file: string): boolean => installed.some(({ folder }) => file.startsWith(folder + sep));
    for (const [key, contents] of Object.entries(dependency.stubs)) {
      const { name, folder } = installed.find((one) => key.startsWith(`${one.name}/`)) ?? { name: '', folder: '' };
      const isBuiltIn = key.startsWith('node:');
      const file = isBuiltIn ? key : join(folder, key.slice(name.length));
      const filter = new RegExp(`^${RegExp.escape(file)}$`);
      const namespace = isBuiltIn ? 'stub' : 'file';
      if (isBuiltIn)
        build.onResolve({ filter }, ({ path, importer }) => (isOfPackages(importer) ? { path, namespace } : undefined));
      build.onLoad({ filter, namespace }, () => ({ contents, loader: 'js' }));
    }
  },
});

// Bundles undici as an HTTP/1.1 client: `Agent`, and no other export. The figures are of the function `posts`.

const unreachableStub = (feature: string): string =>
  `() => { throw new Error('undici was bundled without ${feature}'); }`;

export const undiciStubs: StubbedDependency = {
  reviewedVersions: { undici: '8.12.4' },
  stubs: {
    // 287 kB, 62 %: fetch, WebSocket, the mocks and the cache.
    'undici/index.js': "export { default as Agent } from './lib/dispatcher/agent.js';",
    // 72 kB, 16 %: the parser for CPUs without SIMD. Every CPU of Lambda has SIMD.
    'undici/lib/llhttp/llhttp-wasm.js': "module.exports = require('./llhttp_simd-wasm.js');",
    // 166 kB, 36 %: the experimental parser with two WebAssembly modules, which undici chooses only if it is asked to.
    'undici/lib/dispatcher/parser-h1.js': 'exports.getMiloEnabled = () => false;',
    // 18 kB, 4 %, and 35 % of the CPU time until a first answer, 60 % with compiled code: it loads node:http2. The service
    // never allows HTTP/2.
    'undici/lib/dispatcher/client-h2.js': `module.exports = ${unreachableStub('HTTP/2')};`,
    // 43 kB together, 9 %: reached only for request bodies of type FormData, which undici then rejects.
    'undici/lib/web/fetch/formdata.js': '',
    'undici/lib/web/webidl/index.js': 'exports.webidl = { is: { FormData: () => false } };',
    'undici/lib/web/fetch/body.js': `exports.extractBody = ${unreachableStub('FormData')};`,
    // 3 % of the CPU time until a first answer, 6 % with compiled code. undici calls only assert(value, message).
    'node:assert':
      "module.exports = (ok, message) => { if (!ok) throw Object.assign(new Error(message || 'undici: assertion failed'), { code: 'ERR_ASSERTION' }); };",
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

export const awsSdkStubs: StubbedDependency = {
  // The stub imports from all of them.
  reviewedVersions: {
    [CLIENT]: '3.1162.0',
    '@aws-sdk/core': '3.981.0',
    '@smithy/core': '3.41.0',
    '@smithy/node-http-handler': '4.14.2',
  },
  stubs: {
    // 155 kB, 24 % of the bundle of `search`, and 16 % of the CPU time until a first answer: leads to the credential providers
    // and to the files in ~/.aws.
    [`${CLIENT}/dist-es/runtimeConfig.js`]: RUNTIME_CONFIG,
  },
};

// Bundles the MCP SDK without ajv, by which it validates the answers to its elicitation requests. `functions/mcp` sends no such
// requests, and passes a validator of its own.
export const mcpSdkStubs: StubbedDependency = {
  reviewedVersions: { '@modelcontextprotocol/sdk': '1.32.2' },
  stubs: {
    // 136 kB, 16 % of the bundle of `mcp`, and 5 % of the CPU time until a first answer.
    '@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js': `export class AjvJsonSchemaValidator {
      getValidator() { throw new Error('the MCP SDK was bundled without ajv: pass a jsonSchemaValidator'); }
    }`,
  },
};
