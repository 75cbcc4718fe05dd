// Lists the routes of the lists of posts and of what others did with a post: v1 route, permalinks and the resource that owns the list.
import type { ProblemCode } from '../../shared/contract/problems.ts';

export interface ListRoute {
  readonly name: string;
  readonly v1: string;
  /** Has the same answers as the v1 route. Unset: X has no page for it. */
  readonly permalink?: string;
  /** The route reads the Authorization field. */
  readonly honoursKey: boolean;
  readonly notFound: ProblemCode;
  readonly notPublic: ProblemCode;
}

const timeline = (name: string, v1: string, permalink?: string): ListRoute => ({
  name,
  v1,
  ...(permalink !== undefined && { permalink }),
  honoursKey: true,
  notFound: 'profile_not_found',
  notPublic: 'profile_protected',
});

const engagement = (name: string, v1: string, permalink: string): ListRoute => ({
  name,
  v1,
  permalink,
  honoursKey: false,
  notFound: 'post_not_found',
  notPublic: 'post_protected',
});

const PROFILE_POSTS = '/api/v1/profiles/jack/posts';

export const LIST_ROUTES: readonly ListRoute[] = [
  timeline('posts of a profile', PROFILE_POSTS),
  timeline('posts and replies of a profile', `${PROFILE_POSTS}?kind=replies`, '/jack/with_replies'),
  timeline('media of a profile', `${PROFILE_POSTS}?kind=media`, '/jack/media'),
  timeline('articles of a profile', `${PROFILE_POSTS}?kind=articles`, '/jack/articles'),
  engagement('replies', '/api/v1/posts/20/replies', '/jack/status/20/replies'),
  engagement('quotes', '/api/v1/posts/20/quotes', '/jack/status/20/quotes'),
  engagement('reposts', '/api/v1/posts/20/reposts', '/jack/status/20/retweets'),
];

export const targetsOf = ({ v1, permalink }: ListRoute): readonly string[] =>
  permalink === undefined ? [v1] : [v1, permalink];
