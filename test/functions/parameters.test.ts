// Tests wrong parameters over HTTP. What each value of each parameter is, test/unit/contract/parse-input.test.ts shows.
import { describe, expect, test } from 'vitest';
import { queryNames } from '../../shared/contract/operations.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import {
  cursorOf,
  invalidParameters,
  PROFILE_TARGETS,
  SEARCH_TARGETS,
  tamperedCursors,
  upstreamWithLists,
  withQuery,
} from '../support/browse-routes.ts';
import { LIST_ROUTES } from '../support/list-routes.ts';
import { expectProblem } from '../support/problem.ts';
import { routes } from '../support/routes.ts';
import { createTestApp, upstreamNotCalled } from '../support/test-app.ts';

const { get, log } = createTestApp({ upstream: upstreamNotCalled });

type Row = readonly [query: string, code: string, parameters: readonly string[]];

const GOOD = 'url=x.com/jack/status/20';
const POST = 'handle=jack&id=20';

const OF_POSTS: readonly Row[] = [
  ['', 'missing_parameter', ['url']],
  ['handle=jack', 'missing_parameter', ['id']],
  [`${GOOD}&handle=jack&id=21`, 'invalid_parameter', ['id']],
  ['url=https://x.com.evil.tld/a/status/20', 'unsupported_host', ['url']],
  ['url=https://x.com%40evil.tld/a/status/20', 'unsupported_host', ['url']],
  ['url=http://169.254.169.254/', 'unsupported_host', ['url']],
  ['url=https://x.com/jack', 'invalid_path', ['url']],
  ['url=%zz', 'invalid_url', ['url']],
  ['url=javascript://x.com/a/status/20', 'invalid_url', ['url']],
  ['handle=@@jack&id=20', 'invalid_handle', ['handle']],
  ['handle=jack&id=020', 'invalid_id', ['id']],
  [`${POST}&thread=1`, 'invalid_parameter', ['thread']],
  [`${POST}&layout=unrolled&format=json`, 'invalid_parameter', ['layout']],
  [`${POST}&format=ndjson`, 'invalid_format', ['format']],
  [`${POST}&part=0`, 'invalid_parameter', ['part']],
  [`${POST}&part=1000001`, 'invalid_parameter', ['part']],
  [`${POST}&part=1&part=2`, 'repeated_parameter', ['part']],
  [`${POST}&id=20`, 'repeated_parameter', ['id']],
  [`${POST}&lang=de&lang=fr`, 'repeated_parameter', ['lang']],
  [`${POST}&lang=de&translation=none`, 'invalid_parameter', ['translation']],
  [`${POST}&format=json&%66ormat=markdown`, 'repeated_parameter', ['format']],
  ['handle=@@x&id=0&format=xml&thread=zero', 'invalid_handle', ['handle', 'id', 'format', 'thread']],
];

const OF_LISTS: readonly Row[] = [
  ['limit=0', 'invalid_parameter', ['limit']],
  ['limit=99999999999999999999', 'invalid_parameter', ['limit']],
  ['limit=5&limit=5', 'repeated_parameter', ['limit']],
  ['max_tokens=99', 'invalid_parameter', ['max_tokens']],
  ['format=', 'invalid_format', ['format']],
  ['format=obsidian', 'invalid_format', ['format']],
  ['format=json&%66ormat=json', 'repeated_parameter', ['format']],
  ['cursor=x', 'invalid_cursor', ['cursor']],
  ['cursor=&cursor=', 'repeated_parameter', ['cursor']],
  ['max_tokens=1&limit=0&format=xml&cursor=x', 'invalid_format', ['format', 'limit', 'cursor', 'max_tokens']],
];

const WHALE = '%F0%9F%90%8B';
const OF_SEARCHES: readonly Row[] = [
  ['', 'missing_query', ['q']],
  ['q', 'missing_query', ['q']],
  ['q=+++', 'missing_query', ['q']],
  [`q=${'x'.repeat(513)}`, 'invalid_query', ['q']],
  ['q=a%00b', 'invalid_query', ['q']],
  [`q=${WHALE.repeat(256)}x`, 'invalid_query', ['q']],
  ['q=a&%71=b', 'repeated_parameter', ['q']],
  ['q=a&feed=Latest', 'invalid_feed', ['feed']],
  ['q=a&feed=top&feed=top', 'repeated_parameter', ['feed']],
  ['q=&feed=x&format=xml&limit=0&max_tokens=1', 'missing_query', ['q', 'feed', 'format', 'limit', 'max_tokens']],
];

// biome-ignore format: side by side they fit on a screen
const BAD_NUMBERS = [
  'abc', '', '0', '-1', '1.5', '+5', '007', '1e3', '0x10', '550px', '%20550', '٥', 'Infinity', '1234567890123456',
];
const OF_EMBEDS: readonly Row[] = [
  ['', 'missing_parameter', ['url']],
  [POST, 'missing_parameter', ['url']],
  ...BAD_NUMBERS.map((value): Row => [`${GOOD}&maxwidth=${value}`, 'invalid_parameter', ['maxwidth']]),
  [`${GOOD}&maxheight=1&maxheight=2`, 'repeated_parameter', ['maxheight']],
  [`${GOOD}&maxwidth=0&maxheight=x`, 'invalid_parameter', ['maxwidth', 'maxheight']],
  ['url=x.com/jack', 'invalid_path', ['url']],
  ['url=javascript:alert(1)', 'invalid_url', ['url']],
  ...['xml', 'JSON', 'markdown', 'ndjson', ''].map(
    (format): Row => [`${GOOD}&format=${format}`, 'format_not_implemented', ['format']],
  ),
  // Only hosts of X are read.
  ...[
    'https://x.com.evil.example/jack/status/20',
    'https://x.com@evil.example/jack/status/20',
    'https://evil.example/?url=https://x.com/jack/status/20',
  ].map((url): Row => [`url=${encodeURIComponent(url)}`, 'unsupported_host', ['url']]),
];

const count = (ids: number): string => Array.from({ length: ids }, (_, index) => index + 20).join();
const OF_LOOKUPS: readonly Row[] = [
  ['', 'missing_parameter', ['ids']],
  ['ids=20,,21', 'invalid_id', ['ids']],
  ['ids=20,x.com', 'invalid_id', ['ids']],
  ['ids=20,https://example.com/jack/status/20', 'unsupported_host', ['ids']],
  ['ids=20,https://x.com/jack', 'invalid_path', ['ids']],
  [`ids=${count(21)}`, 'invalid_parameter', ['ids']],
  ['ids=20&ids=21', 'repeated_parameter', ['ids']],
  ['ids=20&format=obsidian', 'invalid_format', ['format']],
  ['ids=20&format=ndjson', 'invalid_format', ['format']],
];

const bare = (useCase: string): readonly string[] =>
  [...new Set(routes.filter((route) => route.useCase === useCase).map(({ target }) => target.split('?')[0] ?? ''))]
    .filter((path) => !/20|rss/.test(path))
    .map((path) => (path === '/api/browse' ? '/api/browse?resource=search' : path));
const lists = routes.flatMap(({ target, operation }) =>
  ['limit', 'format'].every((name) => queryNames(operation).some((known) => known === name)) ? [target] : [],
);

const TABLES: readonly (readonly [name: string, targets: readonly string[], rows: readonly Row[]])[] = [
  ['a post', bare('readPost'), OF_POSTS],
  ['a list', lists, OF_LISTS],
  ['a search', bare('searchPosts'), OF_SEARCHES],
  ['an embed', bare('readOembed'), OF_EMBEDS],
  ['a lookup', bare('lookupPosts'), OF_LOOKUPS],
];

test.each(TABLES.flatMap(([name, targets, rows]) => rows.map((row) => [name, ...row, targets] as const)))(
  '[problems 1] [problems 2] [inputs 2] [inputs 3] [parts 2] [oembed 1] [urls 16] [bounds 2] [lists 8] %s with ?%s is %s',
  async (_, query, code, parameters, targets) => {
    for (const target of targets) {
      const answer = await get(query === '' ? target : withQuery(target, query), { headers: { accept: '*/*' } });
      const status = code === 'format_not_implemented' ? 501 : 400;
      expect(invalidParameters(expectProblem(answer, status, code)), target).toEqual(parameters);
      expect(answer.headers['cache-control']).toMatch(/^(private, )?no-store$/);
    }
  },
);

test.each([
  ['/jack/status/abc', 'invalid_id'],
  ['/jack/status/020', 'invalid_id'],
  ['/jack/status/20%20', 'invalid_id'],
  ['/way_too_long_a_handle/status/20', 'invalid_handle'],
  ['/ja-ck/status/20', 'invalid_handle'],
  ['/j%C3%A4ck/status/20', 'invalid_handle'],
  ['/jack%0D%0A/status/20', 'invalid_handle'],
  ...['ja-ck', '@@jack', 'sixteen_letters_', 'jack%20', 'ja%00ck', '%zz', '@', '%E0%A4'].flatMap((handle) =>
    ['/api/v1/profiles/{handle}', '/{handle}/followers', '/{handle}/media', '/api/v1/profiles/{handle}/following'].map(
      (path) => [path.replace('{handle}', handle), 'invalid_handle'] as const,
    ),
  ),
] as const)('[inputs 4] [inputs 5] [problems 7] %s is %s', async (target, code) => {
  expect(invalidParameters(expectProblem(await get(target), 400, code))).toEqual([code.replace('invalid_', '')]);
});

test('[threads 3] layout=unrolled is 400 if Accept chooses JSON, with what to do', async () => {
  for (const target of ['/jack/status/20', `/api/v1/posts?${POST}`, `/api/convert?${POST}`]) {
    const answer = await get(withQuery(target, 'layout=unrolled'), { headers: { accept: 'application/json' } });
    const { errors, detail } = expectProblem(answer, 400, 'invalid_parameter');
    expect(errors).toEqual([{ parameter: 'layout', message: expect.stringMatching(/^is unrolled, /) }]);
    expect(detail).toMatch(/^layout is unrolled, .*\.$/);
  }
});

test('[problems 7] [headers 2] [headers 4] a wrong value is repeated neither in the document nor in the log', async () => {
  const long = 's3cr3t'.repeat(100);
  for (const query of ['url=s3cr3t', `q=${long}`, 'q=a&feed=s3cr3t', 'limit=s3cr3t', 'cursor=s3cr3t', 'format=s3cr3t'])
    for (const { target } of routes) {
      const path = target.split('?')[0] ?? '';
      const answer = await get(`${path}?${query}&token=s3cr3t`);
      if (answer.status < 400) continue;
      expect(answer.body, target).not.toContain('s3cr3t');
      expect(answer.json()['instance']).toBe(path);
    }
  expect(JSON.stringify(log)).not.toContain('s3cr3t');
});

describe('[bounds 3] a cursor', () => {
  const all = [...PROFILE_TARGETS, ...SEARCH_TARGETS, ...LIST_ROUTES].map(({ v1 }) => v1);
  const issuing = createTestApp({ upstream: upstreamWithLists(30) });

  test('that is changed, shortened, extended or invented is 400 without a provider call', async () => {
    for (const { v1, permalink } of PROFILE_TARGETS)
      for (const tampered of tamperedCursors(await cursorOf(issuing.get, `${v1}?limit=2`)))
        expectProblem(await get(`${permalink}?cursor=${tampered}`), 400, 'invalid_cursor');
    const forged = createCursorCodec(['another secret']).encode(['followers', 'jack'], {
      provider: 'fxtwitter',
      size: 20,
      isPartial: false,
      emptyPages: 0,
      recentFingerprints: [],
    });
    expectProblem(await get(`/jack/followers?cursor=${forged}`), 400, 'invalid_cursor');
  });

  test.each(all)('[lists 8] of %s is 400 on every other list, and for another subject', async (v1) => {
    const cursor = await cursorOf(issuing.get, withQuery(v1, 'limit=1'));
    const subjects = ['ada', 'jack_', 'jac']
      .map((handle) => v1.replace('jack', handle))
      .filter((other) => other !== v1);
    for (const other of [...all.filter((target) => target !== v1), ...subjects])
      expectProblem(await get(withQuery(other, `cursor=${cursor}`)), 400, 'invalid_cursor');
  });

  const refused = async () => ({ kind: 'refused', why: 'LEAKY' }) as const;
  const refusing = createTestApp({ upstream: { listPosts: refused, listUsers: refused } });

  test('that the provider no longer accepts is 400 invalid_cursor, without the text of the provider', async () => {
    for (const v1 of [...PROFILE_TARGETS.map((target) => target.v1), '/search?q=fjord', '/search?q=fjord&feed=users']) {
      const answer = await refusing.get(withQuery(v1, `cursor=${await cursorOf(issuing.get, v1)}`));
      expect(invalidParameters(expectProblem(answer, 400, 'invalid_cursor'))).toEqual(['cursor']);
      expect(answer.body).not.toContain('LEAKY');
    }
  });

  test('[problems 2] is not at fault if the provider rejects the query', async () => {
    for (const target of bare('searchPosts')) {
      for (const feed of ['top', 'users']) {
        const answer = await refusing.get(withQuery(target, `q=fjord&feed=${feed}`));
        expect(invalidParameters(expectProblem(answer, 400, 'invalid_query'))).toEqual(['q']);
        expect(answer.body).not.toContain('LEAKY');
      }
    }
  });
});
