import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectProblem } from '../support/problem.ts';
import { createTestApp } from '../support/test-app.ts';

interface Case {
  readonly format: string | null;
  readonly accept: string | null;
  readonly expect: 'markdown' | 'json' | 'problem400' | 'problem406';
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/vectors/accept.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};
const types = { markdown: 'text/markdown; charset=utf-8', json: 'application/json' } as const;

const getWith = (route: string, { format, accept }: Pick<Case, 'format' | 'accept'>) =>
  createTestApp().get(`${route}${format === null ? '' : `${route.includes('?') ? '&' : '?'}format=${format}`}`, {
    headers: accept === null ? {} : { accept },
  });

/** Lists one path per use case below /api; no path below /api offers HTML. */
// biome-ignore format: side by side they fit on a screen
const API_TARGETS = [
  '/api/v1/posts?handle=jack&id=20', '/api/v1/profiles/jack', '/api/v1/profiles/jack/followers',
  '/api/v1/profiles/jack/following', '/api/v1/search?q=fjord', '/api/convert?handle=jack&id=20',
  '/api/browse?resource=profile&handle=jack', '/api/browse?resource=followers&handle=jack',
  '/api/browse?resource=following&handle=jack', '/api/browse?resource=search&q=fjord',
];
const PERMALINKS = ['/jack/status/20', '/jack', '/jack/followers', '/jack/following', '/search?q=fjord'];
const isPostRoute = (route: string): boolean => /status|posts|convert/.test(route);

describe.each(API_TARGETS)('[negotiation 1] [negotiation 2] content negotiation on %s', (route) => {
  test.each(cases)('GET with format $format and Accept $accept returns $expect', async (row) => {
    const answer = await getWith(route, row);
    if (row.expect === 'problem400') expectProblem(answer, 400, 'invalid_format');
    else if (row.expect === 'problem406') expectProblem(answer, 406, 'not_acceptable');
    else expect(answer.headers['content-type']).toBe(types[row.expect]);
    const vary = isPostRoute(route) ? 'Accept, Accept-Encoding' : 'Accept, Authorization, Accept-Encoding';
    expect(answer.headers['vary']).toBe(vary);
  });
});

describe.each(PERMALINKS)('[negotiation 1] content negotiation on the permalink %s', (route) => {
  test.each(cases.filter(({ accept }) => !accept?.includes('text/html')))(
    'GET with format $format and Accept $accept returns $expect',
    async (row) => {
      const answer = await getWith(route, row);
      expect(
        answer.status === 400 ? 'problem400' : answer.status === 406 ? 'problem406' : answer.headers['content-type'],
      ).toBe(row.expect.startsWith('problem') ? row.expect : types[row.expect as 'markdown']);
    },
  );

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['text/html, */*', 'text/html; charset=utf-8'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html, text/markdown', 'text/markdown; charset=utf-8'],
    ['text/*', 'text/markdown; charset=utf-8'],
  ])('GET returns HTML only if Accept gives text/html the highest weight: %s', async (accept, type) => {
    expect((await createTestApp().get(route, { headers: { accept } })).headers['content-type']).toBe(type);
  });

  const RSS = 'application/rss+xml';
  test.each([
    [RSS, RSS],
    [`${RSS}, */*`, RSS],
    [`${RSS};q=0.9, */*;q=0.8`, RSS],
    // Feed readers send these.
    [`application/atom+xml, ${RSS}, application/xml;q=0.8, text/xml;q=0.8, text/html;q=0.7, */*;q=0.1`, RSS],
    [`application/feed+json, application/atom+xml, text/xml`, 'application/atom+xml'],
    ['application/feed+json, application/json;q=0.9, */*;q=0.8', 'application/feed+json'],
    [`application/xml, ${RSS}, text/html, */*;q=0.9`, 'text/html'],
    [`${RSS}, application/json`, 'application/json'],
    [`${RSS}, text/markdown`, 'text/markdown'],
    [`${RSS};q=0.5, text/html`, 'text/html'],
    [`${RSS};q=0, text/html;q=0.1`, 'text/html'],
    ['application/*', 'application/json'],
  ])('[negotiation 6] GET with Accept %s returns %s where there is a feed', async (accept, type) => {
    const answer = await createTestApp().get(route, { headers: { accept } });
    const isOffered = !/status|follow/.test(route);
    const expected = isOffered || !/rss|atom|feed/.test(type) ? type : undefined;
    if (expected === undefined) expect(answer.headers['content-type']).not.toMatch(/rss|atom|feed/);
    else expect(answer.headers['content-type']?.split(';')[0]).toBe(expected);
  });

  test('[negotiation 2] the format parameter overrides every Accept', async () => {
    const { get } = createTestApp();
    const typeOf = async (format: 'json' | 'markdown', accept: string) =>
      (await get(`${route}${route.includes('?') ? '&' : '?'}format=${format}`, { headers: { accept } })).headers[
        'content-type'
      ];
    for (const accept of ['text/html', 'image/png', 'application/json;q=0']) {
      expect(await typeOf('json', accept)).toBe('application/json');
      expect(await typeOf('markdown', accept)).toBe('text/markdown; charset=utf-8');
    }
  });
});

test.each([...API_TARGETS, ...PERMALINKS])(
  '[negotiation 2] the format obsidian is accepted only for posts: %s',
  async (route) => {
    const answer = await getWith(route, { format: 'obsidian', accept: 'application/json' });
    if (isPostRoute(route)) expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    else expectProblem(answer, 400, 'invalid_format');
  },
);

test('[negotiation 6] a search for accounts and an alias offer no feed by Accept', async () => {
  const { get } = createTestApp();
  for (const route of ['/search?q=fjord&feed=users', '/api/browse?resource=search&q=fjord']) {
    const answer = await get(route, { headers: { accept: 'application/rss+xml' } });
    expect(expectProblem(answer, 406, 'not_acceptable')['detail']).not.toContain('rss');
    const other = await get(route, { headers: { accept: 'application/rss+xml, application/json;q=0.1' } });
    expect(other.headers['content-type']).toBe('application/json');
  }
});

test('[negotiation 5] 406 names the feeds where there are some', async () => {
  const accept = 'image/png';
  const detailOf = async (route: string) =>
    expectProblem(await createTestApp().get(route, { headers: { accept } }), 406, 'not_acceptable')['detail'];
  expect(await detailOf('/jack')).toBe(
    'This address offers text/markdown, application/json, text/html, application/rss+xml, application/atom+xml, application/feed+json.',
  );
  expect(await detailOf('/jack/followers')).toBe('This address offers text/markdown, application/json, text/html.');
});

test.each([...API_TARGETS, ...PERMALINKS])('[negotiation 2] the format html returns 400: %s', async (route) => {
  expectProblem(await getWith(route, { format: 'html', accept: 'application/json' }), 400, 'invalid_format');
});
