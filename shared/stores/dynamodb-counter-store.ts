// Stores counters in the counters table.
//
//   pk      allowance and caller: `search#a:<identity>`, `search#k:<key id>`, `search#pool`
//   w       start of the window in milliseconds since the epoch
//   n       units spent in the window
//   b<i>    units spent in the i-th burst part, from 0; absent without a burst limit
//   d       day of the last use (YYYY-MM-DD); only of callers with an API key
//   x       epoch second after which DynamoDB may delete the item
//
// Algorithm. A charge is one conditional UpdateItem, so it is exact under concurrent writes. A failed condition is a
// denial. The embedded store cannot return the old item with a failed condition, so a second write finds out which of two
// limits denied.
// Failure. Every method rejects if DynamoDB does not answer; store-guard.ts limits the time and counts failures. After a
// time-out the result of a write is unknown: the units may be counted.
import { type DynamoDBClient, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { tables } from '../contract/tables.ts';
import type { Counter, CounterResult, CounterStore } from '../ports/stores.ts';
import { type Item, numberAttribute, readNumber, stringAttribute, unlessConditionFailed } from './dynamodb-client.ts';

const { partitionKey, sortKey, ttlAttribute } = tables.counters;

type Update = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues' | 'ReturnValues'
>;

const burstName = ({ index }: NonNullable<Counter['burst']>): string => `b${index}`;

/** Sets expiry and day of use. `if_not_exists` keeps a later expiry that an earlier charge set. */
const maintenanceUpdate = ({ expiresAt, usedOn, extendsExpiry }: Counter) => ({
  sets: [`#x = ${extendsExpiry ? ':x' : 'if_not_exists(#x, :x)'}`, ...(usedOn === undefined ? [] : ['#d = :d'])].join(
    ', ',
  ),
  names: { '#x': ttlAttribute, ...(usedOn !== undefined && { '#d': 'd' }) },
  values: { ':x': numberAttribute(expiresAt), ...(usedOn !== undefined && { ':d': stringAttribute(usedOn) }) },
});

const chargeUpdate = (counter: Counter, units: number): Update => {
  const { limit, burst } = counter;
  const { sets, names, values } = maintenanceUpdate(counter);
  const hasSpace = (name: string): string => `(attribute_not_exists(#${name}) OR #${name} <= :${name})`;
  return {
    UpdateExpression: `SET ${sets} ADD #n :u${burst ? ', #b :u' : ''}`,
    ConditionExpression: burst ? `${hasSpace('n')} AND ${hasSpace('b')}` : hasSpace('n'),
    ExpressionAttributeNames: { '#n': 'n', ...names, ...(burst && { '#b': burstName(burst) }) },
    ExpressionAttributeValues: {
      ':u': numberAttribute(units),
      ':n': numberAttribute(limit - units),
      ...(burst && { ':b': numberAttribute(burst.limit - units) }),
      ...values,
    },
    ReturnValues: 'UPDATED_NEW',
  };
};

const refundUpdate = ({ burst }: Counter, units: number): Update => ({
  UpdateExpression: `ADD #n :minus${burst ? ', #b :minus' : ''}`,
  ConditionExpression: `#n >= :u${burst ? ' AND #b >= :u' : ''}`,
  ExpressionAttributeNames: { '#n': 'n', ...(burst && { '#b': burstName(burst) }) },
  ExpressionAttributeValues: { ':u': numberAttribute(units), ':minus': numberAttribute(-units) },
});

const touchUpdate = (counter: Counter): Update => {
  const { sets, names, values } = maintenanceUpdate(counter);
  return {
    UpdateExpression: `SET ${sets}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
  };
};

export const createDynamoDbCounterStore = (client: DynamoDBClient, table: string): CounterStore => {
  const update = async (
    { partition, startsAt }: Counter,
    change: Update,
    abortSignal: AbortSignal | undefined,
  ): Promise<Item> => {
    const Key = { [partitionKey]: stringAttribute(partition), [sortKey]: numberAttribute(startsAt) };
    const command = new UpdateItemCommand({ TableName: table, Key, ...change });
    const { Attributes = {} } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return Attributes;
  };

  const whichIsFull = async (
    counter: Counter,
    units: number,
    signal: AbortSignal | undefined,
  ): Promise<CounterResult> => {
    if (counter.burst === undefined) return { admitted: false, full: 'window' };
    const count = readNumber(await update(counter, touchUpdate(counter), signal), 'n') ?? 0;
    return { admitted: false, full: count > counter.limit - units ? 'window' : 'burst' };
  };

  return {
    async charge(counter, units, signal) {
      // The condition admits any number of units to a counter that does not exist yet.
      if (units > counter.limit) return { admitted: false, full: 'window' };
      if (units > (counter.burst?.limit ?? units)) return { admitted: false, full: 'burst' };
      const item = await unlessConditionFailed(update(counter, chargeUpdate(counter, units), signal));
      if (item === undefined) return whichIsFull(counter, units, signal);
      const count = readNumber(item, 'n');
      if (count === undefined) throw new TypeError('no count');
      const burstCount = counter.burst && readNumber(item, burstName(counter.burst));
      return { admitted: true, count, ...(burstCount !== undefined && { burstCount }) };
    },

    async refund(counter, units, signal) {
      // The condition fails if the counter has fewer units than the refund.
      await unlessConditionFailed(update(counter, refundUpdate(counter, units), signal));
    },

    async touch(counter, signal) {
      await update(counter, touchUpdate(counter), signal);
    },
  };
};
