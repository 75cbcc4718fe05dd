// Promises a profile with its recent posts, by handle and by id.
import { PROFILE_FORMATS } from '../formats.ts';
import { OF_PROFILE, POST_LIST_PARAMETERS, type Read, type ReadWords } from './row.ts';

export const readProfile = {
  ...OF_PROFILE,
  path: '/api/v1/profiles/{handle}',
  permalinks: { readProfilePermalink: { path: '/{handle}' } },
  parameters: ['handle', 'reposts', ...POST_LIST_PARAMETERS],
  required: ['handle'],
  formats: PROFILE_FORMATS,
  list: ['posts', 'handle', 'reposts'],
  resource: 'profile',
  tool: 'x_get_profile',
  summary: 'Read a public profile with its recent posts',
} as const satisfies Read;

export const readProfileWords: ReadWords = {
  description:
    'The account and a page of its recent posts in the order of X, without replies, and without reposts unless `reposts=include`.',
  example: { handle: 'X', limit: '1' },
};

export const readProfileById = {
  ...OF_PROFILE,
  path: '/api/v1/users/{id}',
  permalinks: { readProfileByIdPermalink: { path: '/i/user/{id}' } },
  parameters: ['id', 'reposts', ...POST_LIST_PARAMETERS],
  required: ['id'],
  formats: PROFILE_FORMATS,
  list: ['posts by id', 'id', 'reposts'],
  resource: 'profile',
  tool: 'x_get_profile',
  summary: 'Read a public profile by the id of its account, which outlives its handle',
} as const satisfies Read;

export const readProfileByIdWords: ReadWords = {
  description:
    'As the read by handle. A handle can change or pass to another account, an id cannot. A cursor continues the list at the same address.',
  example: { id: '2201001', limit: '1' },
};
