// Tests that the documented costs of the official API are those of its requests.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ReadCost, X_API_PRICES, xApiCosts } from '../../../shared/contract/providers.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { FetchResult, RequestLimits } from '../../../shared/upstream/http-request.ts';
import type { CallBudget } from '../../../shared/upstream/json-client.ts';
import type { Provider } from '../../../shared/upstream/provider.ts';
import { meterRows } from '../../../shared/upstream/x-api/client.ts';
import { createXApi } from '../../../shared/upstream/x-api/provider.ts';
import { readingAt } from '../../support/clocks.ts';
import { json, type ListRequest, providerCalling, readList } from '../../support/provider-calls.ts';

const NOW = Date.parse('2026-08-25T00:00:00Z');
const ID = '2028036267832246272';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/x_api/${name}.json`, import.meta.url), 'utf8'));

const answerTo = ({ pathname }: URL): unknown => {
  if (pathname.startsWith('/2/users/by/')) return fixture('user');
  return pathname === `/2/tweets/${ID}` ? fixture('post') : { meta: { result_count: 0, next_token: 'T' } };
};

type Page = { readonly size: number; readonly cursor?: string };
type Read = (provider: Provider, page: Page, budget: CallBudget) => Promise<unknown> | undefined;

const single =
  (...ids: readonly string[]): Read =>
  ({ readPost }, _, budget) =>
    Promise.all(ids.map((id) => readPost?.({ id, thread: 'off', replies: 'off' }, { ...budget })));

const listed =
  (request: ListRequest): Read =>
  (provider, page, budget) =>
    readList(provider, request, page, budget);

const HANDLE = 'ada_larsson';

const reads: Readonly<Record<keyof typeof xApiCosts, Read>> = {
  post: single(ID),
  posts: single(ID, '20', '21'),
  profile: ({ readProfile }, _, budget) => readProfile?.(HANDLE, budget),
  timeline: listed({ list: 'posts', kind: 'replies', handle: HANDLE }),
  selectedTimeline: listed({ list: 'posts', kind: 'articles', handle: HANDLE }),
  follows: listed({ list: 'followers', handle: HANDLE }),
  search: listed({ list: 'search', query: 'tide', feed: 'latest' }),
  replies: listed({ list: 'replies', id: ID, order: 'top' }),
  xList: listed({ list: 'list of X', listId: ID }),
  quotes: listed({ list: 'quotes', id: ID }),
  reposts: listed({ list: 'reposts', id: ID }),
};

/** @returns the requests of one read */
const requestsFor = async (read: Read, page: Page): Promise<readonly URL[]> => {
  const requests: URL[] = [];
  const answer = (url: URL): FetchResult => {
    requests.push(url);
    return json(answerTo(url));
  };
  const provider = providerCalling(createXApi, answer, NOW);
  await read(provider, page, { deadline: readingAt(NOW + 8000), calls: { retries: 0, caller: 'ada' } });
  return requests;
};

const costs: readonly (readonly [string, ReadCost, Read])[] = Object.entries<ReadCost>(xApiCosts).map(
  ([name, cost]) => {
    const read = Object.entries(reads).find(([other]) => other === name)?.[1];
    if (read === undefined) throw new Error(`no read ${name}`);
    return [cost.read, cost, read];
  },
);

test.each(costs)(
  '%s: the pages have as many requests and rows as documented',
  async (_, { requests, laterRequests, row, rows: [least, most] }, read) => {
    expect(await requestsFor(read, { size: 20 })).toHaveLength(requests);
    const later = await requestsFor(read, { size: 20, cursor: read === reads.replies ? `${ID}:ada_larsson:T` : '7:T' });
    expect(later).toHaveLength(laterRequests ?? requests);
    const rowsFor = async (size: number) => (await requestsFor(read, { size })).at(-1)?.searchParams.get('max_results');
    expect([await rowsFor(1), await rowsFor(5000)]).toEqual(
      laterRequests === undefined ? [null, null] : [String(least), String(most)],
    );
    expect(X_API_PRICES[row]).toBeGreaterThan(0);
  },
);

test('the documentation of the local service states the prices', () => {
  const text = readFileSync(new URL('../../../docs/local-service.md', import.meta.url), 'utf8');
  expect(text).toContain(`$${X_API_PRICES.post} for a post and $${X_API_PRICES.user} for an account`);
});

// A reservation has a connection to set up, so it can take more than a second.
test.each([
  [0, { milliseconds: 4500, isReduced: false }],
  [400, { milliseconds: 4100, isReduced: false }],
  [1100, { milliseconds: 3400, isReduced: true }],
  [4450, undefined],
])('a reservation of %i ms leaves the call %j, and no call without time is sent', async (took, expected) => {
  let now = 0;
  const settled: number[] = [];
  const sent: RequestLimits[] = [];
  const rows = {
    isSpent: () => false,
    reserve: async () => {
      now += took;
      return { settle: async (billed: number) => void settled.push(billed) };
    },
  };
  const send = meterRows(rows, () => monotonic(now))(async (_, limits) => {
    sent.push(limits);
    return { fetched: { kind: 'down', why: 'time-out' }, health: 'suspect', mayRetry: false };
  });
  const { health } = await send('https://api.x.com/2/tweets/20', { milliseconds: 4500, isReduced: false });
  expect([sent, settled]).toEqual(expected === undefined ? [[], [0]] : [[expected], []]);
  expect(health).toBe(expected === undefined ? 'inconclusive' : 'suspect');
});
