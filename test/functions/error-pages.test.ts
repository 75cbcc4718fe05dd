// Requests errors of permalinks as a browser does: what each page says.
import { describe, expect, test } from 'vitest';
import { createLimitedApp, TINY_ALLOWANCES } from '../support/limited-app.ts';
import { codesIn, expectErrorPage, expectProblem } from '../support/problem.ts';
import { createTestApp, postUpstreamReturning, upstreamReturning } from '../support/test-app.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const headers = { accept: BROWSER };

const gone = (reason: 'deleted' | 'suspended' | 'withheld' | 'protected' | 'unknown') =>
  upstreamReturning({ kind: 'gone', reason });

const down = { upstream: upstreamReturning({ kind: 'down', why: 'ECONNREFUSED 10.0.0.1' }) };
const failed = { upstream: upstreamReturning({ kind: 'failed', why: 'not JSON' }) };
describe('the page of an error', () => {
  // The words and the ways on of every page are in test/golden/errors/pages.md.
  test.each([
    ['/jack/status/20', 'deleted', '404 · post_not_found · deleted', 'This post was deleted.'],
    ['/jack/status/20', 'protected', '403 · post_protected', 'Only followers can read this post.'],
    ['/jack/status/20/quotes', 'suspended', '404 · post_not_found · suspended', 'The author’s account is suspended.'],
    ['/i/user/12', 'unknown', '404 · profile_not_found', 'There is no such account.'],
  ] as const)('[pages 2] [lists 8] of %s says the reason %s and leads to X', async (target, reason, line, sentence) => {
    const { body } = await createTestApp({ upstream: gone(reason) }).get(target, { headers });
    expect(body).toContain(`<h1>${sentence}</h1>`);
    expect(codesIn(body)).toBe(line);
    expect(body.match(/href="https:\/\/x\.com\/[^"]*"/g)).toEqual([
      `href="https://x.com${target.replace('/quotes', '')}"`,
    ]);
  });

  test.each([
    ['/jack/status/20', down, 503, '/jack/status/20'],
    ['/search?q=tide', down, 503, '/search?q=tide'],
    ['/jack/media', down, 503, '/jack'],
    ['/jack', failed, 502, '/jack'],
    ['/jack/status/20/replies', failed, 502, '/jack/status/20'],
    ['/i/status/20/retweets', down, 503, '/i/status/20'],
  ])(
    '[pages 2] [problems 6] [lists 8] never says in an outage that %s is gone, and leads on',
    async (target, app, status, way) => {
      const answer = await createTestApp(app).get(target, { headers });
      expect(answer.status).toBe(status);
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(answer.body) ?? [];
      expect(main).toMatch(/This says nothing about/);
      expect(main).not.toMatch(/gone|deleted|suspended|not found|no such|no longer|missing|removed/i);
      expect(main).not.toMatch(/10\.0\.0\.1|ECONNREFUSED|not JSON/);
      for (const href of [target, way]) expect(main).toContain(`<a href="${href}">`);
    },
  );

  test('[pages 2] links the problem document of the same path and query', async () => {
    const { get } = createTestApp({ upstream: gone('deleted') });
    const { body } = await get('/jack/status/20?replies=off&thread=off&unknown=1', { headers });
    expect(body).toContain('href="/jack/status/20?thread=off&amp;replies=off&amp;format=json">As a problem document');
    expectProblem(await get('/jack/status/20?thread=off&replies=off&format=json', { headers }), 404, 'post_not_found');
  });

  test('[pages 2] [headers 2] repeats no text of the caller but handle and query, and these only as text', async () => {
    const { get } = createTestApp();
    const HOSTILE = '"><script>alert(1)<img src=x onerror=alert(1)>';
    const encoded = encodeURIComponent(HOSTILE);
    for (const target of [
      `/jack/status/${encoded}`,
      `/${encoded}/status/20`,
      `/jack/status/20?thread=${encoded}`,
      `/jack?limit=${encoded}&cursor=${encoded}`,
      `/search?q=${encoded}&feed=${encoded}`,
      `/search?q=tide&limit=${encoded}`,
    ]) {
      const { status, body } = await get(target, { headers });
      expect([status, body.startsWith('<!doctype html>')]).toEqual([400, true]);
      const text = body.replaceAll(/href="[^"]*"/g, '');
      expect(body).not.toContain('<script');
      expect(body).not.toContain('<img');
      expect(text.includes('alert(1)'), target).toBe(target.startsWith('/search?q=%22'));
    }
  });
});

describe('the page of a spent allowance', () => {
  const spent = async (target: string, count: number) => {
    const app = createLimitedApp();
    await app.statuses(count, target);
    return app;
  };

  test('[pages 2] [allowances 1] counts the seconds of Retry-After down without a script', async () => {
    const { get, clock } = await spent('/search?q=tide', TINY_ALLOWANCES.search.anonymous.count);
    // A time that is off by a millisecond for each second has another second in the page.
    clock.set(Math.ceil(clock.now() / 1000) * 1000 + 999);
    const answer = await get('/search?q=tide', { headers });
    const body = expectErrorPage(answer, 429, 'rate_limited');
    const seconds = Number(answer.headers['retry-after']);
    const time = new Date(clock.now() + seconds * 1000).toISOString().slice(11, 19);
    expect(seconds).toBeGreaterThan(0);
    expect(body).toContain(`:root{--wait:${seconds}}</style>`);
    expect(body).toContain(
      `<h1>The next search is yours in <span class="count" aria-hidden="true"></span><span class="sr">${seconds}</span> seconds.</h1>`,
    );
    expect(body).toContain(`Ask again at ${time} UTC;`);
    expect(body).toContain(`<title>The next search at ${time} UTC · Postern</title>`);
    expect(body).toContain('<a href="/search?q=tide">Search for “<bdi>tide</bdi>” again</a>');
    expect(body).toContain('id="q" name="q" value="tide"');
    expect(answer.headers).toMatchObject({ ratelimit: expect.any(String), 'cache-control': 'no-store' });
  });

  test.each(['/jack', '/i/status/20/quotes'])(
    '[pages 2] [lists 8] names the allowance of lists on %s',
    async (target) => {
      const { get } = await spent(target, TINY_ALLOWANCES.browse.anonymous.count);
      expect((await get(target, { headers })).body).toContain('The allowance of profiles and lists is used up.');
    },
  );
});

test('[pages 2] [pages 3] the page of a wrong link in the box keeps the link', async () => {
  const { get } = createTestApp();
  const body = expectErrorPage(await get('/?q=https%3A%2F%2Ft.co%2Fabc', { headers }), 400, 'unsupported_host');
  expect(body).toContain('id="q" name="q" value="https://t.co/abc"');
  expect(body).not.toContain('As a problem document');
});

test('[pages 2] [problems 7] every path and query of a browser gets a page or a problem document, never a failure', async () => {
  const { get } = createTestApp({ upstream: gone('deleted') });
  // biome-ignore format: side by side they fit on a screen
  const HOSTILE = [
    '\ud800', '\u202e', '%', '%zz', '%ED%A0%80', '{wait}', '$&', '\\', '//', '..', '\'"<>&', '\u0000', '🏴'.repeat(99),
  ];
  for (const text of HOSTILE)
    for (const target of [
      `/${text}`,
      `/jack/status/${text}`,
      `/${text}/followers`,
      `/jack?limit=${text}`,
      `/search?q=${text}&feed=x`,
      `/?q=${text}&q=`,
    ]) {
      const { status, body } = await get(target, { headers });
      expect([status < 500, body.startsWith('<!doctype html>')], target).toEqual([true, true]);
    }
});

test('[pages 2] an error of a v1 route, an alias, oEmbed or a document is a problem document for a browser', async () => {
  const { get } = createTestApp({ upstream: { ...postUpstreamReturning({ kind: 'gone', reason: 'deleted' }) } });
  for (const target of [
    '/api/v1/posts?handle=jack&id=20',
    '/api/convert?handle=jack&id=20',
    '/oembed?url=x.com/jack/status/20',
  ])
    expectProblem(await get(target, { headers }), 404, 'post_not_found');
  for (const target of ['/docs', '/', '/llms.txt'])
    expectProblem(await get(target, { method: 'POST', headers }), 405, 'method_not_allowed');
});
