// Tests the mapping of FxTwitter responses about profiles, lists and searches. Every response gives a valid result or a
// failed outcome, and an outage never becomes "not found".
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Post } from '../../../shared/model/post.ts';
import { User } from '../../../shared/model/user.ts';
import type { Outcome } from '../../../shared/ports/upstream.ts';
import type { FetchResult } from '../../../shared/upstream/http-request.ts';
import { readingAt } from '../../support/clocks.ts';
import { json } from '../../support/provider-calls.ts';
import { clientAnswering, listExchanges, readExchange } from '../../support/recorded-lists.ts';
import { type Exchange, RECORDED_AT } from '../../support/recorded-posts.ts';

const BUDGET = { deadline: readingAt(RECORDED_AT + 8000), calls: { retries: 0 } };
const exchangeOf = (file: string): Exchange => {
  const found = listExchanges.find((exchange) => exchange.file === `fxtwitter/${file}`);
  if (found === undefined) throw new Error(`no fixture ${file}`);
  return found;
};
const read = (file: string) => readExchange(exchangeOf(file));

const Anything = z.union([
  User,
  z.object({ items: z.array(z.union([Post, User])), next: z.string().min(1).optional() }),
]);
/** By the first pattern of their names, the recorded responses that are not found. */
const OUTCOMES: readonly (readonly [RegExp, Outcome<unknown>['kind']])[] = [
  [/gone_gary/, 'gone'],
  [/deleted_dan|profile\/missing|at_sign|(?:suspended|missing)_user/, 'ambiguous'],
  [/timeline_fails|disagrees|http_500|generated_404|backend_.+_search/, 'down'],
  [/backend_/, 'ambiguous'],
  [/search_512_ok|cursor_garbage/, 'found'],
  [/errors\/search_/, 'refused'],
  [/errors\//, 'failed'],
];

test.each(listExchanges.map((exchange) => [exchange.file.replace('fxtwitter/', ''), exchange] as const))(
  '[provider-faults 10] the recorded response %s gives its outcome, which is valid',
  async (file, exchange) => {
    const outcome = await readExchange(exchange);
    expect(outcome.kind).toBe(OUTCOMES.find(([pattern]) => pattern.test(file))?.[1] ?? 'found');
    if (outcome.kind === 'found') expect(Anything.safeParse(outcome.value).error?.issues).toBeUndefined();
  },
);

test.each<readonly [string, FetchResult, Outcome<unknown>['kind']]>([
  ['another profile', json({ code: 200, user: { screen_name: 'eve', name: 'Eve' } }), 'failed'],
  ['no profile', json({ code: 200, user: null }), 'failed'],
  ['a deactivated one', json({ code: 404, reason: 'deactivated' }, 404), 'gone'],
  ['a reason that only looks like one', json({ code: 404, reason: 'constructor' }, 404), 'ambiguous'],
  ['HTTP 200 with a code of 404', json({ code: 404, message: 'User not found' }), 'ambiguous'],
  ['HTTP 200 with a code of 500', json({ code: 500 }), 'down'],
  ['HTTP 500 with a code of 200', json({ code: 200, user: { screen_name: 'ada_larsson' } }, 500), 'down'],
  ['no JSON', { kind: 'response', status: 200, json: undefined, isHtml: true }, 'failed'],
  ['an array', json([]), 'failed'],
  ['no answer', { kind: 'down', why: 'time-out' }, 'down'],
])(
  '[provider-faults 12] [provider-faults 6] a profile of FxTwitter the response %s gives its own outcome',
  async (_, fetched, kind) => {
    expect((await clientAnswering(fetched).readProfile('ada_larsson', BUDGET)).kind).toBe(kind);
  },
);

describe('a list of FxTwitter', () => {
  test('an empty page with two different cursors does not end the list', async () => {
    const page = clientAnswering(json({ code: 200, results: [], cursor: { top: 'a', bottom: 'b' } }));
    expect(await page.listPosts({ list: 'posts', kind: 'posts', handle: 'ada' })({ size: 20 }, BUDGET)).toMatchObject({
      kind: 'found',
      value: { items: [], next: 'b' },
    });
  });

  test.each([
    ['profiles', [{ type: 'profile', id: '77', likes: 5 }]],
    ['nothing that has a type', [{ id: '55' }]],
    ['arrays', [[[[[]]]]]],
    ['null', [null]],
  ])('[provider-faults 9] a search for posts fails when the results are %s', async (_, results) => {
    const page = clientAnswering(json({ code: 200, results, cursor: null }));
    const searchRequest = { list: 'search', query: 'q', feed: 'top' } as const;
    expect((await page.listPosts(searchRequest)({ size: 20 }, BUDGET)).kind).toBe('failed');
    const follows = clientAnswering(json({ code: 200, results: [null, {}, 5], cursor: null }));
    expect((await follows.listUsers({ list: 'followers', handle: 'a' })({ size: 20 }, BUDGET)).kind).toBe('failed');
  });

  test('a repost has its reposter', async () => {
    const outcome = await read('statuses/reposts.json');
    expect(outcome).toMatchObject({ value: { items: [{ reposted_by: { handle: 'kestrel_labs' } }, {}, {}, {}, {}] } });
  });
});

describe('the quotes and reposts of a post', () => {
  test('[provider-faults 10] a 404 is a failed call for quotes, which are a search, and says nothing of reposts', async () => {
    const provider = clientAnswering(json({ code: 404, results: [], cursor: { top: null, bottom: null } }, 404));
    expect((await provider.listPosts({ list: 'quotes', id: '20' })({ size: 20 }, BUDGET)).kind).toBe('down');
    expect((await provider.listUsers({ list: 'reposts', id: '20' })({ size: 20 }, BUDGET)).kind).toBe('ambiguous');
  });

  test.each<readonly [string, FetchResult, Outcome<unknown>['kind']]>([
    ['500', json({ code: 500, results: [] }, 500), 'down'],
    ['429', json({ code: 429 }, 429), 'down'],
    ['400', json({ code: 400 }, 400), 'failed'],
    ['a list of another kind', json({ code: 200, results: [{ type: 'trend' }] }), 'failed'],
    ['nothing', { kind: 'down', why: 'time-out' }, 'down'],
  ])('[provider-faults 10] the response %s gives %s', async (_, fetched, kind) => {
    const provider = clientAnswering(fetched);
    expect((await provider.listPosts({ list: 'quotes', id: '20' })({ size: 20 }, BUDGET)).kind).toBe(kind);
    expect((await provider.listUsers({ list: 'reposts', id: '20' })({ size: 20 }, BUDGET)).kind).toBe(kind);
  });

  test('FxTwitter has no ids of one digit, so there is no request', async () => {
    const requests: string[] = [];
    const provider = clientAnswering(json({ code: 200, results: [] }), requests);
    expect(await provider.listPosts({ list: 'quotes', id: '7' })({ size: 20 }, BUDGET)).toEqual({ kind: 'ambiguous' });
    expect(await provider.listUsers({ list: 'reposts', id: '7' })({ size: 20 }, BUDGET)).toEqual({
      kind: 'ambiguous',
    });
    expect(requests).toEqual([]);
  });
});

describe('the requests to FxTwitter', () => {
  const requests: string[] = [];
  const provider = clientAnswering(json({ code: 200, results: [], users: [], cursor: null }), requests);
  const page = { size: 20, cursor: '1700000000020|WEMx+/=' };

  test('the URLs have the parameters of the provider, percent-encoded', async () => {
    await provider.readProfile('ada', BUDGET);
    await provider.listPosts({ list: 'posts', kind: 'posts', handle: 'ada' })(page, BUDGET);
    await provider.listUsers({ list: 'following', handle: 'ada' })({ size: 100 }, BUDGET);
    await provider.listPosts({ list: 'search', query: 'a&count=1 #b 🐋', feed: 'media' })(page, BUDGET);
    await provider.listUsers({ list: 'users', query: 'a b' })({ size: 20 }, BUDGET);
    await provider.listPosts({ list: 'quotes', id: '20' })(page, BUDGET);
    await provider.listUsers({ list: 'reposts', id: '20' })({ size: 100 }, BUDGET);
    expect(requests).toEqual([
      '/2/profile/ada?about_account=1',
      '/2/profile/ada/statuses?count=20&cursor=1700000000020%7CWEMx%2B%2F%3D',
      '/2/profile/ada/following?count=100',
      '/2/search?q=a%26count%3D1%20%23b%20%F0%9F%90%8B&feed=media&count=20&cursor=1700000000020%7CWEMx%2B%2F%3D',
      '/2/search/users?q=a%20b',
      '/2/status/20/quotes?count=20&cursor=1700000000020%7CWEMx%2B%2F%3D',
      '/2/status/20/reposts?count=100',
    ]);
  });

  test.each([
    [20, 20],
    [21, 100],
  ])('%i requested items give a page size of %i', (wanted, size) => {
    expect(provider.pageSize?.(wanted)).toBe(size);
  });
});
