import { describe, expect, onTestFinished, test } from 'vitest';
import { slowDownTime } from '../../../infra/local/slow-time.ts';
import { accessControlFromEnvironment, dynamoDbOptions } from '../../../shared/composition/access-control.ts';
import { startDynalite } from '../../support/dynamodb.ts';
import { startProxy } from '../../support/store-proxy.ts';

const environment = {
  KEYS_TABLE: 'keys',
  COUNTERS_TABLE: 'counters',
  CURSOR_SECRETS: 'a secret of the tests',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'tests',
  AWS_SECRET_ACCESS_KEY: 'tests',
  DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
};

const quiet = (changes: Readonly<Record<string, string>>) =>
  accessControlFromEnvironment({ ...environment, ...changes }, () => undefined).accessControl;

describe('accessControlFromEnvironment', () => {
  test.each([
    'KEYS_TABLE',
    'COUNTERS_TABLE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'CURSOR_SECRETS',
  ])('accessControlFromEnvironment throws when %s is not set', (name) => {
    expect(() => quiet({ [name]: '' })).toThrow(new RegExp(`^${name} must be `));
  });

  test.each(['ALLOWANCE_SEARCH_ANONYMOUS', 'ALLOWANCE_SEARCH_KEYED', 'ALLOWANCE_BROWSE', 'ALLOWANCE_SEARCH_POOL'])(
    '%s must be an allowance',
    (name) => {
      expect(() => quiet({ [name]: '10' })).toThrow(new RegExp(`^${name} must be COUNT/SECONDS`));
    },
  );

  test('readAllowances returns the settings, or by default 10 searches and 60 other requests per minute', () => {
    expect([quiet({}).anonymousPolicy('search'), quiet({}).anonymousPolicy('browse')]).toEqual([
      '"search";q=10;w=60',
      '"browse";q=60;w=60',
    ]);
    const set = quiet({ ALLOWANCE_SEARCH_ANONYMOUS: '30/900,5/60', ALLOWANCE_SEARCH_POOL: '500/60' });
    expect(set.anonymousPolicy('search')).toBe(
      '"search";q=30;w=900, "search-burst";q=5;w=60, "search-pool";q=500;w=60',
    );
  });

  test('a new instance opens its connection to the store before the first request and ignores a failure', async () => {
    const dynamo = await startDynalite();
    const proxy = await startProxy(dynamo.endpoint);
    onTestFinished(dynamo.close);
    onTestFinished(proxy.close);
    quiet({ DYNAMODB_ENDPOINT: proxy.endpoint });
    await expect.poll(() => proxy.operations).toEqual(['GetItem']);
    // DynamoDB rejects an empty key.
    expect(proxy.bodies.map((body) => JSON.parse(body).Key)).toEqual([{ pk: { S: expect.stringMatching(/./) } }]);
    expect(() => quiet({})).not.toThrow();
  });

  test('a request that was identified before the process was busy has its time for the store after that', async () => {
    const { endpoint, tables, close } = await startDynalite();
    onTestFinished(close);
    const access = quiet({ DYNAMODB_ENDPOINT: endpoint, KEYS_TABLE: tables.keys, COUNTERS_TABLE: tables.counters });
    const caller = access.identify({ authorization: undefined, ip: '198.51.100.7' });
    // Longer than the time of all store calls of a new instance.
    const end = performance.now() + 1400;
    while (performance.now() < end);
    // The rest of the time is for the store, which a busy machine delays.
    onTestFinished(slowDownTime());
    await caller.chargeAllowance('search', 'tide');
    expect(caller.chargeResult()).toEqual({ decision: 'admitted', isRefunded: false });
  });
});

test('the DynamoDB client has the region and the credentials of the role, and the endpoint of its setting', () => {
  expect(dynamoDbOptions({ ...environment, AWS_SESSION_TOKEN: 'token', DYNAMODB_ENDPOINT: '' })).toEqual({
    region: 'eu-central-1',
    endpoint: undefined,
    credentials: { accessKeyId: 'tests', secretAccessKey: 'tests', sessionToken: 'token' },
  });
  expect(dynamoDbOptions(environment).endpoint).toBe('http://127.0.0.1:9');
  expect(() => dynamoDbOptions({ ...environment, DYNAMODB_ENDPOINT: 'a table' })).toThrow('DYNAMODB_ENDPOINT');
});
