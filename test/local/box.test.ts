// Tests the redirects of the box through the whole local service: edge function, cache, API Gateway and function.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { type LocalRequestOptions, localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let service: LocalService;
const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

beforeAll(async () => {
  service = await startSlowService(localOptions());
});
afterAll(() => service.close());

describe('GET /?q= of the local service', () => {
  test('[pages 3] the shared cache has one redirect for all spellings of a text', async () => {
    const first = await get('/?q=low+tide', { headers: BROWSER });
    expect(first).toMatchObject({ status: 303, cache: 'Miss', headers: { location: '/search?q=low%20tide' } });
    for (const target of ['/?q=low%20tide', '/?utm_source=x&%71=%6cow+tide', '/?q=low+tide&lang=en']) {
      const again = await get(target, { headers: BROWSER });
      expect([target, again.status, again.cache]).toEqual([target, 303, 'Hit']);
      expect(again.headers.location).toBe('/search?q=low%20tide');
    }
    expect(await get('/?q=low+tide', { method: 'HEAD', headers: BROWSER })).toMatchObject({
      status: 303,
      cache: 'Hit',
      body: '',
      headers: { location: '/search?q=low%20tide', 'content-length': first.headers['content-length'] },
    });
    expect(await get('/', { headers: BROWSER })).toMatchObject({ status: 200, cache: 'Miss' });
    expect(await get('/?q=', { headers: BROWSER })).toMatchObject({ status: 200 });
  });

  test('[pages 3] a link of this service leads to its path', async () => {
    for (const [path, target] of [
      ['/jack/status/20?format=json', '/jack/status/20'],
      ['/X/followers', '/X/followers'],
    ]) {
      const { headers } = await get(`/?q=${encodeURIComponent(service.origin + path)}`);
      expect(headers.location).toBe(target);
    }
    expect((await get('/?q=http%3A%2F%2F127.0.0.1%3A1%2Fjack')).json()).toMatchObject({ code: 'unsupported_host' });
  });

  test.each([
    ['https://x.com/ada_larsson/with_replies', '/ada_larsson/with_replies'],
    ['https://x.com/ada_larsson/media', '/ada_larsson/media'],
    ['https://x.com/ada_larsson/articles', '/ada_larsson/articles'],
    ['https://x.com/ada_larsson/highlights', '/ada_larsson'],
    ['https://x.com/i/web/status/2028036267832246272/quotes', '/i/status/2028036267832246272/quotes'],
    [
      'https://x.com/ada_larsson/status/2028036267832246272/retweets',
      '/ada_larsson/status/2028036267832246272/retweets',
    ],
    ['https://x.com/ada_larsson/status/2028036267832246272/likes', '/ada_larsson/status/2028036267832246272'],
    ['https://x.com/i/web/status/20', '/i/status/20'],
    ['https://twitter.com/jack/statuses/20', '/jack/status/20'],
    ['https://x.com/jack/article/20', '/jack/status/20'],
  ])('[pages 3] [urls 17] the link %s leads to a page', async (link, path) => {
    const { status, headers } = await get(`/?q=${encodeURIComponent(link)}`, { headers: BROWSER });
    expect([status, headers.location]).toEqual([303, path]);
    const page = await get(path, { headers: BROWSER });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('[urls 17] the number of an article below /i/ is neither a link nor a permalink of a post', async () => {
    for (const link of ['https://x.com/i/article/20', `${service.origin}/i/article/20`])
      expect((await get(`/?q=${encodeURIComponent(link)}`)).json()).toMatchObject({ code: 'invalid_path' });
    for (const path of ['/i/article/20', '/I/article/20', '/@i/article/20', '/%40I/article/20'])
      expect((await get(path)).json()).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  test('[pages 3] a rejected link is not stored', async () => {
    for (const _ of [1, 2]) {
      const answer = await get('/?q=https%3A%2F%2Ft.co%2Fa');
      expect(answer).toMatchObject({ status: 400, cache: 'Miss', headers: { 'cache-control': 'no-store' } });
    }
    expect((await get('/?q=a&q=b')).json()).toMatchObject({ code: 'repeated_parameter' });
    for (const target of ['/?q=a', '/?q='])
      expect(await get(target, { method: 'POST' })).toMatchObject({
        status: 405,
        headers: { 'content-type': 'application/problem+json' },
      });
  });

  test('[pages 3] [pages 2] a rejected text is a problem document unless Accept names HTML', async () => {
    for (const target of ['/?q=https%3A%2F%2Ft.co%2Fa', '/?q=a&q=b']) {
      for (const headers of [{}, { Accept: '*/*' }, { Accept: 'text/markdown' }])
        expect((await get(target, { headers })).headers['content-type']).toBe('application/problem+json');
      expect((await get(target, { headers: BROWSER })).headers['content-type']).toBe('text/html; charset=utf-8');
    }
    expect((await get('/?q=', { headers: { Accept: '*/*' } })).headers['content-type']).toBe(
      'text/html; charset=utf-8',
    );
  });

  test('[pages 2] ?format=obsidian on a list is a page where HTML wins', async () => {
    for (const target of ['/X?format=obsidian', '/search?q=tide&format=obsidian'])
      expect((await get(target, { headers: BROWSER })).headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test.each([
    ['%', 303],
    ['%0d%0aSet-Cookie:%20a=b', 303],
    ['%00', 303],
    ['%ff%fe', 303],
    ['%ED%A0%80', 303],
    ['%E2%80%AE%F0%9F%90%8B', 303],
    ['//evil.example', 303],
    ['%5C%5Cevil.example', 303],
    ['/%5Cevil.example', 303],
    [encodeURIComponent('潮'.repeat(512)), 303],
    [encodeURIComponent('潮'.repeat(513)), 400],
    ['x'.repeat(8000), 400],
    ['x'.repeat(9000), 414],
  ] as const)('[pages 3] hostile text %# leads to a search or to a problem', async (text, status) => {
    const answer = await get(`/?q=${text}`, { headers: BROWSER });
    expect(answer.status).toBe(status);
    if (status !== 303) return;
    expect(answer.headers.location).toMatch(/^\/search\?q=[\w%.~-]+$/);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await get(answer.headers.location ?? '')).status).toBeLessThan(500);
  });
});

describe('an address of X at the local service', () => {
  test.each([
    ['/hashtag/tide', 303, '/search?q=%23tide&feed=top'],
    ['/Hashtag/media?f=live&src=x', 303, '/search?q=%23media&feed=latest'],
    ['/jack/status/20/?thread=off&utm_source=x', 308, '/jack/status/20?thread=off'],
    ['/search/?utm_source=x&q=a+b', 308, '/search?q=a%20b'],
    ['/docs/posts/', 308, '/docs/posts'],
    ['/%40jack/', 308, '/%40jack'],
    ['/explore', 404, undefined],
    ['/Explore', 404, undefined],
    ['/jack/likes/', 404, undefined],
    ['/hashtag/%ff', 404, undefined],
    ['//evil.example/', 404, undefined],
    ['/%5Cevil.example/status/20/', 404, undefined],
  ])('[inputs 6] [inputs 7] GET %s returns %i', async (target, status, location) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(target, { method, headers: BROWSER });
      expect([answer.status, answer.headers.location]).toEqual([status, location]);
    }
    expect((await get(target, { headers: BROWSER })).cache).toBe('Hit');
  });

  test('[inputs 6] /@explore is the profile of the account of this name', async () => {
    expect((await get('/@explore')).json()).toMatchObject({ code: 'profile_not_found' });
  });
});
