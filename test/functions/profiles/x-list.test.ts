// Tests the lists of X over HTTP with the real providers: which of them is asked, what its answers mean, and paging.
import { expect, test } from 'vitest';
import type { ProviderName } from '../../../shared/contract/providers.ts';
import { idsOf } from '../../support/browse-routes.ts';
import {
  type Behaviour,
  bare404,
  faultServer,
  json,
  neverResponds,
  recorded,
  reply,
} from '../../support/fault-server.ts';
import { fxTwitterAt } from '../../support/fxtwitter.ts';
import { createLimitedApp } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { SHORT_TIMEOUT } from '../../support/provider-faults.ts';
import { createTestApp } from '../../support/test-app.ts';

const LIST = '1234567890123456789';
const TARGET = `/api/v1/lists/${LIST}/posts?format=json`;
const EMPTY = json({ code: 200, results: [], cursor: { top: 'T', bottom: 'B' } });

const raw = (id: string) => ({ type: 'status', id, text: `post ${id}`, author: { screen_name: 'ada', name: 'Ada' } });
const search = (ids: readonly string[], bottom: string | null) =>
  json({ code: 200, results: ids.map(raw), cursor: { top: null, bottom } });

interface Answers {
  readonly fxtwitter?: Behaviour;
  readonly official?: Behaviour;
}

/** @param names in the operator's order of preference */
const upstreamAt = async (names: readonly ProviderName[], answers: Answers) => {
  const server = await faultServer(answers);
  const baseUrls = { fxtwitter: server.fxtwitter, syndication: server.syndication, x_api: server.official };
  const upstream = fxTwitterAt(server, {
    providers: names.map((name) => ({ name, baseUrls: [baseUrls[name]], source: name })),
    limits: SHORT_TIMEOUT,
  });
  return { server, upstream };
};

const appAt = async (names: readonly ProviderName[], answers: Answers) => {
  const { server, upstream } = await upstreamAt(names, answers);
  return { ...createTestApp({ upstream }), calls: (provider: 'fxtwitter' | 'official') => server.calls(provider) };
};

test('[x-lists 1] the official API is asked first, whatever the order of the providers', async () => {
  const { get, calls } = await appAt(['fxtwitter', 'x_api'], { official: recorded('x_api/search_repost.json') });
  const answer = await get(TARGET);
  expect(answer.json()).toMatchObject({ id: LIST, source: 'x_api', warnings: [] });
  expect(idsOf(answer).length).toBeGreaterThan(0);
  expect(calls('official')).toEqual([
    expect.stringMatching(/^\/x\/2\/lists\/1234567890123456789\/tweets\?.*max_results=20/),
  ]);
  expect(calls('official')[0]).toContain('expansions=author_id');
  expect(calls('fxtwitter')).toEqual([]);
});

test.each<[string, Behaviour, readonly string[]]>([
  ['is not in the plan of the operator', recorded('x_api/403_client.json', 403), ['fallback_answered']],
  ['fails', reply(503), ['fallback_answered']],
])('[x-lists 1] a search answers if the official API %s', async (_, official, warnings) => {
  const { get, calls } = await appAt(['x_api', 'fxtwitter'], { official, fxtwitter: search(['9', '7'], null) });
  const answer = await get(TARGET);
  expect(idsOf(answer)).toEqual(['9', '7']);
  expect(answer.json()).toMatchObject({ source: 'fxtwitter', warnings: warnings.map((code) => ({ code })) });
  expect(calls('fxtwitter')).toEqual([`/fx/2/search?q=list%3A${LIST}&feed=latest&count=20`]);
});

test('[x-lists 1] a cursor continues the search, and is of this list only', async () => {
  const pages: Behaviour = (incoming, response) => {
    const isLater = incoming.url?.includes('cursor=B') === true;
    (isLater ? search(['5', '3'], null) : search(['9', '7'], 'B'))(incoming, response);
  };
  const { get } = await appAt(['fxtwitter'], { fxtwitter: pages });
  const first = await get(`${TARGET}&limit=2`);
  const cursor = String(first.json()['next_cursor']);
  expect(first.headers['link']).toBe(
    `<https://api.example.test${TARGET.split('?')[0]}?format=json&limit=2&cursor=${cursor}>; rel="next"`,
  );
  const second = await get(`/i/lists/${LIST}?format=json&cursor=${cursor}`);
  expect(idsOf(second)).toEqual(['5', '3']);
  expect(second.json()).not.toHaveProperty('next_cursor');
  for (const other of [`/api/v1/lists/2/posts?cursor=${cursor}`, `/api/v1/posts/${LIST}/quotes?cursor=${cursor}`])
    expectProblem(await get(other), 400, 'invalid_cursor');
});

test('[x-lists 1] the end of the list is an empty page after the first', async () => {
  const pages: Behaviour = (incoming, response) =>
    (incoming.url?.includes('cursor=') ? EMPTY : search(['9'], 'B'))(incoming, response);
  const { get } = await appAt(['fxtwitter'], { fxtwitter: pages });
  expect(idsOf(await get(TARGET))).toEqual(['9']);
});

test('[x-lists 1] an empty answer of the official API is an empty list', async () => {
  const { get } = await appAt(['x_api'], { official: recorded('x_api/timeline_empty.json') });
  expect((await get(TARGET)).json()).toMatchObject({ posts: [], warnings: [] });
});

/** Other searches are answered, so the provider is healthy. */
const refusesLists: Behaviour = (incoming, response) =>
  (incoming.url?.includes('list%3A') ? json({ code: 400, message: 'q: blocked' }, 400) : search(['9'], null))(
    incoming,
    response,
  );

const NOT_FOUND = json({
  errors: [{ value: LIST, title: 'Not Found Error', type: 'https://api.twitter.com/2/problems/resource-not-found' }],
});

test.each<[string, readonly ProviderName[], Answers]>([
  ['a search without results', ['fxtwitter', 'syndication'], { fxtwitter: EMPTY }],
  ['a refused search', ['fxtwitter'], { fxtwitter: refusesLists }],
  ['no provider with lists', ['syndication'], {}],
  ['a list that the official API does not find', ['x_api'], { official: NOT_FOUND }],
  ['a plan without lists', ['x_api'], { official: recorded('x_api/403_client.json', 403) }],
  [
    'a plan without lists and an empty search',
    ['fxtwitter', 'x_api'],
    { official: recorded('x_api/403_client.json', 403), fxtwitter: EMPTY },
  ],
])('[x-lists 2] %s is 501 not_available_here', async (_, names, answers) => {
  const { get, log } = await appAt(names, answers);
  for (const target of [TARGET, `/i/lists/${LIST}`, `/i/lists/${LIST}/rss`]) {
    const answer = await get(target);
    expect(expectProblem(answer, 501, 'not_available_here')['detail']).toMatch(/list/);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
  const page = await get(`/i/lists/${LIST}`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(501);
  expect(page.body).toContain('<h1>Postern cannot show this list.</h1>');
  expect(page.body).toContain(`href="https://x.com/i/lists/${LIST}"`);
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});

test.each<[string, number, string, readonly ProviderName[], Answers]>([
  ['an outage of search', 503, 'upstream_unavailable', ['fxtwitter'], { fxtwitter: bare404 }],
  ['a silent provider', 503, 'upstream_unavailable', ['fxtwitter'], { fxtwitter: neverResponds }],
  ['an unusable answer', 502, 'upstream_failed', ['fxtwitter'], { fxtwitter: json({ code: 200 }) }],
  ['a wrong token', 502, 'upstream_failed', ['x_api'], { official: recorded('x_api/401.json', 401) }],
  [
    'an outage of the official API with an empty search',
    503,
    'upstream_unavailable',
    ['x_api', 'fxtwitter'],
    { official: reply(503), fxtwitter: EMPTY },
  ],
])('[x-lists 2] %s is %i %s', async (_, status, code, names, answers) => {
  const { get } = await appAt(names, answers);
  expectProblem(await get(TARGET), status, code);
});

test('[x-lists 2] a list charges the browse allowance, also if it is not available', async () => {
  const { upstream } = await upstreamAt(['fxtwitter'], { fxtwitter: EMPTY });
  const { statuses } = createLimitedApp({ upstream });
  expect(await statuses(5, TARGET)).toEqual([501, 501, 501, 501, 429]);
});
