// Uses one store from several processes at the same time: counts the admitted charges, and the wrong verifications of a key
// on the next request after the operator changed it.
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import type { ApiKeyState } from '../../shared/ports/stores.ts';
import { stringAttribute } from '../../shared/stores/dynamodb-client.ts';
import { keyRecord, newApiKey } from './access-control.ts';
import { putKey, type TestDynamoDb } from './dynamodb.ts';
import { type Process, startProcess } from './processes.ts';

/** The store of a process. */
export interface WorkerStore {
  readonly endpoint: string;
  readonly table: string;
}

export type WorkerTask =
  | { readonly kind: 'charge'; readonly partition: string; readonly calls: number; readonly limit: number }
  | { readonly kind: 'check'; readonly hash: string };

/** The number of admitted charges, or the status of the key. */
export type TaskResult = number | string;

/** @param use gets a function that sends the same task to all processes at once */
const withWorkers = async <T>(
  count: number,
  store: WorkerStore,
  use: (ask: (task: WorkerTask) => Promise<readonly TaskResult[]>) => Promise<T>,
): Promise<T> => {
  const file = new URL('worker.ts', import.meta.url);
  const workers = await Promise.all(
    Array.from({ length: count }, () => startProcess<object, WorkerTask, TaskResult>(file, store)),
  );
  try {
    return await use((task) =>
      Promise.all(workers.map((worker: Process<object, WorkerTask, TaskResult>) => worker.ask(task))),
    );
  } finally {
    await Promise.all(workers.map(({ close }) => close()));
  }
};

export interface LoadOptions {
  readonly runs: number;
  readonly processes: number;
  /** Concurrent charges of each process. */
  readonly calls: number;
  readonly limit: number;
}

/** @returns the admitted charges of each run, exactly the limit if all is right; each run has a partition of its own */
export const countAdmissions = (
  { endpoint, tables }: TestDynamoDb,
  { runs, processes, calls, limit }: LoadOptions,
  seen: (admitted: readonly number[]) => void = () => undefined,
): Promise<readonly number[]> =>
  withWorkers(processes, { endpoint, table: tables.counters }, async (ask) => {
    const admitted: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const counts = await ask({ kind: 'charge', partition: `search#a:${run}`, calls, limit });
      admitted.push(counts.reduce<number>((sum, count) => sum + Number(count), 0));
      seen(admitted);
    }
    return admitted;
  });

export interface StaleResults {
  /** How many times a disabled key was valid. */
  readonly served: number;
  /** How many times an enabled key was not valid. */
  readonly refused: number;
}

/** Disables and enables a key `times` times; each change is followed by one check in each process. */
export const countStaleResults = async (dynamo: TestDynamoDb, times: number, processes = 1): Promise<StaleResults> => {
  const hash = sha256Hex(newApiKey());
  const { client, endpoint, tables } = dynamo;
  await putKey(dynamo, hash, keyRecord());
  return withWorkers(processes, { endpoint, table: tables.keys }, async (ask) => {
    const statusesAfter = async (state: ApiKeyState): Promise<readonly TaskResult[]> => {
      await client.send(
        new UpdateItemCommand({
          TableName: tables.keys,
          Key: { pk: stringAttribute(hash) },
          UpdateExpression: 'SET #state = :state',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':state': stringAttribute(state) },
        }),
      );
      return ask({ kind: 'check', hash });
    };
    let [served, refused] = [0, 0];
    for (let time = 0; time < times; time += 1) {
      if ((await statusesAfter('disabled')).some((status) => status !== 'invalid')) served += 1;
      if ((await statusesAfter('enabled')).some((status) => status !== 'valid')) refused += 1;
    }
    return { served, refused };
  });
};
