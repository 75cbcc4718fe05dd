// Creates the provider for the FxTwitter API v2.
import { withMediaWarnings } from '../media.ts';
import type { ProviderOptions, ProviderWith } from '../provider.ts';
import { createConversationReader } from './read-conversation.ts';
import { createFollowsReader, createPostSearcher, createPostsReader, createUserSearcher } from './read-lists.ts';
import { createProfileReader } from './read-profile.ts';

/** Pages of X have about 20 items. For more, FxTwitter calls X several times. */
const PAGE_SIZES = [20, 100] as const;

export const createFxTwitter = (
  options: ProviderOptions,
): ProviderWith<'readPost' | 'readProfile' | 'listPosts' | 'searchPosts' | 'listFollows' | 'searchUsers'> =>
  withMediaWarnings({
    pageSize: (requested) => PAGE_SIZES.find((size) => requested <= size) ?? 100,
    readPost: createConversationReader(options),
    readProfile: createProfileReader(options),
    listPosts: createPostsReader(options),
    searchPosts: createPostSearcher(options),
    listFollows: createFollowsReader(options),
    searchUsers: createUserSearcher(options),
  });
