// Stores admin sessions and audit entries in the admin table, and reads the counters of the usage figures.
//
//   pk    `session#<SHA-256 of the cookie's value>` | `audit#<year>`
//   at    0 | milliseconds since the epoch
//   x     epoch second after which DynamoDB may delete the item
//
// A session has `operator`, `credential`, `created` and `seen` (milliseconds since the epoch). An audit entry has the
// members of AuditEntry as JSON in `entry`. An audit entry is written once, under a free key; the function's role may
// neither delete nor update it.
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { SESSION_PREFIX, tables } from '../contract/tables.ts';
import type { AuditEntry, AuditStore, SessionStore, UsageReader, WindowUsage } from '../ports/stores.ts';
import {
  type Item,
  numberAttribute,
  readNumber,
  readString,
  stringAttribute,
  unlessConditionFailed,
} from './dynamodb-client.ts';

const { partitionKey, sortKey, ttlAttribute } = tables.admin;

const KEPT_DAYS = 400;
/** 400 days touch at most 3 calendar years. */
const YEARS = 3;

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

export const createDynamoDbSessionStore = (client: DynamoDBClient, table: string): SessionStore => {
  const keyOf = (hash: string) => ({
    [partitionKey]: stringAttribute(`${SESSION_PREFIX}${hash}`),
    [sortKey]: numberAttribute(0),
  });
  return {
    async open(hash, { operator, credential, createdAt, seenAt }, expiresAt) {
      const Item = {
        ...keyOf(hash),
        operator: stringAttribute(operator),
        credential: stringAttribute(credential),
        created: numberAttribute(createdAt),
        seen: numberAttribute(seenAt),
        [ttlAttribute]: numberAttribute(seconds(expiresAt)),
      };
      await client.send(new PutItemCommand({ TableName: table, Item }));
    },

    async find(hash) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: keyOf(hash), ConsistentRead: true }),
      );
      const operator = readString(Item, 'operator');
      const credential = readString(Item, 'credential');
      const createdAt = readNumber(Item, 'created');
      const seenAt = readNumber(Item, 'seen');
      if (operator === undefined || credential === undefined) return undefined;
      if (createdAt === undefined || seenAt === undefined) return undefined;
      return { operator, credential, createdAt, seenAt };
    },

    async touch(hash, seenAt) {
      const command = new UpdateItemCommand({
        TableName: table,
        Key: keyOf(hash),
        UpdateExpression: 'SET seen = :seen',
        ConditionExpression: `attribute_exists(${partitionKey})`,
        ExpressionAttributeValues: { ':seen': numberAttribute(seenAt) },
      });
      // The condition fails if the session was closed meanwhile; it must not reappear.
      await unlessConditionFailed(client.send(command));
    },

    async close(hash) {
      await client.send(new DeleteItemCommand({ TableName: table, Key: keyOf(hash) }));
    },
  };
};

const yearOf = (at: number): number => new Date(at).getUTCFullYear();

const partitionOf = (year: number): string => `audit#${year}`;

/** @param clock in milliseconds */
export const createDynamoDbAuditStore = (client: DynamoDBClient, table: string, clock: () => number): AuditStore => {
  /** @returns false if another entry has this key */
  const put = async (entry: AuditEntry): Promise<boolean> => {
    const { at, ...facts } = entry;
    const Item = {
      [partitionKey]: stringAttribute(partitionOf(yearOf(at))),
      [sortKey]: numberAttribute(at),
      [ttlAttribute]: numberAttribute(seconds(at) + KEPT_DAYS * 86_400),
      entry: stringAttribute(JSON.stringify(facts)),
    };
    const ConditionExpression = `attribute_not_exists(${partitionKey})`;
    const command = new PutItemCommand({ TableName: table, Item, ConditionExpression });
    return (await unlessConditionFailed(client.send(command))) !== undefined;
  };

  const latestOf = async (year: number, count: number, before: number): Promise<readonly AuditEntry[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `${partitionKey} = :pk AND #at < :before`,
        ExpressionAttributeNames: { '#at': sortKey },
        ExpressionAttributeValues: { ':pk': stringAttribute(partitionOf(year)), ':before': numberAttribute(before) },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: count,
      }),
    );
    return Items.map((item) => ({
      ...JSON.parse(readString(item, 'entry') ?? '{}'),
      at: readNumber(item, sortKey) ?? 0,
    }));
  };

  return {
    async append(entry) {
      // The key is the millisecond: an entry moves to the next free one.
      for (let at = entry.at; !(await put({ ...entry, at })); at += 1);
    },

    async latest(count, before = Number.MAX_SAFE_INTEGER) {
      const entries: AuditEntry[] = [];
      const thisYear = yearOf(clock());
      for (let year = thisYear; year > thisYear - YEARS && entries.length < count; year -= 1) {
        entries.push(...(await latestOf(year, count - entries.length, before)));
      }
      return entries;
    },
  };
};

/** The items of dynamodb-counter-store.ts. */
const counters = tables.counters;

const usageOf = (item: Item): WindowUsage => {
  const usedOn = readString(item, 'd');
  return {
    startsAt: readNumber(item, counters.sortKey) ?? 0,
    count: readNumber(item, 'n') ?? 0,
    ...(usedOn !== undefined && { usedOn }),
  };
};

/** Reads counters for the usage figures of the admin page. */
export const createDynamoDbUsageReader = (client: DynamoDBClient, table: string): UsageReader => ({
  async spentSince(partition, since) {
    const windows: WindowUsage[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: `${counters.partitionKey} = :pk AND ${counters.sortKey} >= :since`,
        ExpressionAttributeValues: { ':pk': stringAttribute(partition), ':since': numberAttribute(since) },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) windows.push(...Items.map(usageOf));
    return windows;
  },

  async latest(partition) {
    const { Items: [item] = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `${counters.partitionKey} = :pk`,
        ExpressionAttributeValues: { ':pk': stringAttribute(partition) },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 1,
      }),
    );
    return item && usageOf(item);
  },
});
