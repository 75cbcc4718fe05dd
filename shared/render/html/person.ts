// Renders accounts: the picture in its arch, the name with its marks, and the bylines of posts.
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { displayName, verifiedLabel } from '../content/labels.ts';
import { type AvatarSize, avatarVariant, isPictureHost } from '../content/media-files.ts';
import { communityName, communityUrl } from '../content/post-facts.ts';
import { type DateForm, innerLinkHtml, labelledSymbol, linkHtml, timeHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { pathOfPost, postPath, profilePath } from './inner-links.ts';

export interface AvatarOptions {
  /** @default x96 */
  readonly size?: AvatarSize;
  /** The picture is in view when the page opens, so it loads at once. */
  readonly isInView?: boolean;
}

const LETTER = /[\p{L}\p{N}]/u;

const initialOf = (user: User): string =>
  (LETTER.exec(displayName(user)) ?? LETTER.exec(user.handle))?.[0].toUpperCase() ?? '@';

/** The first letter of an account and, over it, its picture if X has it. The style sheet gives the arch its size. */
const avatarContent = (user: User, { size = 'x96', isInView = false }: AvatarOptions): string => {
  const { avatar_url: url } = user;
  const initial = escapeHtml(initialOf(user));
  if (url === undefined || !isPictureHost(url)) return initial;
  const loading = isInView ? '' : ' loading="lazy"';
  return `${initial}<img src="${escapeHtml(visibleUrl(avatarVariant(url, size)))}" alt=""${loading}>`;
};

/** The arch without a link. */
export const unlinkedAvatarHtml = (user: User, options: AvatarOptions = {}): string =>
  `<span class="face" aria-hidden="true">${avatarContent(user, options)}</span>`;

/** The arch as a link to the profile. Keyboards and screen readers skip it, because the name beside it is the same link. */
export const avatarHtml = (user: User, options: AvatarOptions = {}): string => {
  const path = profilePath(user.handle);
  return path === undefined
    ? unlinkedAvatarHtml(user, options)
    : innerLinkHtml(path, avatarContent(user, options), ' class="face" tabindex="-1" aria-hidden="true"');
};

const PROTECTED = labelledSymbol('protected', 'protected');

const marksHtml = (user: User): string =>
  (user.verified ? labelledSymbol('verified', verifiedLabel(user)) : '') + (user.protected ? PROTECTED : '');

/** The name as a link to the profile. `bdi` keeps the direction of the name from its neighbours. */
export const nameHtml = (user: User): string =>
  innerLinkHtml(profilePath(user.handle), `<bdi>${escapeHtml(displayName(user))}</bdi>`) + marksHtml(user);

export const handleHtml = ({ handle }: User): string => `@${escapeHtml(handle)}`;

/** The date of a post is its permalink. */
export const permalinkHtml = (post: Post, form: DateForm): string => {
  const { created_at: created } = post;
  return innerLinkHtml(pathOfPost(post), created === undefined ? 'undated' : timeHtml(created, form));
};

/** The account and the date of a post, in small type. @param facts HTML */
const metaHtml = (post: Post, form: DateForm, facts: readonly string[] = []): string =>
  [...(post.author === undefined ? [] : [handleHtml(post.author)]), permalinkHtml(post, form), ...facts].join(' · ');

export const repostHtml = ({ reposted_by: reposter }: Post): string =>
  reposter === undefined ? '' : `<p class="meta">${nameHtml(reposter)} reposted</p>`;

/** The community of a post, for the line with its date. Empty if it is in none. */
export const communityFacts = ({ community }: Post): readonly string[] =>
  community === undefined
    ? []
    : [`in ${linkHtml(communityUrl(community), `<bdi>${escapeHtml(communityName(community))}</bdi>`)}`];

/** The post that a post answers, as a link. Empty if it answers none. */
export const answeredHtml = ({ in_reply_to: answered }: Post): string => {
  const { handle, id } = answered ?? {};
  if (handle === undefined && id === undefined) return '';
  const path = id === undefined ? profilePath(handle ?? '') : postPath(id, handle);
  return innerLinkHtml(path, handle === undefined ? 'a post' : `@${escapeHtml(handle)}`);
};

export interface BylineOptions extends AvatarOptions {
  /** The element of the name. */
  readonly tag: 'h1' | 'p';
  readonly date: DateForm;
  /** HTML after the date. */
  readonly facts?: readonly string[];
}

const ANONYMOUS = 'Post';

/** The byline above a text: arch, name, and below it handle and date. */
export const bylineHtml = (post: Post, { tag, date, facts, ...avatar }: BylineOptions): string => {
  const { author } = post;
  const name = author === undefined ? ANONYMOUS : nameHtml(author);
  return `<header class="by">${author === undefined ? '' : avatarHtml(author, avatar)}<div><${tag} class="name">${name}</${tag}><p class="meta">${metaHtml(post, date, facts)}</p></div></header>`;
};

export type Heading = 'h2' | 'h3';

/** The byline of an item of a list, on one line. The arch stands before it. */
export const itemBylineHtml = (post: Post, heading: Heading, facts: readonly string[] = []): string => {
  const { author } = post;
  const name = author === undefined ? ANONYMOUS : nameHtml(author);
  return `<div><${heading} class="name">${name}</${heading}> <span class="meta">${metaHtml(post, 'short', facts)}</span></div>`;
};
