// Lists the kinds of query of FxTwitter with their canaries. X limits each kind separately.
import type { QueryKinds } from '../json-client.ts';
import type { Canaries } from '../provider.ts';

/** The parameter of a profile with what X says about the account. */
export const ABOUT = 'about_account=1';

interface QueryKind {
  readonly name: string;
  /** Matches path and query after the base URL. */
  readonly pattern: RegExp;
  canaryPath(canaries: Canaries): string;
}

const queryKinds: readonly QueryKind[] = [
  {
    name: 'quotes',
    pattern: /^\/2\/status\/[0-9]+\/quotes\b/,
    canaryPath: ({ post }) => `/2/status/${post}/quotes?count=20`,
  },
  {
    name: 'reposts',
    pattern: /^\/2\/status\/[0-9]+\/reposts\b/,
    canaryPath: ({ post }) => `/2/status/${post}/reposts?count=20`,
  },
  { name: 'status', pattern: /^\/2\/status\//, canaryPath: ({ post }) => `/2/status/${post}` },
  {
    // Both routes use the same query of X.
    name: 'conversation',
    pattern: /^\/2\/(?:conversation|thread)\//,
    canaryPath: ({ post }) => `/2/conversation/${post}?ranking_mode=likes`,
  },
  {
    // X has a timeline of its own with replies.
    name: 'statuses with replies',
    pattern: /^\/2\/profile\/[^/]+\/statuses\?with_replies=/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/statuses?with_replies=1&count=20`,
  },
  {
    name: 'statuses',
    pattern: /^\/2\/profile\/[^/]+\/statuses\b/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/statuses?count=20`,
  },
  {
    name: 'media',
    pattern: /^\/2\/profile\/[^/]+\/media\b/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/media?count=20`,
  },
  {
    name: 'articles',
    pattern: /^\/2\/profile\/[^/]+\/articles\b/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/articles?count=20`,
  },
  {
    name: 'followers',
    pattern: /^\/2\/profile\/[^/]+\/followers\b/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/followers?count=20`,
  },
  {
    name: 'following',
    pattern: /^\/2\/profile\/[^/]+\/following\b/,
    canaryPath: ({ profile }) => `/2/profile/${profile}/following?count=20`,
  },
  {
    name: 'about',
    pattern: /^\/2\/profile\/[^/]+\?about_account=/,
    canaryPath: ({ profile }) => `/2/profile/${profile}?${ABOUT}`,
  },
  { name: 'profile', pattern: /^\/2\/profile\//, canaryPath: ({ profile }) => `/2/profile/${profile}` },
  {
    name: 'search',
    pattern: /^\/2\/search\b/,
    canaryPath: ({ profile }) => `/2/search?q=from%3A${profile}&feed=latest&count=20`,
  },
  {
    name: 'typeahead',
    pattern: /^\/2\/typeahead\b/,
    canaryPath: ({ profile }) => `/2/typeahead?q=${profile}&result_type=users`,
  },
];

export const fxTwitterQueryKinds = (baseUrl: string, canaries: Canaries): QueryKinds => {
  const kindOf = (url: string): string =>
    queryKinds.find(({ pattern }) => pattern.test(url.slice(baseUrl.length)))?.name ?? 'other';
  return {
    kindOf,
    canaryUrlOf(kind) {
      const path = queryKinds.find(({ name }) => name === kind)?.canaryPath(canaries);
      return path === undefined ? undefined : `${baseUrl}${path}`;
    },
    // Many posts, and each text twice.
    mayBeLarge: (url) => kindOf(url) === 'conversation',
    confirmsRejections: true,
  };
};
