// Requests errors of permalinks as a browser does: what each page says.
import { describe, expect, test } from 'vitest';
import { createLimitedApp, TINY_ALLOWANCES } from '../support/limited-app.ts';
import { expectErrorPage, expectProblem } from '../support/problem.ts';
import { createTestApp, postUpstreamReturning, upstreamReturning } from '../support/test-app.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const headers = { accept: BROWSER };

const gone = (reason: 'deleted' | 'suspended' | 'withheld' | 'protected' | 'unknown') =>
  upstreamReturning({ kind: 'gone', reason });

const down = { upstream: upstreamReturning({ kind: 'down', why: 'ECONNREFUSED 10.0.0.1' }) };
const failed = { upstream: upstreamReturning({ kind: 'failed', why: 'not JSON' }) };
describe('the page of an error', () => {
  test.each([
    ['deleted', 'This post was deleted.', '404 · post_not_found · deleted'],
    ['suspended', 'The author’s account is suspended.', '404 · post_not_found · suspended'],
    ['withheld', 'X does not show this post to the public.', '404 · post_not_found · withheld'],
    ['unknown', 'There is no such post.', '404 · post_not_found'],
    ['protected', 'Only followers can read this post.', '403 · post_protected'],
  ] as const)('[pages 2] says the reason of a post: %s', async (reason, sentence, line) => {
    const { body } = await createTestApp({ upstream: gone(reason) }).get('/jack/status/20', { headers });
    expect(body).toContain(`<h1>${sentence}</h1>`);
    expect(body).toContain(`<code>${line}</code>`);
    expect(body).toMatch(/<ul class="ways"><li><a href="\/(?:jack|search\?q=to%3Ajack)">/);
    expect(body.match(/href="https:\/\/x\.com\/[^"]*"/g)).toEqual(['href="https://x.com/jack/status/20"']);
  });

  test.each([
    ['/jack/status/20', down, 503],
    ['/jack', down, 503],
    ['/search?q=tide', down, 503],
    ['/jack/status/20', failed, 502],
    ['/jack', failed, 502],
    ['/jack/media', down, 503],
    ['/jack/status/20/replies', failed, 502],
    ['/i/status/20/retweets', down, 503],
  ])('[pages 2] [problems 6] never says in an outage that %s is gone', async (target, app, status) => {
    const answer = await createTestApp(app).get(target, { headers });
    expect(answer.status).toBe(status);
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(answer.body) ?? [];
    expect(main).toMatch(/This says nothing about/);
    expect(main).not.toMatch(/gone|deleted|suspended|not found|no such|no longer|missing|removed/i);
    expect(main).not.toMatch(/10\.0\.0\.1|ECONNREFUSED|not JSON/);
    expect(main).toContain(`<a href="${target}">`);
  });

  test.each([
    ['/jack/media', '<a href="/jack">Profile of @jack</a>', 'https://x.com/jack'],
    ['/jack/followers', '<a href="/jack">Profile of @jack</a>', 'https://x.com/jack'],
    ['/jack/status/20/replies', '<a href="/jack/status/20">The post</a>', 'https://x.com/jack/status/20'],
    ['/i/status/20/retweets', '<a href="/i/status/20">The post</a>', 'https://x.com/i/status/20'],
  ])('[lists 8] leads in an outage from the list %s to what it belongs to', async (target, way, onX) => {
    const { body } = await createTestApp(down).get(target, { headers });
    expect(body).toContain(`<li>${way}</li>`);
    expect(body.match(/href="https:\/\/x\.com\/[^"]*"/g)).toEqual([`href="${onX}"`]);
    expect(body.match(/<ul class="ways">(?:<li>.*?<\/li>){3}<\/ul>/)).not.toBeNull();
  });

  test.each([
    ['deleted', 404, 'This post was deleted.'],
    ['suspended', 404, 'The author’s account is suspended.'],
    ['withheld', 404, 'X does not show this post to the public.'],
    ['protected', 403, 'Only followers can read this post.'],
  ] as const)('[lists 8] says on the lists of a post why it is missing: %s', async (reason, status, sentence) => {
    const { get } = createTestApp({ upstream: gone(reason) });
    for (const list of ['replies', 'quotes', 'retweets']) {
      const answer = await get(`/jack/status/20/${list}`, { headers });
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(`<h1>${sentence}</h1>`);
    }
  });

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

  test('[bounds 6] is no longer than the frame, whatever the request is', async () => {
    const { get } = createTestApp();
    const { body } = await get(`/search?q=${encodeURIComponent('<&"'.repeat(900))}`, { headers });
    expect(body.length).toBeLessThan(60_000);
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

  test('[pages 2] names what is limited', async () => {
    const { get } = await spent('/jack', TINY_ALLOWANCES.browse.anonymous.count);
    const { body } = await get('/jack', { headers });
    expect(body).toContain('<h1>The next page is yours in ');
    expect(body).toContain('posts can be read meanwhile');
  });

  test('[pages 2] speaks of an account, and leads to it on X, where the id of an account was given', async () => {
    const { get } = createTestApp({ upstream: gone('unknown') });
    const { body } = await get('/i/user/12', { headers });
    expect(body).toContain('X has no account with this number');
    expect(body).toContain('href="https://x.com/i/user/12"');
    expect((await get('/i/user/012', { headers })).body).toContain('<h1>This is not a link to an account.</h1>');
  });

  test('[lists 8] names the allowance of lists on the lists of a post, and leads to the post', async () => {
    const { get } = await spent('/i/status/20/quotes', TINY_ALLOWANCES.browse.anonymous.count);
    const { body } = await get('/i/status/20/quotes', { headers });
    expect(body).toContain('The allowance of profiles and lists is used up.');
    expect(body).toContain('<a href="/i/status/20">The post</a>');
  });
});

test.each([
  ['https://t.co/abc', 'unsupported_host', 'This is not a link of X itself.'],
  ['https://x.com/i/spaces/1', 'invalid_path', 'Postern has no page for this link.'],
  ['https://x.com/jack/status/0', 'invalid_id', 'This is not a link to a post.'],
  ['https://a:b@x.com/jack', 'invalid_url', 'This is not a link of X.'],
])('[pages 2] [pages 3] the box with %s returns the page of %s', async (text, code, sentence) => {
  const { get } = createTestApp();
  const target = `/?q=${encodeURIComponent(text)}`;
  const body = expectErrorPage(await get(target, { headers }), 400, code);
  expect(body).toContain(`<h1>${sentence}</h1>`);
  expect(body).toContain(`id="q" name="q" value="${text}"`);
  expect(body).not.toContain('As a problem document');
  expectProblem(await get(target), 400, code);
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

describe('an unknown route', () => {
  test('is a page of the same look, or Markdown, where that type is named', async () => {
    const { get } = createTestApp();
    const body = expectErrorPage(await get('/jack/nope', { headers }), 404, 'route_not_found');
    expect(body).toContain('<h1>Nothing is at this address.</h1>');
    expect(body).toContain('<a href="/docs">');
    const markdown = await get('/jack/nope', { headers: { accept: 'text/markdown' } });
    expect(markdown.body).toMatch(/^# No such route\n/);
    expectProblem(await get('/api/nope', { headers }), 404, 'route_not_found');
  });
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
