// Maps lists of media and warns if a list is incomplete. The contract has no member for media of an unknown kind, so
// incomplete lists are recorded in a WeakSet until the outcome is known.
import { distinctWarnings, warning } from '../contract/warnings.ts';
import type { Conversation } from '../model/conversation.ts';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { Media, Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { Outcome } from '../ports/upstream.ts';
import type { Provider } from './provider.ts';

const incompleteLists = new WeakSet<readonly unknown[]>();

/** Records that media is left out of a list of media or of article blocks. */
export const markIncomplete = <Entries extends readonly unknown[]>(entries: Entries): Entries => {
  incompleteLists.add(entries);
  return entries;
};

/** @param map returns undefined for media that cannot be shown; then the list is incomplete */
export const mapMediaList = (values: readonly unknown[], map: (raw: JsonRecord) => Media | undefined): Media[] => {
  if (values.length === 0) return [];
  const media: Media[] = [];
  for (const value of values) {
    const raw = asRecord(value);
    const mapped = raw && map(raw);
    if (mapped !== undefined) media.push(mapped);
  }
  return media.length === values.length ? media : markIncomplete(media);
};

/** Includes the quotes that the mappers include. */
const isIncomplete = ({ media, article, quote }: Post): boolean =>
  incompleteLists.has(media) ||
  (article !== undefined && incompleteLists.has(article.blocks)) ||
  (quote !== undefined && 'metrics' in quote && isIncomplete(quote));

const postsIn = ({ post, ancestors, thread, replies }: Conversation): readonly PostOrTombstone[] => [
  post,
  ...ancestors,
  ...thread,
  ...replies,
];

/** @param postsOf all posts of a found value */
const withWarning =
  <Args extends readonly unknown[], T>(
    read: (...args: Args) => Promise<Outcome<T>>,
    postsOf: (value: T) => readonly PostOrTombstone[],
  ): typeof read =>
  async (...args) => {
    const outcome = await read(...args);
    if (outcome.kind !== 'found') return outcome;
    const isWhole = postsOf(outcome.value).every((entry) => isTombstone(entry) || !isIncomplete(entry));
    if (isWhole) return outcome;
    return { ...outcome, warnings: distinctWarnings([...outcome.warnings, warning('media_unsupported')]) };
  };

/** Adds the warning `media_unsupported` to results of a provider if a post lacks media. */
export const withMediaWarnings = <P extends Provider>(provider: P): P => {
  const { readPost, listPosts, searchPosts, listReplies, listQuotes } = provider;
  return {
    ...provider,
    ...(readPost && { readPost: withWarning(readPost, postsIn) }),
    ...(listPosts && { listPosts: withWarning(listPosts, ({ items }) => items) }),
    ...(searchPosts && { searchPosts: withWarning(searchPosts, ({ items }) => items) }),
    ...(listReplies && { listReplies: withWarning(listReplies, ({ items }) => items) }),
    ...(listQuotes && { listQuotes: withWarning(listQuotes, ({ items }) => items) }),
  };
};
