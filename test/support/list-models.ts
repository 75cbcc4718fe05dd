// Provides profiles, lists and searches for tests of renderers: small models, and models from recorded provider answers.
import { readFileSync } from 'node:fs';
import { DEFAULT_LIMIT } from '../../shared/contract/parameters.ts';
import { createRepresentation, type Representation } from '../../shared/http/representation.ts';
import type { Post } from '../../shared/model/post.ts';
import type { Profile, SearchResults, Warning } from '../../shared/model/resources.ts';
import type { User } from '../../shared/model/user.ts';
import { decodeSegment } from '../../shared/model/x-urls.ts';
import type { SourcedResult, UseCaseResult } from '../../shared/ports/upstream.ts';
import type { SerializerOptions } from '../../shared/render/presenters/serialize.ts';
import type { Presenter, ViewContext } from '../../shared/render/presenters/view.ts';
import { createFxTwitterPostMapper } from '../../shared/upstream/fxtwitter/map-post.ts';
import { mapUser } from '../../shared/upstream/fxtwitter/map-user.ts';
import { userOf } from './post-models.ts';
import { RECORDED_AT } from './recorded-posts.ts';

interface Recorded {
  readonly user?: unknown;
  readonly results?: readonly Record<string, unknown>[];
}

/** @param file below fixtures/fxtwitter/, without extension */
const recorded = (file: string): Recorded =>
  JSON.parse(readFileSync(new URL(`../fixtures/fxtwitter/${file}.json`, import.meta.url), 'utf8'));

export const recordedUser = (file: string): User => {
  const user = mapUser(recorded(file).user);
  if (user === undefined) throw new Error(`no user in ${file}`);
  return user;
};

export const recordedPosts = (file: string): Post[] => {
  const mapper = createFxTwitterPostMapper(RECORDED_AT);
  return (recorded(file).results ?? []).flatMap((raw) => mapper.post(raw) ?? []);
};

export const recordedUsers = (file: string): User[] =>
  (recorded(file).results ?? []).flatMap((raw) => mapUser(raw) ?? []);

export const METRICS = { followers: 48_213, following: 1, posts: 0, likes: null, media: null };

/** An account with every optional member. */
export const fullUser = (members: Partial<User> = {}): User => ({
  ...userOf(),
  bio: 'I listen to fjords.',
  location: 'Tromsø',
  website: 'https://fjord.example/',
  avatar_url: 'https://pbs.twimg.com/profile_images/1/a_normal.jpg',
  created_at: '2011-03-09T18:22:41Z',
  verified: true,
  protected: true,
  metrics: METRICS,
  ...members,
});

export const profileOf = (profile: User, members: Partial<Omit<Profile, 'profile'>> = {}): Profile => ({
  profile,
  posts: [],
  ...members,
});

export const searchOf = (members: Partial<SearchResults> = {}): SearchResults => ({
  query: 'fjord',
  feed: 'latest',
  posts: [],
  ...members,
});

export interface RenderRequest extends Partial<SerializerOptions & ViewContext> {
  readonly warnings?: readonly Warning[];
}

export const BASE = 'https://postern.example';

const requestAt = ({ pathname, search }: URL): NonNullable<ViewContext['request']> => {
  const query = new URLSearchParams(search);
  const isFirst = (query.get('cursor') ?? '') === '';
  query.delete('cursor');
  const first = `${BASE}${pathname}${query.size === 0 ? '' : `?${query}`}`;
  return {
    limit: Number(query.get('limit') ?? DEFAULT_LIMIT),
    first: isFirst ? undefined : first,
    hasReposts: query.get('reposts') === 'include',
    handle: decodeSegment(pathname.split('/')[1] ?? ''),
  };
};

/** Builds the URLs that a request for `path` gets. @param path with its query */
export const pageUrlsAt = (path: string): Required<Pick<ViewContext, 'pageUrl' | 'request'>> => ({
  request: requestAt(new URL(path, BASE)),
  pageUrl: (cursor) => {
    const url = new URL(path, BASE);
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    return url.href;
  },
});

interface ListMembers {
  readonly posts?: readonly unknown[];
  readonly users?: readonly unknown[];
  readonly next_cursor?: string;
}

/** Leaves out the last items as the use cases do. Without a cursor of the whole, the cursor names the items that stay. */
export const withParts = <T>(result: SourcedResult<T>): UseCaseResult<T> => {
  const { posts, users, next_cursor: cursor } = result.value as ListMembers;
  const keep = (count: number): UseCaseResult<T> =>
    withParts({
      ...result,
      value: {
        ...result.value,
        ...(posts && { posts: posts.slice(0, count) }),
        ...(users && { users: users.slice(0, count) }),
        next_cursor: cursor ?? `after-${count}`,
      },
    });
  return { ...result, parts: { count: (posts ?? users ?? []).length, minimum: 1, keep } };
};

export const renderResult = <T>(
  present: Presenter<T>,
  result: SourcedResult<T>,
  {
    format = 'markdown',
    maxTokens,
    layout,
    baseUrl = BASE,
    metrics,
    pageUrl = pageUrlsAt('/somewhere').pageUrl,
    request,
    nextUrl = pageUrl,
  }: RenderRequest = {},
): Representation => {
  const urls = { baseUrl, pageUrl, nextUrl, ...(request && { request }) };
  return createRepresentation({ cache: 'list' }, present(withParts(result), urls), {
    now: RECORDED_AT,
    format,
    maxTokens,
    layout,
    metrics,
    urls,
  });
};

export const renderList = <T>(present: Presenter<T>, value: T, request: RenderRequest = {}): Representation => {
  const { warnings = [] } = request;
  return renderResult(present, { value, source: 'recorded', fetchedAt: RECORDED_AT, warnings }, request);
};

/** The Markdown in a JSON body, and the warnings of the body. */
export const renderListWithin = <T>(
  present: Presenter<T>,
  value: T,
  maxTokens: number | undefined,
  request: RenderRequest = {},
): { readonly markdown: string; readonly warnings: readonly Warning[] } =>
  JSON.parse(renderList(present, value, { ...request, format: 'json', maxTokens }).body);
