// What becomes of a key at the very next request after the operator's change, in another process than his.
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { text } from '../../shared/access/dynamo-client.ts';
import { hashOf } from '../../shared/access/key.ts';
import type { KeyState } from '../../shared/ports.ts';
import { keyRecord, newKey } from '../support/access.ts';
import { type Dynamo, putKey } from '../support/dynamo.ts';
import { startCrowd } from './crowd.ts';

export interface Disabled {
  /** How often a key was good after it had been disabled. */
  readonly served: number;
  /** How often it was not after it had been enabled again. */
  readonly refused: number;
}

const setState = async ({ client, tables }: Dynamo, hash: string, state: KeyState): Promise<void> => {
  await client.send(
    new UpdateItemCommand({
      TableName: tables.keys,
      Key: { pk: text(hash) },
      UpdateExpression: 'SET #state = :state',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': text(state) },
    }),
  );
};

/** Disables a key and enables it again so many times; each is followed by one check in each process. */
export const disabled = async (dynamo: Dynamo, times: number, processes = 1): Promise<Disabled> => {
  const hash = hashOf(newKey());
  await putKey(dynamo, hash, keyRecord());
  const crowd = await startCrowd(processes, dynamo, 'keys');
  const statuses = async (state: KeyState) => {
    await setState(dynamo, hash, state);
    return crowd.ask({ kind: 'check', hash });
  };
  let [served, refused] = [0, 0];
  try {
    for (let time = 0; time < times; time += 1) {
      if ((await statuses('disabled')).some((status) => status !== 'invalid')) served += 1;
      if ((await statuses('enabled')).some((status) => status !== 'valid')) refused += 1;
    }
  } finally {
    await crowd.close();
  }
  return { served, refused };
};
