// Warns if a part of a post is incomplete. The contract has no member for a part of an unknown kind, so the mappers give a post
// a member that is a symbol: copies keep it, and JSON leaves it out.
import { distinctWarnings, FOREIGN_PICTURE, type WarningCode, warning } from '../contract/warnings.ts';
import { entriesOf, isPost } from '../model/conversation.ts';
import { PICTURE_URL } from '../model/picture-hosts.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
import type { Outcome, PostListRequest } from '../ports/upstream.ts';
import type { Provider } from './provider.ts';

const LOSSES: unique symbol = Symbol('losses');

interface Losses {
  /** About media, blocks of an article and choices of a poll that could not be mapped. */
  readonly parts: readonly WarningCode[];
  /** Set if the provider may have cut the post: what is missing, as far as it is known. */
  readonly cut?: readonly WarningCode[];
}

type MappedPost = Post & { readonly [LOSSES]?: Losses };

const NO_LOSSES: Losses = { parts: [] };

const lossesOf = ({ [LOSSES]: losses = NO_LOSSES }: MappedPost): Losses => losses;

/** @param parts the warnings about parts of the post */
export const withLosses = (post: Post, parts: readonly WarningCode[]): MappedPost =>
  parts.length === 0 ? post : { ...post, [LOSSES]: { parts } };

/** @param codes the warnings about a post that the provider may have cut, if any */
export const markCut = (post: Post, codes: readonly WarningCode[]): MappedPost => ({
  ...post,
  [LOSSES]: { ...lossesOf(post), cut: codes },
});

export const isMarkedCut = (post: Post): boolean => lossesOf(post).cut !== undefined;

const isForeign = (url: string | undefined): boolean => url !== undefined && !PICTURE_URL.test(url);

/** A picture of another host would be a tracker: forms link a photo, and leave out what stands beside words. */
const hasForeignPicture = ({ card, article, broadcast, quote, sensitive }: Post): boolean =>
  // Forms show no picture of a sensitive post.
  (!sensitive && [card?.image_url, article?.cover_url, broadcast?.thumbnail_url].some(isForeign)) ||
  (isPost(quote) && hasForeignPicture(quote));

/** Includes the quotes that the mappers include. */
const codesOf = (post: Post): readonly WarningCode[] => {
  const { parts, cut = [] } = lossesOf(post);
  return [...cut, ...parts, ...(isPost(post.quote) ? codesOf(post.quote) : [])];
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
