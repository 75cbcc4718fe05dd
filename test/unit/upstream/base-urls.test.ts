// Tests which of several base URLs a call tries, what the caller gets, and what each base URL is held responsible for.
import { describe, expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import { createBaseUrls, getInterpreted } from '../../../shared/upstream/base-urls.ts';
import type { AttemptResult, FetchResult } from '../../../shared/upstream/http-request.ts';
import { type BaseUrlClient, type CallBudget, STARVED } from '../../../shared/upstream/json-client.ts';

const response = (status: number): FetchResult => ({ kind: 'response', status, json: {}, isHtml: false });

const RESULTS = {
  'status 200': { fetched: response(200), health: 'success', mayRetry: false },
  'status 404': { fetched: response(404), health: 'success', mayRetry: false },
  'too large': {
    fetched: { kind: 'failed', why: 'body too large', isTooLarge: true },
    health: 'success',
    mayRetry: false,
  },
  refused: { fetched: { kind: 'down', why: 'ECONNREFUSED' }, health: 'failure', mayRetry: true },
  'status 429': { fetched: { kind: 'down', why: 'status 429' }, health: 'throttled', mayRetry: false, status: 429 },
  'status 503': { fetched: { kind: 'down', why: 'status 503' }, health: 'suspect', mayRetry: true, status: 503 },
  'no HTTP': { fetched: { kind: 'failed', why: 'no HTTP' }, health: 'suspect', mayRetry: false },
} as const satisfies Readonly<Record<string, AttemptResult>>;

interface TestBaseUrl {
  readonly result?: keyof typeof RESULTS | 'starved' | 'rejected';
  /** @default 1 */
  readonly weight?: number;
  /** @default closed */
  readonly breaker?: 'open' | 'half-open';
}

const baseUrlOf = (index: number): string => `https://fx${index}.example`;

/** A response below 300 is conclusive. */
const interpret = (fetched: FetchResult) => {
  if (fetched.kind !== 'response') return fetched;
  return fetched.status === 404 ? ({ kind: 'ambiguous' } as const) : ({ kind: 'found' } as const);
};

const QUERY = { kind: 'post', url: `${baseUrlOf(0)}/post` };

const create = (rows: readonly TestBaseUrl[], random: () => number = () => 0) => {
  const log: string[] = [];
  const clientOf = ({ result = 'status 200', breaker }: TestBaseUrl, index: number): BaseUrlClient => ({
    get: async () => response(200),
    mayCall: (_url, _budget, isProbe) => breaker === undefined || (breaker === 'half-open' && isProbe),
    send: async ({ url }, budget) => {
      log.push(`${url.replace(/https:..fx(.).example.post/, '$1')}${budget.isLast ? ' as the last' : ''}`);
      if (result === 'rejected') return { why: 'breaker open' };
      if (result === 'starved') {
        budget.calls.isStarved = true;
        return { why: STARVED.why };
      }
      const report = (name: string) => () => void log.push(`${name} ${index}`);
      return {
        attempt: RESULTS[result],
        isFailedCall: false,
        settle: report('settle'),
        blame: report('blame'),
        supersede: report(''),
      };
    },
    mayRepeat: async () => false,
  });
  const baseUrls = rows.map((row, index) => ({
    baseUrl: baseUrlOf(index),
    weight: row.weight ?? 1,
    client: clientOf(row, index),
  }));
  const http = createBaseUrls(baseUrls, random);
  return {
    log,
    http,
    /** @returns what a call did and what it gave */
    async call(budget: CallBudget = { deadline: monotonic(8000), calls: { retries: 0 } }): Promise<string> {
      const fetched = await getInterpreted(http, QUERY, budget, (given) => ({
        ...interpret(given),
        fetched: given,
      }));
      const given = fetched.fetched;
      const text = given.kind === 'response' ? `status ${given.status}` : `${given.kind}, ${given.why}`;
      return `${log.splice(0).join('; ')} -> ${text}${given === STARVED ? ', starved' : ''}`;
    },
  };
};

describe('a call', () => {
  test.each<readonly [readonly Required<TestBaseUrl>['result'][], string]>([
    [['status 200', 'status 200'], '0; settle 0 -> status 200'],
    [['too large', 'status 200'], '0; settle 0 -> failed, body too large'],
    [['status 404', 'status 200'], '0; 1; blame 0; settle 1 -> status 200'],
    [['status 503', 'status 200'], '0; 1; blame 0; settle 1 -> status 200'],
    [['refused', 'status 200'], '0; settle 0; 1; settle 1 -> status 200'],
    [['status 429', 'status 404', 'status 200'], '0; settle 0; 1; 2; blame 1; settle 2 -> status 200'],
    [['status 404', 'status 404', 'status 200'], '0; 1; settle 0; settle 1 -> status 404'],
    [['status 503', 'status 404', 'status 503'], '0; 1; 2; settle 0; settle 1; settle 2 -> status 404'],
    [['no HTTP', 'status 503'], '0; 1; settle 0; settle 1 -> down, status 503'],
    [['no HTTP', 'no HTTP'], '0; 1; settle 0; settle 1 -> failed, no HTTP'],
    [['refused', 'refused', 'refused', 'status 200'], '0; settle 0; 1; settle 1; 2; settle 2 -> down, ECONNREFUSED'],
    [['rejected', 'status 200'], '0; 1; settle 1 -> status 200'],
    [['rejected', 'rejected'], '0; 1 -> down, no base URL may be called'],
    [['starved', 'status 200'], '0 -> down, too many in flight, starved'],
    [['status 503', 'starved'], '0; 1; settle 0 -> down, status 503'],
  ])('to %j', async (results, line) => {
    expect(await create(results.map((result) => ({ result }))).call()).toBe(line);
  });

  test.each<readonly [string, readonly TestBaseUrl[], string]>([
    ['passes an open breaker by', [{ breaker: 'open' }, {}], '1; settle 1 -> status 200'],
    ['probes a half-open breaker first', [{ breaker: 'half-open' }, {}], '0; settle 0 -> status 200'],
    ['probes no second one', [{ result: 'refused' }, { breaker: 'half-open' }], '0; settle 0 -> down, ECONNREFUSED'],
    ['is not sent if none is left', [{ breaker: 'open' }], ' -> down, no base URL may be called'],
  ])('%s', async (_, rows, line) => {
    expect(await create(rows).call()).toBe(line);
  });

  test('has the time of a last attempt at the last base URL only', async () => {
    const budget: CallBudget = { deadline: monotonic(8000), calls: { retries: 0 }, isLast: true };
    const four = create(Array(4).fill({ result: 'refused' }));
    expect(await four.call(budget)).toContain('0; settle 0; 1; settle 1; 2 as the last');
    expect(await create([{}]).call({ ...budget })).toContain('0 as the last');
    expect(await create([{}]).call()).not.toContain('last');
  });

  test('goes to the base URL that answered the request before, and a canary to its own only', async () => {
    const budget: CallBudget = { deadline: monotonic(8000), calls: { retries: 0 } };
    const two = create([{ result: 'refused' }, {}]);
    expect(await two.call(budget)).toBe('0; settle 0; 1; settle 1 -> status 200');
    expect(budget.calls.answeredBy).toBe(baseUrlOf(1));
    expect(await two.call(budget)).toBe('1; settle 1 -> status 200');
    expect(await two.call({ deadline: monotonic(8000), calls: { retries: 0 }, onlyBaseUrl: baseUrlOf(0) })).toBe(
      '0; settle 0 -> down, ECONNREFUSED',
    );
  });
});

test.each([
  [0, '0'],
  [0.24, '0'],
  [0.25, '1'],
  [0.99, '1'],
])('the choice is random by weight: %d gives %s', async (number, first) => {
  expect(await create([{ weight: 1 }, { weight: 3 }], () => number).call()).toMatch(new RegExp(`^${first};`));
});

test('of concurrent calls each base URL gets as many as its weight', async () => {
  const { http, log } = create([{ weight: 1 }, { weight: 3 }]);
  const calls = Array.from({ length: 8 }, () => http.get(QUERY, { deadline: monotonic(8000), calls: { retries: 0 } }));
  expect(log.toSorted()).toEqual(['0', '0', '1', '1', '1', '1', '1', '1']);
  await Promise.all(calls);
});

test('a bug of the mapper is inconclusive, and is thrown if no base URL does better', async () => {
  const { http, log } = create([{}, {}, {}]);
  const bug = (): never => {
    throw new TypeError('mapper bug');
  };
  const call = getInterpreted(http, QUERY, { deadline: monotonic(8000), calls: { retries: 0 } }, bug);
  await expect(call).rejects.toThrow('mapper bug');
  expect(log).toEqual(['0', '1', 'settle 0', 'settle 1']);
});
