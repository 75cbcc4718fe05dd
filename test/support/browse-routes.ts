// Lists the routes of profiles, lists and searches, creates long lists, and follows their pages as a client does.
import { expect } from 'vitest';
import type { AllowanceName } from '../../shared/contract/allowances.ts';
import type { Post } from '../../shared/model/post.ts';
import type { PageRequest, Upstream } from '../../shared/ports/upstream.ts';
import { linksOf } from './lifecycle-headers.ts';
import { BASE_URL, found, page, post, type TestApp, type TestResponse, upstreamFindingAll, user } from './test-app.ts';

/** Three URLs of one use case. */
export interface RouteTargets {
  readonly resource: string;
  readonly v1: string;
  readonly permalink: string;
  readonly alias: string;
}

/** @param query of the alias */
const targets = (resource: string, v1: string, permalink: string, query: string): RouteTargets => ({
  resource,
  v1: `/api/v1${v1}`,
  permalink,
  alias: `/api/browse?resource=${resource}&${query}`,
});

export const PROFILE_TARGETS: readonly RouteTargets[] = [
  targets('profile', '/profiles/jack', '/jack', 'handle=jack'),
  targets('followers', '/profiles/jack/followers', '/jack/followers', 'handle=jack'),
  targets('following', '/profiles/jack/following', '/jack/following', 'handle=jack'),
];

export const SEARCH_TARGETS: readonly RouteTargets[] = [
  targets('search', '/search?q=fjord', '/search?q=fjord', 'q=fjord'),
];

export const BROWSE_TARGETS: readonly RouteTargets[] = [...PROFILE_TARGETS, ...SEARCH_TARGETS];

/** The allowance of a use case. */
export const allowanceOf = ({ resource }: Pick<RouteTargets, 'resource'>): AllowanceName =>
  resource === 'search' ? 'search' : 'browse';

export const routesOf = (reads: readonly RouteTargets[]): readonly string[] =>
  reads.flatMap(({ v1, permalink, alias }) => [v1, permalink, alias]);

/** The same path with further query parameters. */
export const withQuery = (target: string, query: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${query}`;

/** First path segments that are never a handle, although the versioned routes accept each as a handle. */
export const RESERVED: readonly string[] = [
  ...'api docs mcp search oembed home about status assets static health login openapi'.split(' '),
  'API',
  'Admin', // in lower case it is a private path
  'Docs',
  'sEaRcH',
];

/** Every spelling of a key with the Bearer scheme. No key has been issued, so each is unknown. */
export const BEARER_FORMS: readonly string[] = [
  `Bearer pstn_${'a'.repeat(49)}`,
  'Bearer x',
  'bearer x',
  'BEARER   x',
  'Bearer',
  'Bearer ',
  'Bearer a b',
  'Bearer a, Bearer b',
  'Bearer,',
  'Bearer\tx',
];

/** Headers that another service might take for an API key. */
export const OTHER_CREDENTIALS: readonly Readonly<Record<string, string>>[] = [
  { authorization: 'Basic eDp5' },
  { authorization: 'Token pstn_x' },
  { authorization: 'Bearerx pstn_x' },
  { authorization: 'pstn_x' },
  { authorization: '' },
  { 'x-api-key': 'pstn_x' },
  { 'api-key': 'pstn_x' },
  { 'proxy-authorization': 'Bearer pstn_x' },
  { cookie: 'api_key=pstn_x' },
];

const PROVIDER_PAGE = 7;

const pageOf = <T>(length: number, itemAt: (index: number) => T, { cursor = '0' }: PageRequest) => {
  const from = Number(cursor);
  const to = Math.min(from + PROVIDER_PAGE, length);
  const items = Array.from({ length: to - from }, (_, index) => itemAt(from + index));
  return found(page(items, to < length ? String(to) : undefined));
};

/** The members by which a post belongs to a kind of timeline. */
const OF_KIND: Readonly<Record<string, Partial<Post>>> = {
  media: { media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] },
  articles: { article: { title: 'T', blocks: [] } },
};

/** Lists of `count` items, which the provider returns in pages of 7, whatever size is requested. */
export const upstreamWithLists = (length: number): Upstream => ({
  ...upstreamFindingAll,
  listPosts: async (request, at) => {
    const [author, kind] = request.list === 'posts' ? [request.handle, request.kind] : ['ada', ''];
    return pageOf(length, (index) => ({ ...post(String(1000 - index), author), ...OF_KIND[kind] }), at);
  },
  listUsers: async (_, at) => pageOf(length, (index) => user(`user_${index}`), at),
});

interface Item {
  readonly id: string;
}

export const idsOf = (answer: TestResponse): readonly string[] => {
  const { posts, users } = answer.json() as { readonly posts?: readonly Item[]; readonly users?: readonly Item[] };
  return (users ?? posts ?? []).map(({ id }) => id);
};

/** @returns the next page by the Link field; undefined: there is no next page */
export const nextLink = (answer: TestResponse): string | undefined => {
  const [next, ...more] = linksOf(answer).rel('next');
  expect(more).toEqual([]);
  if (next === undefined) return undefined;
  expect(next.uri.slice(0, BASE_URL.length + 1)).toBe(`${BASE_URL}/`);
  return next.uri.slice(BASE_URL.length);
};

export const cursorIn = (target: string): string | null => new URL(target, BASE_URL).searchParams.get('cursor');

/** Follows the links to the end and returns the ids of each page. Link and body must agree on the next page. */
export const collectPages = async (get: TestApp['get'], target: string): Promise<(readonly string[])[]> => {
  const pages: (readonly string[])[] = [];
  for (let next: string | undefined = target; next !== undefined; ) {
    const answer: TestResponse = await get(next, { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(200);
    pages.push(idsOf(answer));
    next = nextLink(answer);
    expect(answer.json()['next_cursor'] ?? null).toBe(next === undefined ? null : cursorIn(next));
  }
  return pages;
};

/** The cursor of the list that the target is a page of. */
export const cursorOf = async (get: TestApp['get'], target: string): Promise<string> => {
  const { next_cursor: cursor } = (await get(withQuery(target, 'format=json'))).json();
  expect(cursor).toEqual(expect.stringMatching(/^[\w-]+$/));
  return String(cursor);
};

/** The parameters that a problem document names. */
export const invalidParameters = (document: Record<string, unknown>): readonly string[] =>
  (document['errors'] as { readonly parameter: string }[]).map(({ parameter }) => parameter);

/** The visible answer, without the parts that differ from request to request. */
export const comparableAnswer = ({ status, headers, body }: TestResponse): unknown => ({
  status,
  headers: { ...headers, 'x-request-id': '' },
  body,
});

/** Cursors that the service did not sign: every changed character, truncations, padding and foreign values. */
export const tamperedCursors = (cursor: string): readonly string[] => [
  ...Array.from(cursor, (character, index) => {
    const other = character === 'A' ? 'B' : 'A';
    return `${cursor.slice(0, index)}${other}${cursor.slice(index + 1)}`;
  }),
  cursor.slice(0, -1),
  cursor.slice(1),
  `${cursor}=`,
  `${cursor}A`,
  `${cursor}%0A`,
  `%20${cursor}`,
  `${cursor}%2C${cursor}`,
  cursor.toLowerCase(),
  'A',
  '%00',
  '%zz',
  'fxtwitter:DAABCgABF@0',
  'A'.repeat(6001),
];
