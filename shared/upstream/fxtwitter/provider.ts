// FxTwitter API v2: everything that we read.
import { withMediaWarnings } from '../media.ts';
import type { ProviderOptions, ProviderWith } from '../providers.ts';
import { conversationReader } from './read-conversation.ts';
import { followsReader, postSearcher, postsReader, userSearcher } from './read-lists.ts';
import { profileReader } from './read-profile.ts';

/** X has pages of about 20; for more it is asked several times behind one call. */
const PAGE_SIZES = [20, 100] as const;

export const createFxTwitter = (
  options: ProviderOptions,
): ProviderWith<'readPost' | 'readProfile' | 'listPosts' | 'searchPosts' | 'listFollows' | 'searchUsers'> =>
  withMediaWarnings({
    pageSize: (wanted) => PAGE_SIZES.find((size) => wanted <= size) ?? 100,
    readPost: conversationReader(options),
    readProfile: profileReader(options),
    listPosts: postsReader(options),
    searchPosts: postSearcher(options),
    listFollows: followsReader(options),
    searchUsers: userSearcher(options),
  });
