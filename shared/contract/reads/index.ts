// Lists the rows of the reads, in the order of the documents, and what the documents say about each.
import { readConversation, readConversationWords } from './conversation.ts';
import { listFollowers, listFollowersWords, listFollowing, listFollowingWords } from './follows.ts';
import { lookupPosts, lookupPostsWords } from './lookup.ts';
import { readOembed, readOembedWords } from './oembed.ts';
import { readPost, readPostWords } from './post.ts';
import { readProfile, readProfileById, readProfileByIdWords, readProfileWords } from './profile.ts';
import { listPosts, listPostsWords } from './profile-posts.ts';
import { listQuotes, listQuotesWords } from './quotes.ts';
import { listReplies, listRepliesWords } from './replies.ts';
import { listReposts, listRepostsWords } from './reposts.ts';
import type { Read, ReadWords } from './row.ts';
import { searchPosts, searchPostsWords } from './search.ts';
import { mergeTimelines, mergeTimelinesWords } from './timeline.ts';
import { readXList, readXListWords } from './x-list.ts';

export const reads = {
  readPost,
  lookupPosts,
  listReplies,
  listQuotes,
  listReposts,
  readConversation,
  // Precedes the reads of a profile, whose templates also match a list of handles.
  mergeTimelines,
  readProfile,
  readProfileById,
  listPosts,
  listFollowers,
  listFollowing,
  readXList,
  searchPosts,
  readOembed,
} as const satisfies Readonly<Record<string, Read>>;

export const readWords: Readonly<Record<keyof typeof reads, ReadWords>> = {
  readPost: readPostWords,
  lookupPosts: lookupPostsWords,
  listReplies: listRepliesWords,
  listQuotes: listQuotesWords,
  listReposts: listRepostsWords,
  readConversation: readConversationWords,
  mergeTimelines: mergeTimelinesWords,
  readProfile: readProfileWords,
  readProfileById: readProfileByIdWords,
  listPosts: listPostsWords,
  listFollowers: listFollowersWords,
  listFollowing: listFollowingWords,
  readXList: readXListWords,
  searchPosts: searchPostsWords,
  readOembed: readOembedWords,
};
