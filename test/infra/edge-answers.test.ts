// [caching 8] Sends the same request to the functions directly and through the built edge function. Both answers must be the
// same: the edge function only gives equivalent requests one cache key.
import { describe, expect, test } from 'vitest';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { sampleOf } from '../support/full-form.ts';
import { createTestApp, type TestResponse, upstreamReturning } from '../support/test-app.ts';

const edge = createEdgeFunction(await buildEdge());

const ACCEPTS = [
  ...[undefined, '', '*/*', 'text/html', 'application/json', 'text/markdown', 'text/plain', 'text/*', 'image/png'],
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html;q=0.5,application/json;q=0.5',
  'text/markdown;q=0,*/*',
  'text/html;q=0',
  'application/rss+xml,text/html;q=0.9',
  'application/feed+json,*/*;q=0.5',
  'garbage',
];

const wordsOf = (...rows: readonly string[]): readonly string[] => rows.flatMap((row) => row.split(' '));

/** Paths that are already in canonical form. Any other path has no page behind the edge function. */
const TARGETS = [
  ...wordsOf(
    '/ /?q= /?q /?q=+%09 /?q=tide /?q=https://t.co/a /?q=a&q=b /?q=&q= /?q=%ff /?url=x /docs /docs?q=x',
    '/docs?format=json /docs/ /api /openapi.json /robots.txt /nowhere/at/all /search /search?q= /search?q=%09',
    '/search?q=tide /search?q=&q= /search?q=tide&feed=bad /search?q=tide&feed=users /search?q=tide&feed=users&feed=top /search/ /jack /@jack /i /Login /sixteen_letters_',
    '/jack?limit=0 /jack/followers?cursor=x /jack/ /jack/status/20 /jack/status/abc /ja-ck/status/20',
    '/jack/status/20?layout=unrolled /docs/status/20 /jack/with_replies /jack/media?until=2026-01-01 /jack/articles',
    '/jack/media?since=x /docs/media /jack/media?threads=merged /i/user/12 /jack?feed=users /jack/status/20/replies?sort=recent /jack/status/20/quotes /i/status/20/retweets',
    '/jack/status/20/likes /jack/statuses/20 /jack/article/20 /i/article/20',
    '/@i/article/20 /jack/status/20/photo/1 /jack/status/20/photo/0 /jack/status/20/video/100 /jack/status/20/photo/x',
    '/api/v1/posts?id=20&format=obsidian /api/v1/search?q=a&format=obsidian /api/v1/profiles/jack /api/v2',
    '/api/browse?resource=profile&handle=jack&format=obsidian /oembed?url=x /oembed?format=xml /mcp/x /jack/rss',
    '/jack/rss?format=json /jack/media/rss?kind=articles /jack/with_replies/rss?limit=0 /search/rss',
    '/search/rss?q=tide /search/rss?q=tide&feed=users /jack/articles?until=2024-01-01T00:00:00%20Z /jack/media/',
    '/jack/status/20/replies?sort=bad /ja-ck/status/20/quotes /i/status/0/retweets /jack/status/20/reposts',
    '/I/web/status/20 /jack/article/rss /api/v1/posts/lookup',
    '/api/v1/posts/x/quotes /jack/status/20/?thread=off /search/?q=a%20b /docs/posts/ /jack/rss/ /@jack/',
    '/api/v1/posts/ /docs/x/ /explore /hashtag/tide /hashtag/media?f=live /hashtag/rss /hashtag /jack/likes',
    '/ada,jack /ada,jack/media?limit=0 /jack, /ada,jack/rss /ada,b-o /,/rss /ada,jack/ /ada,jack/followers /api,docs',
    '/messages/1 /api/v1/posts/lookup?ids=20,https://x.com/a/status/21, /api/v1/posts/lookup/replies /api/v1/posts/20',
  ),
  ...['json', 'obsidian', 'html', 'bad', '', 'JSON', 'json&format=json'].flatMap((format) =>
    wordsOf(
      '/search?q=tide& /search? /jack? /jack/followers? /jack/media? /jack/status/20? /jack/status/20/photo/1?',
      '/jack/status/20/quotes?',
    ).map((target) => `${target}format=${format}`),
  ),
  ...['rss', 'atom', 'jsonfeed', 'ndjson', 'RSS', 'rss&format=rss', 'obsidian'].flatMap((format) =>
    wordsOf(
      '/jack? /jack/media? /ada,jack? /search? /search?q=tide& /search?q=tide&feed=users& /jack/followers?',
      '/jack/status/20/replies? /api/v1/profiles/jack/posts? /api/v1/posts/lookup?ids=20&',
      '/api/browse?resource=profile&handle=jack&',
    ).map((target) => `${target}format=${format}`),
  ),
];

const APPS = {
  'that finds everything': createTestApp(),
  'whose post is gone': createTestApp({ upstream: upstreamReturning({ kind: 'gone', reason: 'deleted' }) }),
  'whose provider is down': createTestApp({ upstream: upstreamReturning({ kind: 'down', why: 'x' }) }),
};

const fieldsOf = (accept: string | undefined): Readonly<Record<string, string>> =>
  accept === undefined ? {} : { accept };

const withoutId = ({ status, headers: { 'x-request-id': _, ...headers }, body }: TestResponse): object => ({
  status,
  headers,
  body: body.replaceAll(/"request_id":"[^"]*"/g, ''),
});

describe.each(Object.entries(APPS))('a service %s', (_, { get }) => {
  test.each(sampleOf(['GET', 'HEAD', 'POST']))(
    '[caching 8] answers %s through the edge function as it does without',
    async (method) => {
      for (const target of TARGETS)
        for (const accept of ACCEPTS) {
          const rawHeaders = ['Host', 'postern.test', ...Object.entries(fieldsOf(accept)).flat()];
          const canonical = edge({ method, target, rawHeaders, viewerIp: '192.0.2.1' });
          const sent = canonical.query === '' ? canonical.path : `${canonical.path}?${canonical.query}`;
          const through = await get(sent, { method, headers: fieldsOf(canonical.headers['accept']) });
          const direct = await get(target, { method, headers: fieldsOf(accept) });
          expect(withoutId(through), `${method} ${target}, Accept: ${accept}`).toEqual(withoutId(direct));
        }
    },
  );
});
