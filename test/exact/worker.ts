// One process of the crowd: the real limiter and the real key check, on the store that it is told of. It waits for the
// store however long that takes; a fault ends it.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamoCounters } from '../../shared/access/dynamo-counters.ts';
import { createDynamoKeys } from '../../shared/access/dynamo-keys.ts';
import { createKeyCheck } from '../../shared/access/key-check.ts';
import { createLimiter } from '../../shared/access/limiter.ts';
import type { StoreGuard } from '../../shared/access/store-guard.ts';
import { clientOptions } from '../support/dynamo.ts';
import type { Finding, Place, Task } from './crowd.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400;

const strict: StoreGuard = async (work) => ({ ok: true, value: await work(new AbortController().signal) });

const { endpoint, table } = JSON.parse(process.argv[2] ?? '') as Place;
// A thousand calls at once wait for each other: for a socket each, and for as long as it takes.
const client = new DynamoDBClient({
  ...clientOptions(endpoint),
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 0, httpAgent: { keepAlive: true, maxSockets: 1000 } },
});
const limiter = createLimiter({ store: createDynamoCounters(client, table), guard: strict, clock: () => NOW });
const keyCheck = createKeyCheck(createDynamoKeys(client, table), strict);

const perform = async (task: Task): Promise<Finding> => {
  if (task.kind === 'check') return (await keyCheck.check(task.hash, Number.POSITIVE_INFINITY)).status;
  const spender = { partition: task.partition, allowance: { count: task.limit, seconds: DAY } };
  const charges = Array.from({ length: task.calls }, () => limiter.charge(spender, Number.POSITIVE_INFINITY));
  return (await Promise.all(charges)).filter(({ admitted }) => admitted).length;
};

process.on('message', async (task: Task) => process.send?.(await perform(task)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
