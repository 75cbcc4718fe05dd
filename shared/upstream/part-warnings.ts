// Warns if a part of a post is incomplete. The contract has no member for a part of an unknown kind, so the mappers record
// incomplete lists and cut posts in a WeakMap until the outcome is known. They must not be copied in between: a copy has no
// warning.
import { distinctWarnings, FOREIGN_PICTURE, type WarningCode, warning } from '../contract/warnings.ts';
import { entriesOf, isPost } from '../model/conversation.ts';
import { PICTURE_URL } from '../model/picture-hosts.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
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

const cutPosts = new WeakMap<Post, readonly WarningCode[]>();

/** Records a post that the provider may have cut, and the warnings of it, if any. */
export const markCut = (post: Post, codes: readonly WarningCode[]): Post => {
  cutPosts.set(post, codes);
  return post;
};

export const isMarkedCut = (post: Post): boolean => cutPosts.has(post);

const NO_CODES: readonly WarningCode[] = [];

const isForeign = (url: string | undefined): boolean => url !== undefined && !PICTURE_URL.test(url);

/** A picture of another host would be a tracker: forms link a photo, and leave out what stands beside words. */
const hasForeignPicture = ({ card, article, broadcast, quote, sensitive }: Post): boolean =>
  // Forms show no picture of a sensitive post.
  (!sensitive && [card?.image_url, article?.cover_url, broadcast?.thumbnail_url].some(isForeign)) ||
  (isPost(quote) && hasForeignPicture(quote));

/** Includes the quotes that the mappers include. */
const codesOf = (post: Post): readonly WarningCode[] => {
  const { media, article, poll, quote } = post;
  return [
    ...(cutPosts.get(post) ?? NO_CODES),
    ...(incompleteLists.get(media) ?? NO_CODES),
    ...((article && incompleteLists.get(article.blocks)) ?? NO_CODES),
    ...((poll && incompleteLists.get(poll.choices)) ?? NO_CODES),
    ...(isPost(quote) ? codesOf(quote) : NO_CODES),
  ];
};

/** @param postsOf all posts of a found value */
const withWarning =
  <Args extends readonly unknown[], T>(
    read: (...args: Args) => Promise<Outcome<T>>,
    postsOf: (value: T) => readonly PostOrTombstone[],
  ): typeof read =>
  async (...args) => {
    const outcome = await read(...args);
    if (outcome.kind !== 'found') return outcome;
    const posts = postsOf(outcome.value).filter(isPost);
    const warnings = [
      ...posts.flatMap(codesOf).map((code) => warning(code)),
      ...(posts.some(hasForeignPicture) ? [warning('media_unsupported', FOREIGN_PICTURE)] : []),
    ];
    if (warnings.length === 0) return outcome;
    return { ...outcome, warnings: distinctWarnings([...outcome.warnings, ...warnings]) };
  };

/** Adds the warnings about parts of posts to the results of a provider. */
export const withPartWarnings = <P extends Provider>(provider: P): P => {
  const { readPost, listPosts } = provider;
  return {
    ...provider,
    ...(readPost && { readPost: withWarning(readPost, entriesOf) }),
    ...(listPosts && {
      listPosts: (request: PostListRequest) => {
        const read = listPosts(request);
        return read && withWarning(read, ({ items }) => items);
      },
    }),
  };
};
