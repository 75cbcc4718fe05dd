// Maps lists of media and warns if a part of a post is incomplete. The contract has no member for a part of an unknown kind,
// so incomplete lists are recorded in a WeakMap until the outcome is known.

import { distinctWarnings, type WarningCode, warning } from '../contract/warnings.ts';
import { isTombstone } from '../model/entries.ts';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { Media, Post, PostOrTombstone } from '../model/post.ts';
import type { Conversation } from '../model/resources.ts';
import type { Outcome, PostListRequest } from '../ports/upstream.ts';
import type { Provider } from './provider.ts';

const incompleteLists = new WeakMap<readonly unknown[], readonly WarningCode[]>();

/** Records the warnings of a list: of media, of article blocks or of the choices of a poll. */
export const markIncomplete = <Entries extends readonly unknown[]>(
  entries: Entries,
  codes: readonly WarningCode[],
): Entries => {
  if (codes.length > 0) incompleteLists.set(entries, codes);
  return entries;
};

/** X allows 4. A page needs more work for a picture than for any other part of the same size. */
const MAX_MEDIA = 100;

/** @param map returns undefined for media that cannot be shown; then the list is incomplete */
export const mapMediaList = (values: readonly unknown[], map: (raw: JsonRecord) => Media | undefined): Media[] => {
  if (values.length === 0) return [];
  const media: Media[] = [];
  for (const value of values.slice(0, MAX_MEDIA)) {
    const raw = asRecord(value);
    const mapped = raw && map(raw);
    if (mapped !== undefined) media.push(mapped);
  }
  return media.length === values.length ? media : markIncomplete(media, ['media_unsupported']);
};

const NO_CODES: readonly WarningCode[] = [];

/** Includes the quotes that the mappers include. */
const codesOf = ({ media, article, poll, quote }: Post): readonly WarningCode[] => [
  ...(incompleteLists.get(media) ?? NO_CODES),
  ...((article && incompleteLists.get(article.blocks)) ?? NO_CODES),
  ...((poll && incompleteLists.get(poll.choices)) ?? NO_CODES),
  ...(quote !== undefined && 'metrics' in quote ? codesOf(quote) : NO_CODES),
];

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
    const codes = postsOf(outcome.value).flatMap((entry) => (isTombstone(entry) ? NO_CODES : codesOf(entry)));
    if (codes.length === 0) return outcome;
    const warnings = codes.map((code) => warning(code));
    return { ...outcome, warnings: distinctWarnings([...outcome.warnings, ...warnings]) };
  };

/** Adds the warnings about parts of posts to the results of a provider. */
export const withPartWarnings = <P extends Provider>(provider: P): P => {
  const { readPost, readPosts } = provider;
  return {
    ...provider,
    ...(readPost && { readPost: withWarning(readPost, postsIn) }),
    ...(readPosts && {
      readPosts: (request: PostListRequest) => {
        const read = readPosts(request);
        return read && withWarning(read, ({ items }) => items);
      },
    }),
  };
};
