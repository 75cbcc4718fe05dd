// Counts wrong verifications of a key on the next request after a change, in another process than that of the operator.
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import type { ApiKeyState } from '../../shared/ports/stores.ts';
import { stringAttribute } from '../../shared/stores/dynamodb-client.ts';
import { keyRecord, newApiKey } from '../support/access-control.ts';
import { putKey, type TestDynamoDb } from '../support/dynamodb.ts';
import { startWorkerPool } from './worker-pool.ts';

export interface StaleVerdicts {
  /** How many times a disabled key was valid. */
  readonly served: number;
  /** How many times an enabled key was not valid. */
  readonly refused: number;
}

const setState = async ({ client, tables }: TestDynamoDb, hash: string, state: ApiKeyState): Promise<void> => {
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
};

/** Disables and enables a key `times` times; each change is followed by one check in each process. */
export const countStaleVerdicts = async (
  dynamo: TestDynamoDb,
  times: number,
  processes = 1,
): Promise<StaleVerdicts> => {
  const hash = sha256Hex(newApiKey());
  await putKey(dynamo, hash, keyRecord());
  const workers = await startWorkerPool(processes, dynamo, 'keys');
  const statuses = async (state: ApiKeyState) => {
    await setState(dynamo, hash, state);
    return workers.ask({ kind: 'check', hash });
  };
  let [served, refused] = [0, 0];
  try {
    for (let time = 0; time < times; time += 1) {
      if ((await statuses('disabled')).some((status) => status !== 'invalid')) served += 1;
      if ((await statuses('enabled')).some((status) => status !== 'valid')) refused += 1;
    }
  } finally {
    await workers.close();
  }
  return { served, refused };
};
