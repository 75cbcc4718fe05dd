// Tests the redirects of the box.
import { describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { BASE_URL, createTestApp } from '../../support/test-app.ts';

const { get } = createTestApp();

const box = (text: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  get(`/?q=${encodeURIComponent(text)}`, { headers, method });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('GET /?q=', () => {
  test.each([
    ['https://x.com/jack/status/20?s=46', '/jack/status/20'],
    [`${BASE_URL}/jack/status/20`, '/jack/status/20'],
    ['@jack', '/jack'],
    ['https://x.com/search?q=tide&f=live', '/search?q=tide&feed=latest'],
    ['low tide', '/search?q=low%20tide'],
    ['@Jack @ada, bo', '/ada,bo,jack'],
    ['//evil.example/', '/search?q=%2F%2Fevil.example%2F'],
    ['a\r\nLocation: //evil.example', '/search?q=a%0D%0ALocation%3A%20%2F%2Fevil.example'],
  ])('[pages 3] returns 303 for %j', async (text, location) => {
    const answer = await box(text);
    expect([answer.status, answer.headers['location'], answer.body]).toEqual([303, location, `${location}\n`]);
    expect((await get(location, { headers: { accept: BROWSER } })).status).toBe(200);
  });

  test.each(['*/*', BROWSER, 'text/markdown', 'application/json', 'image/png'])(
    '[pages 3] returns the same cacheable 303 when Accept is %s',
    async (accept) => {
      const { status, headers } = await box('tide', { accept });
      const { 'x-request-id': _, ...fields } = headers;
      expect(status).toBe(303);
      expect(fields).toEqual({
        location: '/search?q=tide',
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=3600, s-maxage=3600',
        vary: 'Accept, Accept-Encoding',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.any(String),
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test.each([
    ['q=cy&to=ada,bo/media', 303, '/ada,bo,cy/media'],
    ['q=%20&to=ada,bo', 303, '/ada,bo'],
    ['q=c-y&to=ada,bo', 400, undefined],
    ['q=cy&to=//evil.example', 400, undefined],
    [`q=${Array.from({ length: 20 }, (_, index) => `@a${index}`).join('+')}&to=ada,bo`, 400, undefined],
  ])('[timelines 7] returns for %s the status %i and the timeline %s', async (query, status, location) => {
    const answer = await get(`/?${query}`, { headers: { accept: BROWSER } });
    expect([answer.status, answer.headers['location']]).toEqual([status, location]);
    if (query.includes('a19')) expect(answer.body).toContain('A timeline has at most 20 accounts.');
  });

  test('[pages 3] answers HEAD with the headers of GET and no content', async () => {
    const { 'x-request-id': _, ...headers } = (await box('tide')).headers;
    const answer = await box('tide', {}, 'HEAD');
    expect([answer.status, answer.body]).toEqual([303, '']);
    expect(answer.headers).toMatchObject(headers);
  });

  test.each(['/?q=', '/?q=%20%0A', '/?q', '/?url=x', '/?'])(
    '[pages 3] returns the front page at %s',
    async (target) => {
      const { status, body } = await get(target, { headers: { accept: BROWSER } });
      expect([status, body]).toEqual([200, (await get('/', { headers: { accept: BROWSER } })).body]);
    },
  );

  test.each([
    ['https://t.co/abc', 'unsupported_host'],
    ['https://x.com/i/spaces/1', 'invalid_path'],
    ['https://x.com/jack%0d%0a/article/20', 'invalid_handle'],
    ['https://jack:secret@x.com/jack', 'invalid_url'],
    ['1'.repeat(513), 'invalid_query'],
  ])('[pages 3] returns 400 for %s', async (text, code) => {
    const answer = await box(text);
    expectProblem(answer, 400, code);
    expect(answer.json()).toMatchObject({ errors: [{ parameter: 'q' }] });
    expect(answer.body).not.toContain('secret');
  });

  test('[pages 5] says of a short link of X what it is, to people and to programs, and requests nothing', async () => {
    const text = /^This is a short link of X, and only X knows where it leads\. .* open the link in a browser/;
    expect((await box('https://t.co/abc')).json().detail).toMatch(text);
    const page = (await box('https://t.co/abc', { accept: BROWSER })).body;
    expect(page).toContain('<h1>This is a short link of X.</h1>');
    expect(page).not.toContain('not a link of X');
  });

  test('[pages 3] says of a link of this service without a subject only that it has none', async () => {
    const { code, detail } = (await box('https://api.example.test/docs')).json();
    expect(code).toBe('invalid_path');
    expect(detail).toBe('q is a link, but not of a post, a profile, a list of one of them or a search.');
  });

  test('[pages 3] returns 400 for a repeated q', async () => {
    expectProblem(await get('/?q=a&q=b'), 400, 'repeated_parameter');
  });
});
