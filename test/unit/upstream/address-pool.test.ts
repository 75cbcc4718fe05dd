// Compares with a golden file which addresses of a pool a call asks, what the caller gets, and what each address is held
// responsible for. `npm run update -- golden` writes the file again; review its diff.
import { describe, expect, test } from 'vitest';
import { type AddressNotes, createAddressNotes, type Verdict } from '../../../shared/upstream/address-notes.ts';
import { type AddressPoolOptions, createAddressPool } from '../../../shared/upstream/address-pool.ts';
import type { AttemptResult, FetchResult } from '../../../shared/upstream/http-request.ts';
import { type AddressClient, type CallBudget, STARVED } from '../../../shared/upstream/json-client.ts';

const response = (status: number): FetchResult => ({ kind: 'response', status, json: {}, isHtml: false });

const RESULTS = {
  usable: { fetched: response(200), health: 'success', mayRetry: false },
  doubtful: { fetched: response(404), health: 'success', mayRetry: false },
  unusable: { fetched: response(299), health: 'success', mayRetry: false },
  'too large': {
    fetched: { kind: 'failed', why: 'body too large', isTooLarge: true },
    health: 'success',
    mayRetry: false,
  },
  'no connection': { fetched: { kind: 'down', why: 'ECONNREFUSED' }, health: 'failure', mayRetry: true },
  'status 429': { fetched: { kind: 'down', why: 'status 429' }, health: 'throttled', mayRetry: false, status: 429 },
  'status 503': { fetched: { kind: 'down', why: 'status 503' }, health: 'suspect', mayRetry: true, status: 503 },
  '400 for all': { fetched: { kind: 'down', why: 'status 400' }, health: 'failure', mayRetry: false, status: 400 },
} as const satisfies Readonly<Record<string, AttemptResult>>;

type Result = keyof typeof RESULTS | 'starved' | 'rejected';

const judge = (fetched: FetchResult): Verdict => {
  if (fetched.kind !== 'response' || fetched.status === 299) return 'unusable';
  return fetched.status === 404 ? 'doubtful' : 'usable';
};

interface TestAddress {
  readonly result: Result;
  /** @default 1 */
  readonly weight?: number;
  readonly isFull?: boolean;
  readonly failures?: number;
  readonly isClosed?: boolean;
  readonly hasNoRate?: boolean;
}

const baseUrlOf = (index: number): string => `https://fx${index}.example`;

const createPool = (addresses: readonly TestAddress[], options: Partial<AddressPoolOptions> = {}) => {
  const log: string[] = [];
  const clientOf = ({ result, isFull, failures = 0, isClosed }: TestAddress, index: number): AddressClient => ({
    get: async () => RESULTS.usable.fetched,
    send: async (url) => {
      log.push(url.replace('https://', ''));
      if (result === 'rejected') return { why: 'breaker open' };
      if (result === 'starved') return { why: STARVED.why };
      const report = (name: string) => () => void log.push(`${name} ${index}`);
      return {
        attempt: RESULTS[result],
        settle(onThrottled) {
          if (RESULTS[result].health === 'throttled') onThrottled?.(undefined);
          report('settle')();
        },
        blame: report('blame'),
        supersede: report('supersede'),
      };
    },
    mayAsk: () => isClosed !== true,
    hasRoom: () => isFull !== true,
    failures: () => failures,
  });
  const pool = createAddressPool({
    addresses: addresses.map((address, index) => ({
      baseUrl: baseUrlOf(index),
      weight: address.weight ?? 1,
      ...(address.hasNoRate === true && { rate: { hasRoom: () => false, spend: () => {} } }),
      client: clientOf(address, index),
    })),
    baseUrl: 'https://fx0.example',
    kindOf: (url) => url.replace(/.*\//, ''),
    onCircuitChange: (address, { state, why }) => void log.push(`${state} ${address} ${why ?? ''}`),
    clock: () => 0,
    random: () => 0,
    ...options,
  });
  return {
    log,
    pool,
    /** @returns what a call did and what it gave */
    async call(
      budget: CallBudget = { deadline: 8000, retries: 0 },
      url = 'https://fx0.example/posts',
    ): Promise<string> {
      const fetched = await pool.get(url, budget, judge);
      const given = fetched.kind === 'response' ? `status ${fetched.status}` : `${fetched.kind}, ${fetched.why}`;
      return `${log.splice(0).join('; ')} -> ${given}${fetched === STARVED ? ', starved' : ''}`;
    },
  };
};

const shownNotes = ({ failed, doubtful, onConfirmed }: AddressNotes): string =>
  JSON.stringify({ failed: [...failed], doubtful, confirmations: onConfirmed.length }).replaceAll('https://', '');

const NAMES: readonly Result[] = [
  'usable',
  'doubtful',
  'unusable',
  'too large',
  'no connection',
  'status 429',
  'status 503',
  '400 for all',
  'rejected',
];

test('a call asks the addresses by what the former ones answered', async () => {
  const lines: string[] = [];
  for (const first of NAMES) {
    for (const second of NAMES) {
      for (const third of ['usable', 'doubtful', 'unusable'] as const) {
        const results = [first, second, third];
        const budget: CallBudget = { deadline: 8000, retries: 0 };
        const pool = createPool(results.map((result) => ({ result })));
        const line = await pool.call(budget);
        lines.push(`${results.join(', ')}: ${line} ${shownNotes(budget.addresses ?? createAddressNotes())}`);
      }
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../golden/upstream/address-pool.txt');
});

const firstAsked = async (
  addresses: readonly Omit<TestAddress, 'result'>[],
  options: Partial<AddressPoolOptions> = {},
  notes?: AddressNotes,
): Promise<string> => {
  const pool = createPool(
    addresses.map((address) => ({ result: 'usable', ...address })),
    options,
  );
  const line = await pool.call({ deadline: 8000, retries: 0, ...(notes && { addresses: notes }) });
  return line.replace(/;.*| ->.*/, '').replace('.example/posts', '');
};

describe('the choice of an address', () => {
  test.each<readonly [string, readonly Omit<TestAddress, 'result'>[], string]>([
    ['the first of equal ones, if the random number is 0', [{}, {}], 'fx0'],
    ['one whose breaker is closed', [{ isClosed: true }, {}], 'fx1'],
    ['one with a free slot', [{ isFull: true }, {}], 'fx1'],
    ['one without a slot, if no other is left', [{ isFull: true }, { isClosed: true }], 'fx0'],
    ['one below its rate', [{ hasNoRate: true }, {}], 'fx1'],
    ['one that failed before, on the first call', [{ failures: 1 }, {}], 'fx0'],
    ['none', [{ isClosed: true }, { hasNoRate: true }], ''],
  ])('is %s', async (_, addresses, asked) => {
    expect(await firstAsked(addresses)).toBe(asked);
  });

  test.each([
    [0, 'fx0'],
    [0.24, 'fx0'],
    [0.25, 'fx1'],
    [0.99, 'fx1'],
  ])('is random by weight: %d gives %s', async (number, asked) => {
    expect(await firstAsked([{ weight: 1 }, { weight: 3 }], { random: () => number })).toBe(asked);
  });

  test('prefers one that did not fail in this request, then one without a doubtful answer', async () => {
    const notes = createAddressNotes();
    notes.failed.add(baseUrlOf(0));
    expect(await firstAsked([{}, {}], {}, notes)).toBe('fx1');
    notes.doubtful = [baseUrlOf(1)];
    expect(await firstAsked([{}, {}, {}], {}, notes)).toBe('fx2');
    notes.doubtful = [baseUrlOf(1)];
    expect(await firstAsked([{}, {}], {}, notes)).toBe('fx0');
    notes.doubtful = [baseUrlOf(1)];
    expect(await firstAsked([{}, {}, { failures: 1 }, {}], {}, notes)).toBe('fx3');
  });

  test('is the address of the notes, such as that of a canary', async () => {
    expect(await firstAsked([{}, {}], {}, createAddressNotes(baseUrlOf(1)))).toBe('fx1');
    expect(await firstAsked([{}, { isClosed: true }], {}, createAddressNotes(baseUrlOf(1)))).toBe('');
    const { only } = createAddressNotes();
    expect(only).toBeUndefined();
  });
});

test('a call that no address may get is down, without a call', async () => {
  expect(await createPool([{ result: 'usable', isClosed: true }]).call()).toBe(' -> down, no address may be asked');
});

test('a doubtful answer about a canary blames the address', async () => {
  const pool = createPool([{ result: 'doubtful' }, { result: 'usable' }]);
  const budget = { deadline: 8000, retries: 0, addresses: createAddressNotes(baseUrlOf(0)) };
  expect(await pool.call(budget)).toBe('fx0.example/posts; blame 0 -> status 404');
});

test.each<readonly [string, readonly Result[], string]>([
  ['the first', ['starved', 'usable'], 'fx0.example/posts -> down, too many in flight, starved'],
  ['the second', ['status 503', 'starved'], 'fx0.example/posts; fx1.example/posts; settle 0 -> down, status 503'],
])('a call for which the caller has no slot at %s address ends', async (_, results, line) => {
  expect(await createPool(results.map((result) => ({ result }))).call()).toBe(line);
});

test('a bug of the mapper is an unusable answer', async () => {
  const { pool, log } = createPool([{ result: 'usable' }, { result: 'usable' }]);
  const bug = (): never => {
    throw new TypeError('mapper bug');
  };
  expect(await pool.get('https://fx0.example/posts', { deadline: 8000, retries: 0 }, bug)).toEqual(response(200));
  expect(log).toEqual(['fx0.example/posts', 'fx1.example/posts', 'settle 0', 'settle 1']);
});

describe('failovers', () => {
  const failing: readonly TestAddress[] = [{ result: 'status 503' }, { result: 'usable' }];

  test('20 are saved for each kind of query, 2 for a caller, and each usable answer saves one', async () => {
    const count = async (caller: string | undefined, kind: string, calls: number, pool = createPool(failing)) => {
      let failovers = 0;
      for (let index = 0; index < calls; index += 1) {
        const line = await pool.call({ deadline: 8000, retries: 0, caller }, `https://fx0.example/${kind}`);
        if (line.includes('fx1')) failovers += 1;
      }
      return failovers;
    };
    const down = createPool([{ result: 'status 503' }, { result: 'status 503' }]);
    expect(await count(undefined, 'posts', 30, down)).toBe(20);
    expect(await count(undefined, 'lists', 30, down)).toBe(20);
    expect(await count('caller', 'searches', 30, down)).toBe(2);
    expect(await count('another caller', 'searches', 30, down)).toBe(2);
    expect(await count('caller', 'posts', 30)).toBe(30);
  });

  test('three refused connections close an address for a time', async () => {
    const refusing = createPool([{ result: 'no connection' }, { result: 'usable' }]);
    const lines: string[] = [];
    for (let index = 0; index < 4; index += 1) lines.push(await refusing.call());
    expect(lines.map((line) => line.includes('fx0'))).toEqual([true, true, true, false]);
    expect(lines[2]).toContain('open https://fx0.example');
  });
});
