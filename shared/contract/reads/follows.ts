// Promises the followers of a profile, and the accounts that it follows.
import { FOLLOWING_FORMATS, LIST_FORMATS } from '../formats.ts';
import { LIST_PARAMETERS, OF_PROFILE, type Read, type ReadWords } from './row.ts';

export const listFollowers = {
  ...OF_PROFILE,
  path: '/api/v1/profiles/{handle}/followers',
  permalinks: { listFollowersPermalink: { path: '/{handle}/followers' } },
  parameters: ['handle', ...LIST_PARAMETERS],
  required: ['handle'],
  formats: LIST_FORMATS,
  list: ['followers', 'handle'],
  exportOption: 'followers',
  resource: 'userList',
  tool: 'x_list_followers',
  summary: 'List the followers of a public profile',
} as const satisfies Read;

export const listFollowersWords: ReadWords = {
  description: 'A page of the accounts that follow the account, in the order of the source.',
  example: { handle: 'ada_larsson', limit: '1' },
};

export const listFollowing = {
  ...OF_PROFILE,
  path: '/api/v1/profiles/{handle}/following',
  permalinks: { listFollowingPermalink: { path: '/{handle}/following' } },
  parameters: ['handle', ...LIST_PARAMETERS],
  required: ['handle'],
  formats: FOLLOWING_FORMATS,
  list: ['following', 'handle'],
  exportOption: 'following',
  resource: 'userList',
  tool: 'x_list_following',
  summary: 'List the accounts that a public profile follows',
} as const satisfies Read;

export const listFollowingWords: ReadWords = {
  description: 'A page of the accounts that the account follows, in the order of the source.',
  example: { handle: 'ada_larsson', limit: '1' },
};
