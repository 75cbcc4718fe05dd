// Runs one process of the pool: the real limiter and the real key verifier, on the given store. It waits for the store
// without a time limit; an error ends the process.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createApiKeyVerifier } from '../../shared/auth/api-key-verifier.ts';
import { NEVER } from '../../shared/model/time.ts';
import { createFixedWindowLimiter } from '../../shared/rate-limit/fixed-window-limiter.ts';
import { createDynamoDbApiKeyReader } from '../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbCounterStore } from '../../shared/stores/dynamodb-counter-store.ts';
import type { StoreGuard } from '../../shared/stores/store-guard.ts';
import { clocksOf } from './clocks.ts';
import { clientOptions } from './dynamodb.ts';
import { answerMessages } from './processes.ts';
import type { TaskResult, WorkerStore, WorkerTask } from './worker-tasks.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400;

const strict: StoreGuard = async (work) => ({ ok: true, value: await work(new AbortController().signal) });

const { endpoint, table } = JSON.parse(process.argv[2] ?? '') as WorkerStore;
// A thousand concurrent calls wait for sockets, so the socket limit and the connection time are raised.
const client = new DynamoDBClient({
  ...clientOptions(endpoint),
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 0, httpAgent: { keepAlive: true, maxSockets: 1000 } },
});
const limiter = createFixedWindowLimiter({
  store: createDynamoDbCounterStore(client, table),
  guard: strict,
  ...clocksOf(() => NOW),
});
const keyCheck = createApiKeyVerifier(createDynamoDbApiKeyReader(client, table), strict, clocksOf(() => NOW).clock);

const perform = async (task: WorkerTask): Promise<TaskResult> => {
  if (task.kind === 'check') return (await keyCheck(task.hash, 'network', NEVER)).status;
  const subject = { partition: task.partition, allowance: { count: task.limit, seconds: DAY } };
  const charges = Array.from({ length: task.calls }, () => limiter.charge(subject, NEVER));
  return (await Promise.all(charges)).filter(({ admitted }) => admitted).length;
};

answerMessages({}, (task) => perform(task as WorkerTask));
