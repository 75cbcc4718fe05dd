// Bundles the DynamoDB client for a caller that passes a region and credentials, and asks for nothing that only the
// SDK's own search for them needs: what is not passed has the SDK's default, whatever the environment or ~/.aws says.
// These are unpromised paths inside its packages, so a build in which one no longer fits fails.
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Metafile, PartialMessage, Plugin } from 'esbuild';

const CLIENT = '@aws-sdk/client-dynamodb';

/** The versions these replacements were read against. Raising one means reading them again. */
export const reviewedVersions: Readonly<Record<string, string>> = {
  [CLIENT]: '3.1162.0',
  '@aws-sdk/core': '3.981.0',
  '@aws-sdk/middleware-endpoint-discovery': '3.972.37',
  '@smithy/core': '3.41.0',
  '@smithy/node-http-handler': '4.14.2',
  '@smithy/signature-v4': '5.7.5',
};

const refuse = (what: string): string => `throw new Error('${CLIENT} was bundled without ${what}');`;

/** A declared function stands in for a function and for a class. */
const neverReached = (name: string, what: string): string => `export function ${name}() { ${refuse(what)} }`;

// The package's runtimeConfig.js, with the shape of its twin for browsers, which has no environment to ask either.
const RUNTIME_CONFIG = `
import { createDefaultUserAgentProvider } from '@aws-sdk/core/client';
import { calculateBodyLength } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { version } from '../package.json';
import { getRuntimeConfig as getSharedRuntimeConfig } from './runtimeConfig.shared';

const noCredentials = () => { ${refuse('the credential provider chain: pass credentials')} };

export const getRuntimeConfig = (config) => {
  if (config.profile) ${refuse('profiles')}
  if (config.defaultsMode) ${refuse('defaults modes')}
  if (config.endpointDiscoveryEnabled) ${refuse('endpoint discovery')}
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
    requestHandler: NodeHttpHandler.create(config.requestHandler),
    streamCollector: config.streamCollector ?? streamCollector,
  };
};
`;

/** Replaced modules, by package and path, and their text. */
export const awsSdkReplacements: Readonly<Record<string, () => string>> = {
  // The credential providers, the shared files and the instance metadata service: 130 kB.
  [`${CLIENT}/dist-es/runtimeConfig.js`]: () => RUNTIME_CONFIG,
  // Two more settings that would be looked up in the environment and in ~/.aws, before the first request.
  '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointFromConfig.js': () =>
    'export const getEndpointFromConfig = async () => undefined;',
  '@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/clock-skew-defaults.js': () =>
    'export const DEFAULT_DISABLE_CLOCK_SKEW_CORRECTION = async () => false;',
  // No operation of DynamoDB discovers its endpoint any more; the cache for it is three packages.
  '@aws-sdk/middleware-endpoint-discovery/dist-es/resolveEndpointDiscoveryConfig.js': () =>
    'export const resolveEndpointDiscoveryConfig = (config) => config;',
  // As in browsers. Lambda detects loops through SQS, SNS and S3 alone, so to DynamoDB the trace header says nothing.
  '@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/getRecursionDetectionPlugin.js': () =>
    'export const getRecursionDetectionPlugin = () => ({ applyToStack: () => {} });',
  // DynamoDB answers no event streams. Both the reader of their messages and the signer's part in writing them go.
  '@smithy/core/dist-es/submodules/event-streams/index.js': () => refuse('event streams'),
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': () =>
    `export class HeaderFormatter { format() { ${refuse('event streams')} } }`,
  // Chosen by `retryMode: 'adaptive'` only.
  '@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js': () =>
    neverReached('AdaptiveRetryStrategy', 'adaptive retries'),
  // For a Node without crypto. Lambda's has it.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': () =>
    neverReached('Sha256Js', 'SHA-256 in JavaScript'),
  // The same number from the crypto that signing needs anyway: asking the global one would load WebCrypto too.
  '@smithy/core/dist-es/submodules/serde/uuid/v4.js': () =>
    "import { randomUUID } from 'node:crypto';\nexport const bindV4 = () => () => randomUUID();",
  // 4 ms, and not needed where the caller brings a request handler of its own.
  '@smithy/node-http-handler/dist-es/node-https.js': () =>
    "export const node_https = { get Agent() { return require('node:https').Agent; }, get request() { return require('node:https').request; } };",
};

/** Packages and rooms that nothing of ours leads to; a file from one of them means a new path was opened. */
const CLOSED =
  /[\\/](@(?:aws-sdk|smithy)[\\/](?:credential-provider-[\w-]+|nested-clients|token-providers|endpoint-cache|.+[\\/](?:shared-ini-file-loader|node-config-provider|defaults-mode)))[\\/]/;

const packageOf = (path: string): string => path.split('/', 2).join('/');

/** As the client finds it; only some of the packages let `require` see their package.json. */
const manifestOf = (name: string): string => {
  const file = findPackageJSON(name, findPackageJSON(CLIENT, import.meta.url));
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
};

const fileOf = (path: string): string => {
  const name = packageOf(path);
  return join(dirname(manifestOf(name)), path.slice(name.length));
};

const versionOf = (name: string): string => {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(manifestOf(name), 'utf8'));
  return String(version);
};

const misfits = (
  replacements: Readonly<Record<string, unknown>>,
  versions: Readonly<Record<string, string>>,
): readonly PartialMessage[] => {
  const names = new Set([...Object.keys(versions), ...Object.keys(replacements).map(packageOf)]);
  const missing = Object.keys(replacements).filter((path) => !existsSync(fileOf(path)));
  return [
    ...[...names].flatMap((name) => {
      const [found, reviewed = 'no version'] = [versionOf(name), versions[name]];
      return found === reviewed
        ? []
        : [{ text: `${name} is ${found}, its replacements were reviewed for ${reviewed}` }];
    }),
    ...missing.map((path) => ({ text: `the AWS SDK has no ${path}, which should be replaced` })),
  ];
};

const bundledFiles = ({ outputs }: Metafile, directory: string): ReadonlySet<string> =>
  new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [resolve(directory, file)] : [],
      ),
    ),
  );

/** Bundles `@aws-sdk/client-dynamodb` without what our functions never reach. */
export const slimAwsSdk = (
  replacements: Readonly<Record<string, () => string>> = awsSdkReplacements,
  versions: Readonly<Record<string, string>> = reviewedVersions,
): Plugin => ({
  name: 'slim-aws-sdk',
  setup: (build) => {
    const options = build.initialOptions;
    const directory = options.absWorkingDir ?? process.cwd();
    let paths: ReadonlyMap<string, string> = new Map();

    // The SDK's indexes lead to every one of its files. Only the finished bundle tells which of them are used.
    options.metafile = true;

    build.onStart(() => {
      paths = new Map(Object.keys(replacements).map((path) => [fileOf(path), path]));
      return { errors: [...misfits(replacements, versions)] };
    });

    build.onLoad({ filter: /[\\/]@(?:aws-sdk|smithy)[\\/]/, namespace: 'file' }, ({ path: file }) => {
      const path = paths.get(file);
      const replacement = path === undefined ? undefined : replacements[path];
      return replacement && { contents: replacement(), loader: 'js' };
    });

    build.onEnd(({ metafile }) => {
      const files = metafile ? bundledFiles(metafile, directory) : new Set<string>();
      if (!files.has(fileOf(`${CLIENT}/dist-es/DynamoDBClient.js`))) return undefined;
      const idle = [...paths].filter(([file]) => !files.has(file));
      const opened = new Set([...files].flatMap((file) => CLOSED.exec(file)?.[1] ?? []));
      return {
        errors: [
          ...idle.map(([, path]) => ({ text: `the AWS SDK no longer leads to ${path}, which should be replaced` })),
          ...[...opened].map((room) => ({ text: `the AWS SDK leads to ${room}, which no replacement covers` })),
        ],
      };
    });
  },
});
