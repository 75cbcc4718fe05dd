// Follows a key from its creation to the answers of the service: edge function, cache, AWS bundles and embedded
// DynamoDB.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localEnvironment } from '../../infra/local/local-environment.ts';
import { type LocalService, startLocalService } from '../../infra/local/service.ts';
import { sha256Hex } from '../../shared/auth/api-key.ts';
import { newApiKey } from '../support/access-control.ts';
import { itemsOf, startDynalite } from '../support/dynamodb.ts';
import {
  type LocalRequestOptions,
  type LocalResponse,
  localOptions,
  sendRequest,
  startSlowService,
} from '../support/local-service.ts';
import { startProxy } from '../support/store-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';
/** Windows of one day do not end during a test. */
const DAY = 86_400;
const ALLOWANCES = {
  ALLOWANCE_SEARCH_ANONYMOUS: `3/${DAY}`,
  ALLOWANCE_SEARCH_KEYED: `5/${DAY}`,
  ALLOWANCE_BROWSE: `1000/${DAY}`,
};

interface Started extends LocalService {
  readonly log: string[];
  get(target: string, options?: LocalRequestOptions): Promise<LocalResponse>;
}

/** The first store call of a function is slow, so each function is called once before. Invalid requests are free. */
const warmUp = async (get: Started['get']): Promise<void> => {
  for (const target of ['/ada_larsson?limit=0', '/search', '/api/browse'])
    await get(target, { headers: { Authorization: `Bearer ${newApiKey()}` } });
};

const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Started> => {
  const log: string[] = [];
  const options = localOptions({ ADMIN_TOKEN, ...ALLOWANCES, ...environment });
  const service = await startSlowService({ ...options, writeLog: (text) => void log.push(text) });
  const get: Started['get'] = (target, how) => sendRequest(service.origin, target, how);
  await warmUp(get);
  return { ...service, log, get };
};

/** The service is stopped when the test ends. */
const started = async (environment?: Readonly<Record<string, string>>): Promise<Started> => {
  const service = await start(environment);
  onTestFinished(service.close);
  return service;
};

interface Made {
  readonly id: string;
  readonly secret: string;
  /** The API key of the request. */
  readonly headers: { readonly Authorization: string };
}

const operate = ({ get }: Pick<Started, 'get'>) => {
  const call = (method: string, path: string, body?: object): Promise<LocalResponse> =>
    get(`/api/admin/${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    call,
    async create(members: object = {}): Promise<Made> {
      const { status, json } = await call('POST', 'keys', { label: 'a key of the tests', ...members });
      expect(status).toBe(201);
      const { id, secret } = json();
      expect(secret).toMatch(/^pstn_[0-9A-Za-z]{49}$/);
      return { id: String(id), secret: String(secret), headers: { Authorization: `Bearer ${secret}` } };
    },
    async change({ id }: Made, members: object): Promise<void> {
      expect((await call('PATCH', `keys/${id}`, members)).status).toBe(200);
    },
    async delete({ id }: Made): Promise<void> {
      expect((await call('DELETE', `keys/${id}`)).status).toBe(204);
    },
    async shown({ id }: Made): Promise<Record<string, unknown> | undefined> {
      const { keys } = (await call('GET', 'keys')).json() as { readonly keys: readonly Record<string, unknown>[] };
      return keys.find((key) => key['id'] === id);
    },
    async used({ id }: Made): Promise<Record<string, unknown> | undefined> {
      const { keys } = (await call('GET', 'usage')).json() as { readonly keys: readonly Record<string, unknown>[] };
      return keys.find((key) => key['id'] === id);
    },
  };
};

test('[caching 21] [admin 6] the audit log begins at the cursor of the request', async () => {
  const { call, create } = operate(await started());
  await create();
  await create();
  const entriesAt = async (query: string) =>
    (await call('GET', `audit${query}`)).json() as { readonly entries: readonly { readonly at: string }[] };
  const { entries } = await entriesAt('');
  const [newest, ...older] = entries;
  expect(older.length).toBeGreaterThan(0);
  // `next_cursor` is the time of the last entry of a page, so this is the cursor of a page of one entry.
  expect((await entriesAt(`?cursor=${Date.parse(newest?.at ?? '')}`)).entries).toEqual(older);
});

/** One route of each function that reads keys: profiles, search and the aliases. */
const ROUTES = [
  '/ada_larsson?limit=3',
  '/api/v1/profiles/ada_larsson/followers?limit=3',
  '/search?q=tide&limit=3',
  '/api/browse?resource=search&q=tide&limit=3',
  '/api/browse?resource=following&handle=ada_larsson&limit=3',
];

const statusAndKey = ({ status, headers }: LocalResponse): string => `${status} ${headers['x-api-key-status']}`;

const statusesOf = async (
  { get }: Pick<Started, 'get'>,
  targets: readonly string[],
  options?: LocalRequestOptions,
): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const target of targets) all.push(statusAndKey(await get(target, options)));
  return all;
};

let service: Started;
beforeAll(async () => {
  service = await start();
});
afterAll(() => service.close());

describe('[keys 7] [keys 17] [keys 18] a change to a key', () => {
  test.each(ROUTES)('applies to the next request: %s', async (route) => {
    const { create, change, delete: remove } = operate(service);
    const key = await create();
    const status = async (): Promise<string> => statusAndKey(await service.get(route, { headers: key.headers }));
    expect(await status()).toBe('200 valid');
    await change(key, { state: 'disabled' });
    expect(await status()).toBe('401 invalid');
    await change(key, { state: 'enabled' });
    expect(await status()).toBe('200 valid');
    await remove(key);
    expect(await status()).toBe('401 invalid');
  });
});

describe('[caching 2] the shared cache', () => {
  test.each(ROUTES)('%s separates the answers to a key from the answers to other callers', async (route) => {
    const { create, change } = operate(service);
    const key = await create();
    await service.get(route);
    const first = await service.get(route);
    expect(statusAndKey(first)).toBe('200 anonymous');
    expect(first.cache).toBe('Hit');
    const keyed = await service.get(route, { headers: key.headers });
    expect(statusAndKey(keyed)).toBe('200 valid');
    expect(keyed.cache).toBe('Miss');
    expect(keyed.headers).not.toHaveProperty('age');
    expect(keyed.headers['cache-control']).toBe('private, no-store');
    expect(keyed.body).toBe(first.body);
    expect(keyed.headers.etag).toBe(first.headers.etag);
    for (let times = 0; times < 2; times += 1)
      expect((await service.get(route, { headers: key.headers })).cache).toBe('Miss');
    const after = await service.get(route);
    expect(after.cache).toBe('Hit');
    expect(after.headers).toMatchObject({ 'x-api-key-status': 'anonymous', 'cache-control': /^public/ });
    expect(after.headers).not.toHaveProperty('ratelimit');
    await change(key, { state: 'disabled' });
    const rejected = await service.get(route, { headers: key.headers });
    expect(statusAndKey(rejected)).toBe('401 invalid');
    expect(rejected.cache).toBe('Miss');
  });

  test('[caching 1] does not store the first answer to a key', async () => {
    const { headers } = await operate(service).create();
    const route = '/ada_larsson?limit=7';
    expect(statusAndKey(await service.get(route, { headers }))).toBe('200 valid');
    const plain = await service.get(route);
    expect(statusAndKey(plain)).toBe('200 anonymous');
    expect(plain.cache).toBe('Miss');
  });
});

describe('[allowances 3] [allowances 4] allowances', () => {
  test('are shared by all functions and separate for each key and for anonymous callers', async () => {
    const fresh = await started({ CACHE_TTL_SECONDS: '0' });
    const { headers } = await operate(fresh).create();
    const targets = [
      '/search?q=tide',
      '/api/v1/search?q=tide',
      '/api/browse?resource=search&q=tide',
      '/search?q=tide',
      '/api/browse?resource=search&q=gull',
      '/api/v1/search?q=gull',
    ];
    expect(await statusesOf(fresh, targets)).toEqual([
      ...Array(3).fill('200 anonymous'),
      ...Array(3).fill('429 anonymous'),
    ]);
    expect(await statusesOf(fresh, targets, { headers })).toEqual([...Array(5).fill('200 valid'), '429 valid']);
    expect(await statusesOf(fresh, ['/ada_larsson', '/ada_larsson/followers'])).toEqual([
      '200 anonymous',
      '200 anonymous',
    ]);
  });

  test('[keys 21] have the usage that the operator sees', async () => {
    const { create, used } = operate(service);
    const key = await create({ search: `4/${DAY}` });
    expect(await used(key)).toMatchObject({ search: { limit: 4, seconds: DAY, used: 0 } });
    await statusesOf(
      service,
      ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'].map((q) => `/search?q=${key.id}${q}`),
      key,
    );
    await statusesOf(service, [`/api/browse?resource=profile&handle=${key.id}`], key);
    await statusesOf(service, ['/search', '/search?q=x&feed=y'], key);
    expect(await used(key)).toMatchObject({
      search: { limit: 4, seconds: DAY, used: 4, resets_in: expect.any(Number) },
      last_24_hours: { search: 4, browse: 1 },
    });
  });
});

describe('[allowances 10] counting in memory', () => {
  const CALLERS = 150;

  test('admits exactly the limit to 150 requests at once over all functions, and no other service shares it', async () => {
    const [one, other] = [await started({ CACHE_TTL_SECONDS: '0' }), await started()];
    const key = await operate(one).create({ search: `70/${DAY}` });
    const routes = [(q: string) => `/search?q=${q}`, (q: string) => `/api/browse?resource=search&q=${q}`];
    const all = await Promise.all(
      Array.from({ length: CALLERS }, (_, index) => one.get(routes[index % 2]?.(`q${index}`) ?? '', key)),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(70);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(CALLERS - 70);
    expect(await operate(one).used(key)).toMatchObject({ search: { used: 70 }, last_24_hours: { search: 70 } });
    expect(await statusesOf(other, ['/search?q=a', '/search?q=b', '/search?q=c'])).toEqual(
      Array(3).fill('200 anonymous'),
    );
  });

  test('calls no store for a caller without a key, and stores the day of use of a key once', async () => {
    const dynamo = await startDynalite();
    onTestFinished(dynamo.close);
    const proxy = await startProxy(dynamo.endpoint);
    onTestFinished(proxy.close);
    const { keys, counters, admin } = dynamo.tables;
    const tables = { KEYS_TABLE: keys, COUNTERS_TABLE: counters, ADMIN_TABLE: admin };
    const fresh = await started({ DYNAMODB_ENDPOINT: proxy.endpoint, COUNTER_STORE: 'memory', ...tables });
    const key = await operate(fresh).create();
    proxy.operations.length = 0;
    expect(await statusesOf(fresh, ['/search?q=a', '/ada_larsson', '/api/v1/posts/20/replies'])).toEqual([
      '200 anonymous',
      '200 anonymous',
      '200 undefined',
    ]);
    expect(proxy.operations).toEqual([]);
    await statusesOf(fresh, [...ROUTES, ...ROUTES], key);
    await expect.poll(() => proxy.operations.filter((name) => name === 'UpdateItem')).toHaveLength(1);
    await expect
      .poll(async () => (await operate(fresh).shown(key))?.['last_used_on'])
      .toBe(new Date().toISOString().slice(0, 10));
    expect(await itemsOf(dynamo, 'counters')).toEqual([expect.not.objectContaining({ n: expect.anything() })]);
  });

  test('is the default only without another DynamoDB, and COUNTER_STORE has two values', async () => {
    expect(localEnvironment({})['COUNTER_STORE']).toBe('memory');
    expect(localEnvironment({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' })['COUNTER_STORE']).toBe('dynamodb');
    await expect(startLocalService(localOptions({ COUNTER_STORE: 'disk' }))).rejects.toThrow(
      'COUNTER_STORE must be dynamodb or memory',
    );
  });
});

/** The contents of all files in a folder. */
const contentsOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');

describe('keys of the local service', () => {
  test('[keys 12] stay valid after a restart, and DATA_DIR contains only their hashes', async () => {
    const DATA_DIR = temporaryFolder();
    const first = await start({ DATA_DIR });
    const { create, change } = operate(first);
    const [kept, disabled] = [await create({ search: `2/${DAY}` }), await create()];
    await change(disabled, { state: 'disabled' });
    expect(await statusesOf(first, ['/search?q=a'], kept)).toEqual(['200 valid']);
    await first.close();
    const contents = contentsOf(DATA_DIR);
    expect(contents).toContain(sha256Hex(kept.secret));
    for (const secret of [kept.secret, disabled.secret, ADMIN_TOKEN]) expect(contents).not.toContain(secret);

    const second = await started({ DATA_DIR });
    expect(second.notices).toEqual([]);
    expect(await statusesOf(second, ['/search?q=b'], kept)).toEqual(['200 valid']);
    expect(await statusesOf(second, ['/search?q=b'], disabled)).toEqual(['401 invalid']);
    expect(await operate(second).shown(kept)).toMatchObject({ label: 'a key of the tests', search: `2/${DAY}` });
    expect(await operate(second).used(kept)).toMatchObject({ search: { limit: 2, used: 1 } });
  });
});
