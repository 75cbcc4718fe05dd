// Bundles the DynamoDB client without the code that reads configuration from the environment, from ~/.aws and from the
// instance metadata service. The caller passes region and credentials; every other option has the default of the SDK.
import type { StubbedDependency } from './stubs-plugin.ts';

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
