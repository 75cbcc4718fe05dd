// Tests keys and allowances on a DynamoDB that misbehaves: every request is answered, and every limit holds.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { slowDownTime } from '../../../infra/local/slow-time.ts';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { buildAllowances } from '../../../shared/contract/allowances.ts';
import { Problem } from '../../../shared/contract/problems.ts';
import type { AccessControl, KeyResult } from '../../../shared/ports/access-control.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { createDynamoDbApiKeyReader } from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { createDynamoDbCounterStore } from '../../../shared/stores/dynamodb-counter-store.ts';
import { createTestAccessControl, keyRecord, newApiKey } from '../../support/access-control.ts';
import { createTestClient, itemsOf, putKey, startDynalite, type TestDynamoDb } from '../../support/dynamodb.ts';
import { testClock } from '../../support/limiter.ts';
import { seededRandom } from '../../support/random.ts';
import {
  dropResponse,
  type Fault,
  garbage,
  neverAnswers,
  pass,
  refusal,
  reset,
  type StoreProxy,
  serverError,
  slow,
  sometimes,
  startProxy,
  throttle,
} from '../../support/store-proxy.ts';

const ADA = '198.51.100.7';
const ANONYMOUS = 20;
const KEYED = 40;
/** Long enough for any test. */
const SECONDS = 86_400;

const allowances = buildAllowances({
  searchAnonymous: { count: ANONYMOUS, seconds: SECONDS },
  searchKeyed: { count: KEYED, seconds: SECONDS },
  browse: { count: ANONYMOUS, seconds: SECONDS },
});

let dynamo: TestDynamoDb;
beforeAll(async () => {
  dynamo = await startDynalite();
});
afterAll(() => dynamo.close());

let proxy: StoreProxy;
let closeClient: () => void;
let clock: ReturnType<typeof testClock>;
let lines: LogFields[];
let access: AccessControl;
let addresses = 0;
let key: string;
let endSlowTime: () => void;

beforeEach(async () => {
  endSlowTime = slowDownTime();
  proxy = await startProxy(dynamo.endpoint);
  const client = createTestClient(proxy.endpoint);
  closeClient = () => client.destroy();
  clock = testClock();
  lines = [];
  addresses += 1;
  key = newApiKey();
  await putKey(dynamo, sha256Hex(key), keyRecord({ id: `k${addresses}` }));
  access = createTestAccessControl({
    keys: createDynamoDbApiKeyReader(client, dynamo.tables.keys),
    counters: createDynamoDbCounterStore(client, dynamo.tables.counters),
    allowances,
    ...clock,
    log: (fields) => void lines.push(fields),
    networkSecret: `of the test ${addresses}`,
  });
});
afterEach(async () => {
  endSlowTime();
  closeClient();
  await proxy.close();
});

interface Visited {
  readonly status: KeyResult;
  readonly outcome: string;
  readonly limit: string | undefined;
}

const visit = async (presented?: string, hasFailed = false): Promise<Visited> => {
  const caller = access.identify({
    authorization: presented === undefined ? undefined : `Bearer ${presented}`,
    ip: ADA,
  });
  const thrown: unknown = await caller.chargeAllowance('search', 'tide').catch((error: unknown) => error);
  if (thrown !== undefined && !(thrown instanceof Problem)) throw thrown;
  const { limit } = caller.allowanceState('search');
  await caller.settle(hasFailed ? 'failed' : 'answered');
  return { status: await caller.status, outcome: thrown?.code ?? 'served', limit };
};

/** A call to the store may exceed its 150 ms on a busy machine; the breakers then let another one pass after 2 s. */
const visitUntilValid = async (): Promise<Visited> => {
  let last: Visited | undefined;
  await expect
    .poll(async () => {
      clock.wait(2000);
      last = await visit(key);
      return [last.status, last.limit !== undefined];
    })
    .toEqual(['valid', true]);
  return last ?? expect.unreachable();
};

/** The units that the store has counted for the partitions of this test. */
const storeCounts = async (): Promise<readonly number[]> => {
  const partitions = new Set(proxy.bodies.map((body) => JSON.parse(body).Key.pk.S));
  const items = await itemsOf(dynamo, 'counters');
  return items.filter(({ pk }) => partitions.has(pk?.S)).map(({ n }) => Number(n?.N));
};

const expectNoSecrets = (): void => {
  const said = JSON.stringify(lines);
  for (const secret of ['LEAKY', 'pstn_', key.slice(5, -6), sha256Hex(key), ADA]) expect(said).not.toContain(secret);
};

const kinds: readonly (readonly [name: string, fault: Fault, level: string, kind: unknown])[] = [
  ['throttles', throttle, 'warn', 'ProvisionedThroughputExceededException'],
  ['fails', serverError, 'warn', 'InternalServerError'],
  ['cuts the connection', reset, 'warn', 'ECONNRESET'],
  ['loses its answers', dropResponse, 'warn', expect.any(String)],
  ['returns malformed answers', garbage, 'warn', expect.any(String)],
  ['denies access', refusal('AccessDeniedException'), 'error', 'AccessDeniedException'],
  ['has no such table', refusal('ResourceNotFoundException'), 'error', 'ResourceNotFoundException'],
];

test.each(kinds)(
  '[keys 6] [limiter 6] a store that %s is called three times for each guard, then used again when it answers',
  async (_, fault, level, kind) => {
    proxy.behave(fault);
    for (let call = 0; call < 10; call += 1) await visit(key);
    const operations = [...proxy.operations].sort();
    expect(operations).toEqual([...Array(3).fill('GetItem'), ...Array(3).fill('UpdateItem')]);
    // The log names the kind of the failure and nothing else.
    const event = level === 'error' ? 'store_misused' : 'store_failed';
    expect(lines).toEqual([...lines.map(({ store }) => ({ level, event, store, kind }))]);
    expect(new Set(lines.map(({ store }) => store))).toEqual(new Set(['keys', 'counters']));
    expectNoSecrets();
    proxy.behave(pass);
    expect(await visit(key)).toMatchObject({ status: 'unverified' });
    expect(proxy.operations).toHaveLength(6);
    expect(await visitUntilValid()).toMatchObject({ outcome: 'served', limit: expect.stringContaining('"search";r=') });
  },
);

test('[limiter 6] a store that returns half of an answer has not counted: missing values are not assumed', async () => {
  proxy.behave(({ response }) => void response.writeHead(200).end('{}'));
  expect(await visit()).toEqual({ status: 'anonymous', outcome: 'served', limit: undefined });
  expect(lines).toEqual([{ level: 'warn', event: 'store_failed', store: 'counters', kind: 'TypeError' }]);
});

test('[keys 6] [limiter 6] a store that is down rejects connections, and is used again when it accepts them', async () => {
  await visit(key);
  await proxy.goDown();
  expect(await visit(key)).toMatchObject({ status: 'unverified', outcome: 'served' });
  for (let call = 0; call < 5; call += 1) await visit(key);
  expect(lines.length).toBeGreaterThanOrEqual(6);
  expect(lines.every(({ event }) => event === 'store_failed')).toBe(true);
  expectNoSecrets();
  await proxy.comeBack();
  expect(await visitUntilValid()).toMatchObject({ outcome: 'served' });
});

describe('[keys 6] [limiter 6] a store that never answers', () => {
  test('delays at most three calls for each guard, and then none', async () => {
    proxy.behave(neverAnswers);
    endSlowTime();
    // Two attempts for the key and one for the charge, at the same time for all three callers.
    const first = await Promise.all([visit(key), visit(newApiKey()), visit()]);
    expect(first.map(({ outcome }) => outcome)).toEqual(['served', 'served', 'served']);
    const { length } = proxy.operations;
    for (let call = 0; call < 10; call += 1) await visit(key);
    expect(proxy.operations.length - length).toBeLessThanOrEqual(3);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['TimeoutError']));
    expectNoSecrets();
  });

  test('a store that is slow but in time has no failures', async () => {
    proxy.behave(slow(5));
    expect(await visit(key)).toMatchObject({ status: 'valid', limit: expect.stringContaining(`r=${KEYED - 1}`) });
    expect(lines).toEqual([]);
  });
});

describe('[limiter 6] a faulty store never counts more than the limit', () => {
  const faulty: readonly (readonly [name: string, fault: (random: () => number) => Fault])[] = [
    ['loses 30 of 100 answers', (random) => sometimes(0.3, dropResponse, random)],
    ['throttles 30 of 100 calls', (random) => sometimes(0.3, throttle, random)],
    [
      'does that, resets connections and returns malformed answers',
      (random) => (passing) => {
        const faults = [dropResponse, throttle, serverError, reset, garbage];
        return (faults[Math.floor(random() * 12)] ?? pass)(passing);
      },
    ],
  ];

  test.each(faulty)('while it %s', async (_, fault) => {
    const random = seededRandom();
    proxy.behave(fault(random));
    let admitted = 0;
    let certain = 0;
    for (let call = 0; call < 120; call += 1) {
      const { outcome, limit } = await visit();
      clock.wait(700); // outages end
      if (outcome !== 'served') continue;
      admitted += 1;
      if (limit !== undefined) certain += 1;
    }
    proxy.behave(pass);
    expect(certain).toBeLessThanOrEqual(ANONYMOUS);
    expect(admitted).toBeLessThanOrEqual(2 * ANONYMOUS);
    expect(admitted).toBeGreaterThanOrEqual(ANONYMOUS / 2);
    const counts = await storeCounts();
    expect(counts).toHaveLength(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(ANONYMOUS);
  });

  test('while it loses answers and units are refunded', async () => {
    const random = seededRandom();
    proxy.behave(sometimes(0.3, dropResponse, random));
    let kept = 0;
    for (let call = 0; call < 120; call += 1) {
      const hasFailed = random() < 0.3;
      if ((await visit(undefined, hasFailed)).outcome === 'served' && !hasFailed) kept += 1;
      clock.wait(700);
    }
    expect(kept).toBeLessThanOrEqual(2 * ANONYMOUS);
    expect(Math.max(...(await storeCounts()))).toBeLessThanOrEqual(ANONYMOUS);
  });
});

test('[limiter 2] [keys 12] [keys 16] no store call of a decision sends a key or an address, and only the key table gets the hash of a key', async () => {
  await visit(key);
  await visit(newApiKey());
  await visit();
  const counting = proxy.bodies.filter((body) => body.includes(dynamo.tables.counters)).join();
  const all = proxy.bodies.join();
  expect(counting).not.toContain(sha256Hex(key));
  expect(all).toContain(sha256Hex(key));
  for (const secret of ['pstn_', key.slice(5, -6), ADA]) expect(all).not.toContain(secret);
  const kept = JSON.stringify([await itemsOf(dynamo, 'counters'), await itemsOf(dynamo, 'keys')]);
  for (const secret of ['pstn_', key.slice(5, -6), ADA]) expect(kept).not.toContain(secret);
});
