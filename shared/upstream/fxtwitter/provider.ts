// Creates the provider for the FxTwitter API v2.
import { withPartWarnings } from '../media.ts';
import type { Provider, ProviderOptions, ProviderWith } from '../provider.ts';
import { createConversationReader } from './read-conversation.ts';
import {
  createFollowsReader,
  createPostSearcher,
  createQuotesReader,
  createRepostsReader,
  createUserSearcher,
} from './read-lists.ts';
import { createProfileReader } from './read-profile.ts';
import { createRepliesReader } from './read-replies.ts';
import { createTimelineReader } from './read-timeline.ts';

/** Pages of X have about 20 items. For more, FxTwitter calls X several times. */
const PAGE_SIZES = [20, 100] as const;

type Capability = Exclude<keyof Provider, 'pageSize'>;

export const createFxTwitter = (options: ProviderOptions): ProviderWith<Capability> =>
  withPartWarnings({
    pageSize: (requested) => PAGE_SIZES.find((size) => requested <= size) ?? 100,
    readPost: createConversationReader(options),
    readProfile: createProfileReader(options),
    listPosts: createTimelineReader(options),
    searchPosts: createPostSearcher(options),
    listReplies: createRepliesReader(options),
    listQuotes: createQuotesReader(options),
    listReposts: createRepostsReader(options),
    listFollows: createFollowsReader(options),
    searchUsers: createUserSearcher(options),
  });
