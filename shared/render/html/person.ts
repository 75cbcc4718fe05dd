// Renders accounts: the picture in its arch, the name with its marks, and the bylines of posts.
import type { Post } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { displayName, verifiedLabel } from '../content/labels.ts';
import { type AvatarSize, avatarVariant, isPictureHost } from '../content/media-files.ts';
import { communityName, communityUrl } from '../content/post-facts.ts';
import { citedTitle } from '../content/post-title.ts';
import { foreignLanguage } from '../content/translation.ts';
import {
  factsHtml,
  type ItemDates,
  innerLinkHtml,
  itemDateHtml,
  itemDateText,
  labelledSymbol,
  linkHtml,
  timeHtml,
} from './elements.ts';
import { type Html, type HtmlContent, html } from './html.ts';
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
const avatarContent = (user: User, { size = 'x96', isInView = false }: AvatarOptions): Html => {
  const { avatar_url: url } = user;
  const initial = initialOf(user);
  if (url === undefined || !isPictureHost(url)) return html`${initial}`;
  const loading = !isInView && html` loading="lazy"`;
  return html`${initial}<img src="${visibleUrl(avatarVariant(url, size))}" alt=""${loading}>`;
};

/** The arch without a link. */
export const unlinkedAvatarHtml = (user: User, options: AvatarOptions = {}): Html =>
  html`<span class="avatar" aria-hidden="true">${avatarContent(user, options)}</span>`;

/** The arch as a link to the profile. Keyboards and screen readers skip it, because the name beside it is the same link. */
export const avatarHtml = (user: User, options: AvatarOptions = {}): Html => {
  const path = profilePath(user.handle);
  return path === undefined
    ? unlinkedAvatarHtml(user, options)
    : innerLinkHtml(path, avatarContent(user, options), html` class="avatar" tabindex="-1" aria-hidden="true"`);
};

const PROTECTED = labelledSymbol('protected', 'protected');

const marksHtml = (user: User): Html =>
  html`${user.verified && labelledSymbol('verified', verifiedLabel(user))}${user.protected && PROTECTED}`;

/** The name as a link to the profile. `bdi` keeps the direction of the name from its neighbours. */
export const nameHtml = (user: User): Html =>
  html`${innerLinkHtml(profilePath(user.handle), html`<bdi>${displayName(user)}</bdi>`)}${marksHtml(user)}`;

export const handleHtml = ({ handle }: User): Html => html`@${handle}`;

/** The date of a post is its permalink. */
export const permalinkHtml = (post: Post): Html => {
  const { created_at: created } = post;
  return innerLinkHtml(pathOfPost(post), created === undefined ? 'undated' : timeHtml(created, 'minute'));
};

/**
 * The date of an item or a quote, as a link to its page. The style sheet lays the link over the whole item, below the links
 * in it. Its name has the words that are seen (WCAG 2.5.3), says whose post it is and has its first words.
 */
export const itemLinkHtml = (post: Post, dates: ItemDates | undefined): Html => {
  const { author, created_at: created } = post;
  const date = created === undefined ? 'undated' : itemDateText(created, dates);
  const by = author === undefined ? '' : ` by ${displayName(author)}`;
  const words = citedTitle(post);
  const name = `Post${by}, ${date}${words === '' ? '' : `: ${words}`}`;
  return innerLinkHtml(
    pathOfPost(post),
    created === undefined ? date : itemDateHtml(created, dates),
    html` class="at" aria-label="${name}"`,
  );
};

/** The account and the date of a post, in small type. */
const metaHtml = ({ author }: Post, date: Html, facts: readonly HtmlContent[] = []): Html | undefined =>
  factsHtml([author && handleHtml(author), date, ...facts]);

export const repostHtml = ({ reposted_by: reposter }: Post): Html | undefined =>
  reposter && html`<p class="meta">${nameHtml(reposter)} reposted</p>`;

/** The community of a post, for the line with its date. Undefined if it is in none. */
export const communityHtml = ({ community }: Post): Html | undefined =>
  community && html`in ${linkHtml(communityUrl(community), html`<bdi>${communityName(community)}</bdi>`)}`;

/** The language of an item, if it is another than that of the page. A translation says it above the original. */
export const languageFact = (post: Post): string | undefined => {
  const language = post.translation === undefined ? foreignLanguage(post) : undefined;
  return language && `in ${language}`;
};

/** The post that a post answers, as a link. Undefined if it answers none. */
export const answeredHtml = ({ in_reply_to: answered }: Post): Html | undefined => {
  const { handle, id } = answered ?? {};
  if (handle === undefined && id === undefined) return undefined;
  const path = id === undefined ? profilePath(handle ?? '') : postPath(id, handle);
  return innerLinkHtml(path, handle === undefined ? 'a post' : `@${handle}`);
};

export interface BylineOptions extends AvatarOptions {
  /** The element of the name. */
  readonly tag: 'h1' | 'p';
  /** The date of the post, as a link. */
  readonly date: Html;
  /** Stand after the date. */
  readonly facts?: readonly HtmlContent[];
}

const ANONYMOUS = 'Post';

/** The byline above a text: arch, name, and below it handle and date. */
export const bylineHtml = (post: Post, { tag, date, facts, ...avatar }: BylineOptions): Html => {
  const { author } = post;
  const name = author === undefined ? ANONYMOUS : nameHtml(author);
  return html`<header class="by">${author && avatarHtml(author, avatar)}<div><${tag} class="name">${name}</${tag}><p class="meta">${metaHtml(post, date, facts)}</p></div></header>`;
};

export type Heading = 'h2' | 'h3';

/** The byline of an item of a list, on one line. The arch stands before it. */
export const itemBylineHtml = (post: Post, heading: Heading, date: Html, facts: readonly HtmlContent[] = []): Html => {
  const { author } = post;
  const name = author === undefined ? ANONYMOUS : nameHtml(author);
  return html`<div><${heading} class="name">${name}</${heading}> <span class="meta">${metaHtml(post, date, facts)}</span></div>`;
};
