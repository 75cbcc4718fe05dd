// Tests posts, threads, lists, the box, methods, caching, compression and paths of the local service: edge function, cache,
// API Gateway and the AWS bundles.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import LinkHeader from 'http-link-header';
import { describe, expect, test } from 'vitest';
import { shareService, startTestService } from '../support/local-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { idsOf, PARTS, partId } from '../support/threads.ts';

const JACK = '/api/v1/posts?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';
/** A thread of the sample with several kB of Markdown. */
const THREAD = '/ada_larsson/status/2034932961899447678';
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const service = shareService();
const { get } = service;

test('[outages 9] a weight of a base URL is a notice at start', async () => {
  const FXTWITTER_BASE_URL = 'https://one.example;weight=2,https://two.example';
  const { notices } = await startTestService({ FXTWITTER_BASE_URL });
  expect(notices).toEqual([expect.stringMatching(/^FXTWITTER_BASE_URL: weights of base URLs are ignored/)]);
});

describe('the shared cache', () => {
  test('answers the second request with its age', async () => {
    const { get: fresh } = await startTestService();
    expect((await fresh(JACK)).headers).toMatchObject({ 'x-cache': 'Miss from cloudfront' });
    const { headers } = await fresh(JACK);
    expect(headers['x-cache']).toBe('Hit from cloudfront');
    expect(headers.age).toMatch(/^[0-9]+$/);
  });

  test('[caching 8] never answers a request for Markdown with JSON, nor the other way round', async () => {
    const { get: fresh } = await startTestService();
    expect((await fresh(JACK)).headers['content-type']).toMatch(/markdown/);
    const json = await fresh(JACK, { headers: { Accept: 'application/json' } });
    expect(json.headers['content-type']).toBe('application/json');
    expect(json.cache).toBe('Miss');
    expect((await fresh(JACK, { headers: { Accept: 'application/json;q=0.9, text/plain;q=0.1' } })).cache).toBe('Hit');
  });

  test('[caching 7] [caching 11] [caching 14] ignores unknown query parameters in its key', async () => {
    const { get: fresh } = await startTestService();
    await fresh('/api/v1/posts?handle=jack&id=20');
    for (const target of [
      '/api/v1/posts?utm_source=x&id=20&handle=jack',
      '/api/v1/posts?nocache=1&handle=JACK&id=20',
      '/api/v1/posts?handle=jack&%69d=20&a[]=1&;',
    ]) {
      expect(await fresh(target), target).toMatchObject({ status: 200, cache: 'Hit' });
    }
    const headers = { 'Cache-Control': 'no-cache', Pragma: 'no-cache' };
    expect((await fresh('/api/v1/posts?handle=jack&id=20', { headers })).cache).toBe('Hit');
  });

  test('[caching 5] leaves If-None-Match to the function when it is disabled', async () => {
    const direct = await startTestService({ CACHE_TTL_SECONDS: '0' });
    const { headers, cache } = await direct.get(JACK);
    expect(cache).toBe('Miss');
    expect((await direct.get(JACK, { headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(304);
  });
});

describe('paths', () => {
  test.each([
    '/api/v1/posts/',
    '/API/v1/posts',
    '//api/v1/posts',
    '/api/v1//posts',
    '/api/v1/%70osts',
    '/api%2fv1/posts',
    '/api/../api/v1/posts',
    '/..;/api',
    '/.%2e/api',
    '/api\\v1\\posts',
    '/j%61ck/status/20',
    '/jack/Status/20/',
    '/api/v1/search;x.js',
    '/admin%2f..%2fapi',
    '/-/api/v1/posts',
    '/no-where',
  ])(
    '[caching 12] [problems 5] [headers 2] %s matches no route, and the answer repeats the path as the client sent it',
    async (path) => {
      const { status, headers, json } = await get(`${path}?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20`);
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(json()).toMatchObject({ code: 'route_not_found', instance: path.replaceAll('\\', '%5C') });
    },
  );

  test('[caching 12] handles in any letter case share one cache entry', async () => {
    const { get: fresh } = await startTestService();
    await fresh('/jack/status/20');
    expect((await fresh('/JACK/status/20')).cache).toBe('Hit');
  });
});

describe('[caching 18] the shared cache', () => {
  test('has one entry per normalized Accept-Encoding', async () => {
    const { get: fresh } = await startTestService();
    const ask = async (field?: string) => {
      const { headers, body, cache } = await fresh(
        THREAD,
        field === undefined ? {} : { headers: { 'Accept-Encoding': field } },
      );
      return { cache, coding: headers['content-encoding'], body, etag: headers.etag, vary: headers.vary };
    };
    const plain = await ask();
    expect(plain).toMatchObject({ cache: 'Miss', coding: undefined, vary: 'Accept, Accept-Encoding' });
    const { body, etag, vary } = plain;
    expect(await ask('gzip, deflate, br, zstd')).toEqual({ cache: 'Miss', coding: 'br', body, etag, vary });
    expect(await ask('br, gzip;q=0.5')).toEqual({ cache: 'Hit', coding: 'br', body, etag, vary });
    expect(await ask('gzip')).toEqual({ cache: 'Miss', coding: 'gzip', body, etag, vary });
    expect(await ask('gzip;q=0, br')).toMatchObject({ cache: 'Miss', coding: 'br' });
    expect(await ask('*')).toMatchObject({ cache: 'Hit', coding: 'br' });
    for (const field of ['gzip, deflate', 'x-gzip'])
      expect(await ask(field), field).toEqual({ cache: 'Hit', coding: 'gzip', body, etag, vary });
    for (const field of ['identity', 'deflate', 'gzip;q=0', '*;q=0'])
      expect(await ask(field), field).toEqual({ cache: 'Hit', coding: undefined, body, etag, vary });
  });
});

const PERMALINKS: readonly string[] = [
  '/ada_larsson?limit=3',
  '/ada_larsson/followers?limit=3',
  '/ada_larsson/following?limit=3',
  '/search?q=tide&limit=3',
];

describe.each(PERMALINKS)('%s', (permalink) => {
  test('[caching 4] is stored by the shared cache, which also answers HEAD', async () => {
    await get(permalink);
    const { status, cache, body, headers } = await get(permalink, { method: 'HEAD' });
    expect({ status, cache, body }).toEqual({ status: 200, cache: 'Hit', body: '' });
    expect(headers['cache-control']).toBe(
      'public, max-age=30, s-maxage=60, stale-while-revalidate=300, stale-if-error=3600',
    );
    expect(headers['x-api-key-status']).toBe('anonymous');
  });
});

test('the Link fields of a list lead through all pages to its end', async () => {
  const handles: string[] = [];
  let target: string | undefined = '/ada_larsson/followers?limit=50&format=json';
  let pages = 0;
  while (target !== undefined) {
    const { status, headers, json } = await get(target);
    expect(status).toBe(200);
    const { users } = json() as { readonly users: readonly { readonly handle: string }[] };
    handles.push(...users.map(({ handle }) => handle));
    const [next] = LinkHeader.parse(headers.link?.toString() ?? '').rel('next');
    target = next?.uri.slice(service.origin.length);
    pages += 1;
  }
  expect(pages).toBe(3);
  expect(handles).toHaveLength(132);
  expect(new Set(handles).size).toBe(132);
});

test('a list ends after its last recorded page', async () => {
  const { json } = await get('/x?format=json');
  expect(json()).toMatchObject({ profile: { handle: 'X' }, warnings: [{ code: 'sample' }] });
  expect(json()).not.toHaveProperty('next_cursor');
});

test('the sample answers 404 for other accounts with every list of providers', async () => {
  const { get: fresh } = await startTestService({ PROVIDERS: 'fxtwitter,syndication,x_api' });
  for (const target of ['/unknown_2', '/unknown_2/followers', '/jack/status/21'])
    expect((await fresh(target)).status, target).toBe(404);
  expect((await fresh('/ada_larsson')).status).toBe(200);
});

describe('cursors of the local service', () => {
  const cursorOf = async (from: Awaited<ReturnType<typeof startTestService>>): Promise<string> =>
    String((await from.get('/ada_larsson/followers?limit=1&format=json')).json()['next_cursor']);
  const accepts = async (from: Awaited<ReturnType<typeof startTestService>>, cursor: string): Promise<number> =>
    (await from.get(`/ada_larsson/followers?cursor=${cursor}`)).status;

  test('stay valid after a restart, with a secret in DATA_DIR that only its owner can read', async () => {
    const DATA_DIR = temporaryFolder();
    const cursor = await cursorOf(await startTestService({ DATA_DIR }));
    const file = join(DATA_DIR, 'cursor-secret');
    expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await accepts(await startTestService({ DATA_DIR }), cursor)).toBe(200);
  });

  test('become invalid at a restart when DATA_DIR is memory', async () => {
    const cursor = await cursorOf(await startTestService({ DATA_DIR: 'memory' }));
    expect(await accepts(await startTestService({ DATA_DIR: 'memory' }), cursor)).toBe(400);
  });

  test('are signed with CURSOR_SECRETS when it is set', async () => {
    const cursor = await cursorOf(await startTestService({ CURSOR_SECRETS: 'one' }));
    expect(await accepts(await startTestService({ CURSOR_SECRETS: 'two,one' }), cursor)).toBe(200);
    expect(await accepts(await startTestService({ CURSOR_SECRETS: 'two' }), cursor)).toBe(400);
  });
});

describe('GET /?q= of the local service', () => {
  test('[pages 3] the shared cache has one redirect for all spellings of a text', async () => {
    const first = await get('/?q=low+tide', { headers: BROWSER });
    expect(first).toMatchObject({ status: 303, cache: 'Miss', headers: { location: '/search?q=low%20tide' } });
    for (const target of ['/?q=low%20tide', '/?utm_source=x&%71=%6cow+tide', '/?q=low+tide&hl=en']) {
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
});

interface Conversation {
  readonly post: { readonly id: string };
  readonly ancestors: readonly { readonly id: string }[];
  readonly thread: readonly { readonly id: string }[];
  readonly replies: readonly { readonly id: string }[];
  readonly warnings: readonly { readonly code: string }[];
}

const read = async (id: string, query = ''): Promise<Conversation> => {
  const { status, body } = await get(`/i/status/${id}?format=json${query}`);
  expect(status).toBe(200);
  const read: Conversation = JSON.parse(body);
  // The posts of the sample count more replies than it has.
  return { ...read, warnings: read.warnings.filter(({ code }) => code !== 'more_replies' && code !== 'sample') };
};

describe('the long thread', () => {
  test.each(PARTS)('[threads 1] is complete from %s', async (id) => {
    const { ancestors, post, thread, warnings } = await read(id);
    expect([...idsOf(ancestors), post.id, ...idsOf(thread)]).toEqual(PARTS);
    expect(warnings).toEqual([]);
  });

  test.each(['text/markdown', 'text/html'])('[threads 1] is complete as %s', async (accept) => {
    const { body } = await get(`/lena_quay/status/${partId(15)}`, { headers: { accept } });
    const [text = ''] = body.slice(body.indexOf('<body') + 1).split('<nav class="other-forms"');
    const shown = [...text.matchAll(/Tide notes (\d+)\/25/g)].map(([, part]) => Number(part));
    expect(shown).toEqual(PARTS.map((_, index) => index + 1));
  });
});

test('[threads 1] the shorter thread is complete from each of its parts, and its replies are of other authors', async () => {
  const parts = ['2034932961899447678', '2034933213557687715', '2034933465215927752', '2034933716874167789'];
  for (const id of parts) {
    const { ancestors, post, thread, replies, warnings } = await read(id, '&replies=recent');
    expect([...idsOf(ancestors), post.id, ...idsOf(thread)]).toEqual(parts);
    expect(idsOf(replies).filter((reply) => parts.includes(reply))).toEqual([]);
    expect(warnings).toEqual([]);
  }
});

test('the URL of a repost shows the original post with its conversation', async () => {
  expect(await read('2034570574033847604')).toMatchObject({ post: { id: '2028742169195446346' }, warnings: [] });
});
