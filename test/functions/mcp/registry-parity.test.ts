// Checks that the tools and the REST routes return the same bodies and accept the same cursors.
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../../shared/model/json.ts';
import type { Post } from '../../../shared/model/post.ts';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { User } from '../../../shared/model/user.ts';
import { visibleText, visibleUrl } from '../../../shared/model/visible-text.ts';
import type { Outcome, PostRequest, Upstream, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { upstreamWithLists, withQuery } from '../../support/browse-routes.ts';
import { createTestRegistry, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { listExchanges, readExchange } from '../../support/recorded-lists.ts';
import { readablePosts, readRecorded } from '../../support/recorded-posts.ts';
import { createTestApp, found, post } from '../../support/test-app.ts';

interface Body extends Readonly<Record<string, unknown>> {
  readonly warnings: readonly { readonly code: string }[];
}

// biome-ignore format: one line of names
const NOT_LEAN: readonly string[] = ['avatar_url', 'banner_url', 'variants', 'styles', 'decorations', 'start', 'end', 'blocks'];

/** Writes a REST body as the lean JSON of a tool: other members of posts and accounts, and visible texts only. */
const leanBody = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return /url$|^website$/.test(name) ? visibleUrl(value) : visibleText(value);
  if (Array.isArray(value)) return value.map((item) => leanBody(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, inner]) =>
      NOT_LEAN.includes(member) ? [] : [[member, leanBody(inner, member)]],
    ),
  );
};

const LISTS_OF_ITEMS = ['posts', 'users', 'ancestors', 'thread', 'replies'];

/** Ignores what depends on the bound, which is smaller for tools. */
const withoutBounds = ({
  markdown: _,
  notice: _notice,
  next_cursor: _cursor,
  ...body
}: Readonly<Record<string, unknown>>) => ({
  ...body,
  warnings: (body['warnings'] as Body['warnings'])
    .map(({ code }) => code)
    .filter((code) => !['truncated', 'partial_page', 'invisible_removed'].includes(code)),
});

const codesOf = (body: object | undefined): readonly string[] =>
  ((body as Body | undefined)?.warnings ?? []).map(({ code }) => code);

/** Expects the items of a tool to be the first items of REST; all items unless the result was cut. */
const expectSameBody = (actual: Readonly<Record<string, unknown>>, body: Readonly<Record<string, unknown>>): void => {
  const wasCut = codesOf(actual).includes('truncated');
  const expected = leanBody(withoutBounds(body)) as Readonly<Record<string, unknown>>;
  const kept = Object.entries(expected).map(([name, items]) => {
    const own = actual[name];
    const isCut = wasCut && LISTS_OF_ITEMS.includes(name) && Array.isArray(items) && Array.isArray(own);
    return [
      name,
      isCut ? items.slice(...(name === 'ancestors' ? [items.length - own.length] : [0, own.length])) : items,
    ];
  });
  expect(withoutBounds(actual)).toEqual(Object.fromEntries(kept));
  if (!wasCut) expect('next_cursor' in actual).toBe('next_cursor' in body);
};

/** The line of REST about the next page, which tools write outside the quote. */
const NEXT_PAGE = /\n+Next page: [^\n]*\n*$/;
/** Tools write warnings outside the quote. That a source has less data is none. */
const WARNINGS =
  /^\*Incomplete: (?:(?!A source with less data answered\.).)*?(A source with less data answered\.)?\*\n\n/m;
/** REST names the whole of a cut post by its URL. */
const READ_ON = /(Read on|Thread of \d+ posts): <[^>]*\/status\/(\d+)>/g;

const expectSame = async (upstream: Partial<Upstream>, route: string, tool: string, args: object) => {
  const { get } = createTestApp({ upstream });
  const { call } = createTestRegistry({ upstream });
  const restAnswer = await get(withQuery(route, 'format=json'));
  const result = await call(tool, args);
  if (restAnswer.status !== 200) {
    const { code, status, retry_after } = restAnswer.json();
    expect(result).toMatchObject({
      isError: true,
      _meta: { code, status, ...(retry_after !== undefined && { retry_after }) },
    });
    return;
  }
  const text = resultText(result);
  const { quote, notes } = splitResultText(text);
  if (!notes.some((note) => note.startsWith('Cut: '))) {
    const metrics = tool.startsWith('x_get_post') ? 'on' : 'off';
    const { body } = await get(withQuery(route, `format=markdown&metrics=${metrics}`));
    const expected = body
      .replace(NEXT_PAGE, '')
      .replace(WARNINGS, (_, rest?: string) => (rest === undefined ? '' : `*Incomplete: ${rest}*\n\n`))
      .replace(READ_ON, '$1: x_get_post with id "$2"')
      .trimEnd();
    const shown = quote.map((line) => line.slice(2)).join('\n');
    expect(shown).toBe(expected);
    const warnings = notes.filter((note) => note.startsWith('Note: ')).map((note) => note.slice('Note: '.length));
    expect(new Set(warnings).size).toBe(warnings.length);
    for (const warning of warnings) expect(shown).not.toContain(warning);
  }
  const json = await call(tool, { ...args, format: 'json' });
  expect(JSON.parse(resultText(json))).toEqual(json.structuredContent);
  expect(resultText(json).length).toBeLessThanOrEqual(24_000);
  expectSameBody(json.structuredContent ?? {}, restAnswer.json());
};

/** What the fallback adds to the page of a provider. */
const ofProvider = (outcome: Outcome<unknown>): Outcome<unknown> =>
  outcome.kind === 'found' && isRecord(outcome.value) && 'items' in outcome.value
    ? { ...outcome, value: { ...outcome.value, provider: 'fxtwitter', isFallback: false } }
    : outcome;

describe('[mcp 3] [text 19] results of tools and REST bodies', () => {
  test.each(readablePosts)('x_get_post has the Markdown and the lean JSON of the recorded post %s', async (file) => {
    const outcome: Outcome<Conversation> = await readRecorded(file);
    if (outcome.kind !== 'found') return;
    const { id } = outcome.value.post;
    await expectSame({ readPost: async () => outcome }, `/api/v1/posts?handle=i&id=${id}`, 'x_get_post', { id });
  });

  test.each(listExchanges.map((exchange) => [exchange.file, exchange] as const))(
    'the tool of the recorded list %s has its Markdown and its lean JSON',
    async (_, exchange) => {
      const outcome = ofProvider(await readExchange(exchange));
      const segments = new URL(exchange.path, 'http://recorded').pathname.split('/');
      const subject = decodeURIComponent(segments[3] ?? '').replace(/^@/, '');
      const kind = segments.at(-1);
      const posts = { listPosts: async () => outcome as Outcome<UpstreamPage<Post>> };
      const users = { listUsers: async () => outcome as Outcome<UpstreamPage<User>> };
      const profile = { readProfile: async () => outcome as Outcome<User> };
      const v1 = `/api/v1/profiles/${subject}`;
      const handle = { handle: subject };
      if (kind === 'statuses') {
        await expectSame(posts, v1, 'x_get_profile', handle);
        await expectSame(posts, `${v1}/posts?kind=replies`, 'x_list_posts', { ...handle, kind: 'replies' });
      } else if (kind === 'media' || kind === 'articles')
        await expectSame(posts, `${v1}/posts?kind=${kind}`, 'x_list_posts', { ...handle, kind });
      else if (kind === 'quotes')
        await expectSame(posts, `/api/v1/posts/${subject}/quotes`, 'x_list_replies', { id: subject, kind });
      else if (kind === 'reposts')
        await expectSame(users, `/api/v1/posts/${subject}/reposts`, 'x_list_replies', { id: subject, kind });
      else if (kind === 'followers') await expectSame(users, `${v1}/followers`, 'x_list_followers', handle);
      else if (kind === 'following') await expectSame(users, `${v1}/following`, 'x_list_following', handle);
      else if (kind === 'search') await expectSame(posts, '/api/v1/search?q=x', 'x_search_posts', { q: 'x' });
      else if (kind === 'typeahead')
        await expectSame(users, '/api/v1/search?q=x&feed=users', 'x_search_posts', { q: 'x', feed: 'users' });
      else await expectSame(profile, v1, 'x_get_profile', handle);
    },
  );

  test('[lists 8] x_get_posts has the Markdown and the lean JSON of posts and a tombstone', async () => {
    const readPost: Upstream['readPost'] = async ({ id }) =>
      id === '22'
        ? { kind: 'gone', reason: 'deleted' }
        : found({ post: post(id), ancestors: [], thread: [], replies: [] });
    await expectSame({ readPost }, '/api/v1/posts/lookup?ids=20,22,21', 'x_get_posts', { ids: ['20', '22', '21'] });
  });
});

const LISTS = [
  ['x_get_profile', '/api/v1/profiles/jack', { handle: '@jack' }],
  ['x_list_followers', '/api/v1/profiles/jack/followers', { username: 'jack' }],
  ['x_list_following', '/api/v1/profiles/jack/following', { handle: 'https://x.com/jack' }],
  ['x_search_posts', '/api/v1/search?q=fjord', { query: 'fjord' }],
  ['x_list_posts', '/api/v1/profiles/jack/posts', { handle: 'jack' }],
  ['x_list_replies', '/api/v1/posts/20/replies', { id: '20' }],
  ['x_list_replies', '/api/v1/posts/20/quotes', { id: '20', kind: 'quotes' }],
  ['x_list_replies', '/api/v1/posts/20/reposts', { id: '20', kind: 'reposts' }],
] as const;

const itemsOf = (body: Readonly<Record<string, unknown>> | undefined) => body?.['posts'] ?? body?.['users'];

test.each(LISTS)('[lists 8] a list that %s starts continues at %s, and the reverse', async (tool, route, args) => {
  const upstream = upstreamWithLists(20);
  const { get } = createTestApp({ upstream });
  const { call } = createTestRegistry({ upstream });
  const fullList = itemsOf((await get(withQuery(route, 'format=json'))).json());
  const firstByTool = (await call(tool, { ...args, limit: 6, format: 'json' })).structuredContent;
  const thenByRest = (
    await get(withQuery(route, `limit=50&format=json&cursor=${String(firstByTool?.['next_cursor'])}`))
  ).json();
  expect([itemsOf(firstByTool), itemsOf(thenByRest)].flat()).toEqual(fullList);
  const firstByRest = (await get(withQuery(route, 'limit=6&format=json'))).json();
  const thenByTool = (await call(tool, { ...args, limit: 50, page_token: firstByRest['next_cursor'], format: 'json' }))
    .structuredContent;
  expect([itemsOf(firstByRest), itemsOf(thenByTool)].flat()).toEqual(fullList);
});

test('[threads 3] x_get_post with layout unrolled quotes the thread as one text', async () => {
  const outcome: Outcome<Conversation> = await readRecorded('fxtwitter/thread/th3.json');
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  const requests: PostRequest[] = [];
  const upstream = {
    readPost: async (request: PostRequest) => {
      requests.push(request);
      return outcome;
    },
  };
  const { id } = outcome.value.post;
  const { call } = createTestRegistry({ upstream });
  const result = await call('x_get_post', { id, layout: 'unrolled' });
  const { quote } = splitResultText(resultText(result));
  const rest = await createTestApp({ upstream }).get(`/i/status/${id}?layout=unrolled`);
  expect(quote.map((line) => line.slice(2)).join('\n')).toBe(rest.body.trimEnd());
  expect(quote.filter((line) => line.includes('Thread of 4 posts'))).toHaveLength(1);
  expect(requests.map(({ replies }) => replies)).toEqual(['off', 'off']);
});
