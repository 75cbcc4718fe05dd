// FxTwitter API v2: everything that we read.
import { withMediaWarnings } from '../media.ts';
import type { ProviderOptions, ProviderWith } from '../provider.ts';
import { createConversationReader } from './read-conversation.ts';
import { createFollowsReader, createPostSearcher, createPostsReader, createUserSearcher } from './read-lists.ts';
import { createProfileReader } from './read-profile.ts';

/** X has pages of about 20; for more it is asked several times behind one call. */
const PAGE_SIZES = [20, 100] as const;

export const createFxTwitter = (
  options: ProviderOptions,
): ProviderWith<'readPost' | 'readProfile' | 'listPosts' | 'searchPosts' | 'listFollows' | 'searchUsers'> =>
  withMediaWarnings({
    pageSize: (wanted) => PAGE_SIZES.find((size) => wanted <= size) ?? 100,
    readPost: createConversationReader(options),
    readProfile: createProfileReader(options),
    listPosts: createPostsReader(options),
    searchPosts: createPostSearcher(options),
    listFollows: createFollowsReader(options),
    searchUsers: createUserSearcher(options),
  });
