// Counts billed rows in the counters table, one item per day (UTC).
//
//   pk      `rows#x_api`
//   w       start of the day in milliseconds since the epoch
//   n       rows that are used or reserved; never more than the ceiling
//   s       rows that are billed for certain; a reservation is the difference
//   x       epoch second after which DynamoDB may delete the item
//
// A reservation is one conditional UpdateItem. The embedded store cannot return the item with a failed condition, so a
// second write reads `s`. After a time-out the result of a write is unknown: the rows may be counted.
import { type DynamoDBClient, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { paidRowsPartition } from '../contract/providers.ts';
import { tables } from '../contract/tables.ts';
import type { PaidRowStore } from '../ports/stores.ts';
import { type Item, numberAttribute, readNumber, stringAttribute, unlessConditionFailed } from './dynamodb-client.ts';

const { partitionKey, sortKey, ttlAttribute } = tables.counters;
const DAY_SECONDS = 86_400;
/** A month of days is kept for the operator. */
const KEPT_DAYS = 32;

type Update = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>;

export const createDynamoDbPaidRowStore = (client: DynamoDBClient, table: string): PaidRowStore => {
  const update = async (dayStart: number, change: Update, abortSignal: AbortSignal | undefined): Promise<Item> => {
    const Key = { [partitionKey]: stringAttribute(paidRowsPartition), [sortKey]: numberAttribute(dayStart) };
    const command = new UpdateItemCommand({ TableName: table, Key, ...change });
    const { Attributes = {} } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return Attributes;
  };

  const expiry = (dayStart: number) => numberAttribute(dayStart / 1000 + (1 + KEPT_DAYS) * DAY_SECONDS);

  const readBilled = async (dayStart: number, signal: AbortSignal | undefined): Promise<number> => {
    const change: Update = {
      UpdateExpression: 'SET #x = if_not_exists(#x, :x)',
      ExpressionAttributeNames: { '#x': ttlAttribute },
      ExpressionAttributeValues: { ':x': expiry(dayStart) },
      ReturnValues: 'ALL_NEW',
    };
    return readNumber(await update(dayStart, change, signal), 's') ?? 0;
  };

  return {
    async reserve(dayStart, rows, known, ceiling, signal) {
      // The condition admits any number of rows to an item that does not exist yet.
      if (rows > ceiling) return { billed: await readBilled(dayStart, signal) };
      const change: Update = {
        UpdateExpression: 'SET #x = if_not_exists(#x, :x) ADD #n :rows, #s :known',
        ConditionExpression: 'attribute_not_exists(#n) OR #n <= :most',
        ExpressionAttributeNames: { '#n': 'n', '#s': 's', '#x': ttlAttribute },
        ExpressionAttributeValues: {
          ':rows': numberAttribute(rows),
          ':known': numberAttribute(known),
          ':most': numberAttribute(ceiling - rows),
          ':x': expiry(dayStart),
        },
        ReturnValues: 'UPDATED_NEW',
      };
      const item = await unlessConditionFailed(update(dayStart, change, signal));
      return item === undefined ? { billed: await readBilled(dayStart, signal) } : undefined;
    },

    async correct(dayStart, used, billed, signal) {
      const change: Update = {
        UpdateExpression: 'ADD #n :used, #s :billed',
        // An item that is gone would come back with a negative count.
        ConditionExpression: 'attribute_exists(#n)',
        ExpressionAttributeNames: { '#n': 'n', '#s': 's' },
        ExpressionAttributeValues: { ':used': numberAttribute(used), ':billed': numberAttribute(billed) },
      };
      await unlessConditionFailed(update(dayStart, change, signal));
    },
  };
};
