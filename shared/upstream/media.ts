// Lists of media, and the warning about what is missing from them. The contract has no member for media of an unknown
// kind, so that a list is remembered as incomplete beside the model until the answer is complete.
import { distinctWarnings, warning } from '../contract/warnings.ts';
import type { Conversation } from '../model/conversation.ts';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { Media, Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { Outcome } from '../ports/upstream.ts';
import type { Provider } from './provider.ts';

const incompleteLists = new WeakSet<readonly unknown[]>();

/** Marks a list of the model, media or blocks of an article, from which media is left out. */
export const markIncomplete = <Entries extends readonly unknown[]>(entries: Entries): Entries => {
  incompleteLists.add(entries);
  return entries;
};

/** @param map undefined: nothing that can be shown, so that the list is incomplete */
export const mapMediaList = (values: readonly unknown[], map: (raw: JsonRecord) => Media | undefined): Media[] => {
  const media: Media[] = [];
  for (const value of values) {
    const raw = asRecord(value);
    const mapped = raw && map(raw);
    if (mapped !== undefined) media.push(mapped);
  }
  return media.length === values.length ? media : markIncomplete(media);
};

/** Quotes are followed as far as the mappers follow them. */
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

/** @param postsOf all posts of what was found */
const warned =
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

/** The provider, with `media_unsupported` among the warnings of an answer if media of one of its posts is left out. */
export const withMediaWarnings = <P extends Provider>(provider: P): P => {
  const { readPost, listPosts, searchPosts } = provider;
  return {
    ...provider,
    ...(readPost && { readPost: warned(readPost, postsIn) }),
    ...(listPosts && { listPosts: warned(listPosts, ({ items }) => items) }),
    ...(searchPosts && { searchPosts: warned(searchPosts, ({ items }) => items) }),
  };
};
