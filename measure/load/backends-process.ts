// Runs what the service depends on in a process of its own, so that its CPU and memory do not count: the provider, and the
// store behind a proxy that can fail.
import { startDynamoDb } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/listen.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { dynamoDbOptions } from '../../shared/composition/access-control.ts';
import { tables } from '../../shared/contract/tables.ts';
import { createDynamoDbApiKeyStore } from '../../shared/stores/dynamodb-api-key-store.ts';
import { createDynamoDbClient } from '../../shared/stores/dynamodb-client.ts';
import { keyRecord, newApiKey } from '../../test/support/access-control.ts';
import { answerMessages } from '../../test/support/processes.ts';
import { seededRandom } from '../../test/support/random.ts';
import {
  dropResponse,
  type Fault,
  neverAnswers,
  pass,
  reset,
  serverError,
  startProxy,
  throttle,
} from '../../test/support/store-proxy.ts';
import { createFakeProvider, type ProviderMode } from './fake-provider.ts';

export interface BackendsSettings {
  /** Valid API keys to create. */
  readonly keys: number;
  /** The share of calls of the provider and of the store that fail in the mode `faulty`. */
  readonly faultShare: number;
  readonly seed: number;
}

export interface Backends {
  /** Variables for the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly keys: readonly IssuedKey[];
}

export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
}

/** `mode` is for the provider; the store fails only if it is `faulty`. */
export type BackendsMessage = { readonly mode: ProviderMode } | 'calls';

export interface BackendCalls {
  readonly provider: number;
  readonly store: number;
}

const STORE_FAULTS: readonly Fault[] = [reset, serverError, throttle, dropResponse, neverAnswers];

const { keys: keyCount, faultShare, seed }: BackendsSettings = JSON.parse(process.argv[2] ?? '');
const random = seededRandom(seed);
const store = await startDynamoDb({ DATA_DIR: 'memory' });
const proxy = await startProxy(store.environment['DYNAMODB_ENDPOINT'] ?? '');
const provider = createFakeProvider({ faultShare, random });
const origin = await listen(provider.server, '127.0.0.1', 0);

const client = createDynamoDbClient(dynamoDbOptions(store.environment));
const keyStore = createDynamoDbApiKeyStore(client, store.environment[tables.keys.variable] ?? '');
const keys: IssuedKey[] = [];
for (let index = 0; index < keyCount; index += 1) {
  const key = { id: `load${index}`, secret: newApiKey() };
  await keyStore.create(sha256Hex(key.secret), keyRecord({ id: key.id }));
  keys.push(key);
}

let storeCalls = 0;
/** The proxy records every call. A long run would fill the memory with them. */
const forgetCalls = (): void => {
  storeCalls += proxy.operations.length;
  proxy.operations.length = 0;
  proxy.bodies.length = 0;
};
setInterval(forgetCalls, 1000).unref();

const failSometimes: Fault = async (passing) => {
  const fault = random() < faultShare ? STORE_FAULTS[Math.floor(random() * STORE_FAULTS.length)] : undefined;
  await (fault ?? pass)(passing);
};

const isMode = (message: unknown): message is { readonly mode: ProviderMode } =>
  typeof message === 'object' && message !== null && 'mode' in message;

const ready: Backends = {
  environment: {
    ...store.environment,
    DYNAMODB_ENDPOINT: proxy.endpoint,
    FXTWITTER_BASE_URL: origin,
    SYNDICATION_BASE_URL: `${origin}/syndication`,
  },
  keys,
};

answerMessages(ready, async (message) => {
  if (isMode(message)) {
    provider.setMode(message.mode);
    proxy.behave(message.mode === 'faulty' ? failSometimes : pass);
  }
  forgetCalls();
  return { provider: provider.calls(), store: storeCalls } satisfies BackendCalls;
});
