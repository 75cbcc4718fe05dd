// Tests the header fields, the cache class and the validator of a representation.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Format } from '../../../shared/contract/media-types.ts';
import { warning } from '../../../shared/contract/warnings.ts';
import { createOriginCheck } from '../../../shared/http/event.ts';
import { FEED_HEADERS, PAGE_HEADERS } from '../../../shared/http/page-headers.ts';
import { createRepresentation, type Representation, respond, utf8Of } from '../../../shared/http/representation.ts';
import { html } from '../../../shared/render/html/html.ts';
import type { ResourceView, View } from '../../../shared/render/presenters/view.ts';
import { event } from '../../support/event.ts';

const view = (members: Partial<ResourceView<object>> = {}): ResourceView<object> => ({
  kind: 'resource',
  source: 'fxtwitter',
  fetchedAt: 0,
  warnings: [],
  isDegraded: false,
  members: () => ({ a: 1 }),
  markdown: () => ({ blocks: [] }) as unknown as ReturnType<ResourceView<object>['markdown']>,
  html: () => html`<!doctype html>`,
  ...members,
});

const represent = (shown: View, format: Format, isPermalink?: boolean): Representation =>
  createRepresentation({ cache: 'list' }, shown, {
    now: 0,
    format,
    maxTokens: undefined,
    urls: {
      baseUrl: 'https://a.example',
      pageUrl: (cursor) => `https://a.example/jack${cursor === undefined ? '' : `?cursor=${cursor}`}`,
      selfUrl: () => 'https://a.example/self',
    },
    ...(isPermalink !== undefined && { isPermalink }),
  });

const oembedUrl = 'https://a.example/embed';
const JSON_LINK = '<https://a.example/jack?format=json>; rel="alternate"; type="application/json"';
const MARKDOWN_LINK = '<https://a.example/jack?format=markdown>; rel="alternate"; type="text/markdown"';
const HTML_LINK = '<https://a.example/jack>; rel="alternate"; type="text/html"';
const EMBED_LINK = '<https://a.example/embed>; rel="alternate"; type="application/json+oembed"';

test.each<readonly [string, Partial<ResourceView<object>>, Format, boolean | undefined, string | undefined]>([
  ['nothing', {}, 'json', undefined, undefined],
  ['a next page', { nextCursor: 'c' }, 'json', undefined, '<https://a.example/jack?cursor=c>; rel="next"'],
  ['an embed on a versioned route', { oembedUrl }, 'json', false, undefined],
  ['an embed without a choice of route', { oembedUrl }, 'json', undefined, undefined],
  ['a permalink without an embed', {}, 'json', true, undefined],
  ['a permalink as JSON', { oembedUrl }, 'json', true, [HTML_LINK, MARKDOWN_LINK, EMBED_LINK].join(', ')],
  ['a permalink as a page', { oembedUrl }, 'html', true, [MARKDOWN_LINK, JSON_LINK, EMBED_LINK].join(', ')],
])('the Link field of a view with %s', (_, members, format, isPermalink, link) => {
  const sorted = (field: string | undefined) => field?.split(', ').toSorted();
  expect(sorted(represent(view(members), format, isPermalink).headers['Link'])).toEqual(sorted(link));
});

test('a page has the header fields of pages, and JSON has none', () => {
  expect(represent(view(), 'html').headers).toEqual(PAGE_HEADERS);
  expect(represent(view(), 'json').headers).toEqual({});
  const oembed: View = { kind: 'oembed', warnings: [], newestPostAt: 0, body: {} as never };
  expect(represent(oembed, 'json', true).headers).toEqual({});
});

test.each<readonly [string, View, string]>([
  ['a complete resource', view(), 'list'],
  ['a resource with a lasting warning', view({ warnings: [warning('users_partial')] }), 'list'],
  ['a resource with a warning that can pass', view({ warnings: [warning('posts_failed')] }), 'degraded'],
  ['a resource that says so itself', view({ isDegraded: true }), 'degraded'],
  ['an embed', { kind: 'oembed', warnings: [], newestPostAt: 0, body: {} as never }, 'list'],
  [
    'an embed with a warning',
    { kind: 'oembed', warnings: [warning('posts_failed')], newestPostAt: 0, body: {} as never },
    'degraded',
  ],
])('the cache class of %s', (_, shown, cache) => {
  expect(represent(shown, 'json').cache).toBe(cache);
});

const tagOf = (format: string, text: string): string =>
  `W/"${format.charAt(0)}${createHash('sha256').update(text).digest('base64url').slice(0, 21)}"`;

test.each<readonly [string, Pick<Representation, 'identity' | 'identityStart'>, string]>([
  ['the whole body', {}, 'time: body ø'],
  ['the body from its identity', { identityStart: 6 }, 'body ø'],
  ['a text beside the body', { identity: 'ø', identityStart: 6 }, 'ø'],
])('the tag of an answer is the hash of %s, behind its format', (_, identity, hashed) => {
  const facts = {};
  const { statusCode, headers, body } = respond(
    event('/'),
    { body: 'time: body ø', format: 'markdown', cache: 'post', headers: { Link: 'a' }, ...identity },
    { cacheTtlSeconds: 300, facts },
  );
  expect([statusCode, body, headers['ETag'], headers['Link']]).toEqual([
    200,
    'time: body ø',
    tagOf('markdown', hashed),
    'a',
  ]);
  expect(headers['Content-Type']).toBe('text/markdown; charset=utf-8');
  expect(facts).toEqual({ body: { text: 'time: body ø', bytes: 13 } });
});

test.each([
  ['the secret', ['s1', 's2'], 's1', true],
  ['the former secret', ['s1', 's2'], 's2', true],
  ['a part of the secret', ['s1'], 's', false],
  ['more than the secret', ['s1'], 's1s', false],
  ['another text of its length', ['s1'], 's2', false],
  ['no text', ['s1'], '', false],
  ['no text for an empty secret', [''], '', false],
  ['nothing that is configured', [], 's1', false],
])('the origin accepts only its secrets: %s', (_, secrets, presented, expected) => {
  expect(createOriginCheck(secrets)(event('/', { secret: presented }))).toBe(expected);
  expect(createOriginCheck(secrets)(event('/', { secret: null }))).toBe(false);
});

test('a feed may do nothing', () => {
  expect(FEED_HEADERS).toEqual({
    'Content-Security-Policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    'Referrer-Policy': 'no-referrer',
  });
});

const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant('\ud800'));

test('a text of any length has the bytes of Buffer.from, also with a lone surrogate', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 2000 }), (text, times) => {
      const long = text.repeat(times);
      expect(utf8Of(long).equals(Buffer.from(long))).toBe(true);
    }),
    // The last is larger than the reserved memory.
    { numRuns: 200, examples: [['灯台 🐋 ', 200_000]] },
  );
});

test('the bytes of a text do not change when the next text is encoded', () => {
  const first = utf8Of('é'.repeat(2000));
  utf8Of('x'.repeat(2000));
  expect(first.toString()).toBe('é'.repeat(2000));
});
