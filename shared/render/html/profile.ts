// Renders a profile: the banner with the picture in it, the facts of the account, and its posts; and the page of each of its
// timelines.
import { operations } from '../../contract/operations.ts';
import { isSameHandle, parseHandle } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { Profile, ProfilePosts } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { formatNumber } from '../content/format.ts';
import { displayName, nameAndHandle, userTitle, verifiedLabel } from '../content/labels.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { urlsIn } from '../content/links.ts';
import {
  aboutFacts,
  joinedSince,
  LIST_GOES_ON,
  NO_PROFILE_POSTS,
  noTimelinePosts,
  PROFILE_POSTS,
  timelineHeadings,
  timelineTitle,
} from '../content/list-labels.ts';
import { bannerVariant, isPictureHost } from '../content/media-files.ts';
import { anyLinkHtml, gateHtml, innerLinkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { belowProfile, timelinePath, timelineUrlOnX } from './inner-links.ts';
import { type ListPageOptions, listHtml, pagePlace, repostsHtml, withReposts } from './list.ts';
import { FULL_WIDTH } from './media.ts';
import { handleHtml, unlinkedAvatarHtml } from './person.ts';
import { postItemHtml } from './post-item.ts';
import { type SourceText, textHtml } from './text.ts';
import { handleRowHtml, ownerHtml, profileTabsHtml } from './users.ts';

/** The list of posts whose formats are feeds. The path of the profile has none. */
export const timelineFeedPath = (handle: string, kind: TimelineKind): string | undefined => {
  if (kind !== 'posts') return timelinePath(handle, kind);
  return parseHandle(handle) === undefined ? undefined : operations.listPosts.path.replace('{handle}', handle);
};

/** The page shows the first words of articles with a link. */
const SHOWN_BY_TIMELINES: readonly string[] = ['article_previews'];

export const profilePostsHtml = ({ handle, kind, posts }: ProfilePosts, options: ListPageOptions): string => {
  // A timeline names only the handle. The posts have the account.
  const owner = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const title = timelineTitle(kind, owner?.handle ?? handle);
  const { first } = pagePlace(options.url);
  const atEnd = first === undefined ? noTimelinePosts[kind] : 'No more posts are listed here.';
  const none = options.next === undefined ? atEnd : LIST_GOES_ON;
  const items = posts.map((post) =>
    postItemHtml(post, { showsByline: post.reposted_by !== undefined, showsAnswered: true, heading: 'h2' }),
  );
  return listHtml({
    ...options,
    warnings: options.warnings.filter(({ code }) => !SHOWN_BY_TIMELINES.includes(code)),
    head: {
      type: 'website',
      title,
      description: `${title} on X.`,
      canonical: timelineUrlOnX(handle, kind),
      avatar: owner && previewAvatar(owner),
      feed: withReposts(options.url, timelineFeedPath(handle, kind)),
    },
    top:
      (owner === undefined ? handleRowHtml(handle, timelineHeadings[kind]) : ownerHtml(owner, timelineHeadings[kind])) +
      profileTabsHtml(handle, kind) +
      repostsHtml(options.url, timelinePath(handle, kind), kind),
    content:
      items.length === 0
        ? `<p class="hint">${none}</p>`
        : `<section aria-label="${escapeHtml(title)}">\n${items.join('\n')}\n</section>`,
    more: 'Older posts',
  });
};

const wallHtml = (profile: User): string => {
  const { banner_url: url } = profile;
  const avatar = unlinkedAvatarHtml(profile, { size: '200x200', isInView: true });
  if (url === undefined || !isPictureHost(url)) return `<div class="wall bare">${avatar}</div>`;
  const source = (size: '600x200' | '1500x500'): string => escapeHtml(visibleUrl(bannerVariant(url, size)));
  const srcset =
    bannerVariant(url, '600x200') === url ? '' : ` srcset="${source('600x200')} 600w, ${source('1500x500')} 1500w"`;
  return `<div class="wall"><img src="${source('600x200')}"${srcset} sizes="${FULL_WIDTH}" width="600" height="200" alt="" decoding="async">${avatar}</div>`;
};

const MENTION_IN_BIO = /[@＠](\w{1,15})(?!\w)/g;
/** A tag of digits only is a number. */
const TAG_IN_BIO = /[#＃]([\p{L}\p{M}\p{N}_]*\p{L}[\p{L}\p{M}\p{N}_]*)/gu;

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);

/** The provider marks no links, mentions and tags in a biography. X links all of them. */
const bioSource = (text: string): SourceText => ({
  text,
  links: urlsIn(text).map((url) => ({ url })),
  mentions: found(text, MENTION_IN_BIO),
  hashtags: found(text, TAG_IN_BIO),
});

/** Without the scheme, which says nothing to readers. */
const shownUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

const factsHtml = ({ location, website, created_at: joined, about = {} }: User): string => {
  const place = escapeHtml(location ?? '').trim();
  const facts = [
    place === '' ? '' : `<bdi>${place}</bdi>`,
    website === undefined ? '' : anyLinkHtml(website, escapeHtml(shownUrl(website))),
    joined === undefined ? '' : escapeHtml(joinedSince(joined)),
    ...aboutFacts(about, (plain) => `<bdi>${escapeHtml(plain)}</bdi>`),
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `<p class="meta">${facts.join(' · ')}</p>`;
};

/** Unknown counts are left out; zero is shown. The lists of a protected profile cannot be read. */
const countsHtml = ({ handle, metrics, protected: isProtected }: User): string => {
  const listPath = (follows: 'followers' | 'following'): string | undefined =>
    isProtected ? undefined : belowProfile(handle, follows);
  const count = (number: number | null | undefined, one: string, many: string, path?: string): string =>
    number === null || number === undefined
      ? ''
      : innerLinkHtml(path, `<b>${formatNumber(number)}</b> ${number === 1 ? one : many}`);
  const counts = [
    count(metrics?.followers, 'follower', 'followers', listPath('followers')),
    count(metrics?.following, 'following', 'following', listPath('following')),
    count(metrics?.posts, 'post', 'posts'),
  ].filter((text) => text !== '');
  return counts.length === 0 ? '' : `<p class="figures">${counts.join(' · ')}</p>`;
};

const markWords = (user: User): string =>
  [handleHtml(user), verifiedLabel(user), user.protected ? 'protected' : ''].filter((word) => word !== '').join(' · ');

const whoHtml = (profile: User): string =>
  `<header class="who">${wallHtml(profile)}<h1><bdi>${escapeHtml(displayName(profile))}</bdi></h1><p class="meta">${markWords(profile)}</p>${textHtml(bioSource(profile.bio ?? ''))}${factsHtml(profile)}${countsHtml(profile)}</header>`;

const protectedHtml = ({ handle }: User): string =>
  `<section class="state shut" aria-label="${PROFILE_POSTS}">${gateHtml('shut')}<h2>Only followers can read these posts.</h2><p>@${escapeHtml(handle)} limits who can read them. Postern has no account and sees what everyone sees.</p></section>`;

interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const emptySentence = ({ metrics }: User, { isFirst, isLast }: Place): string => {
  if (!isLast) return LIST_GOES_ON;
  if (!isFirst) return 'No more posts are listed here.';
  return metrics?.posts === 0 ? 'No posts yet.' : NO_PROFILE_POSTS;
};

const postsHtml = ({ profile, posts }: Profile, place: Place): string => {
  if (profile.protected && posts.length === 0) return protectedHtml(profile);
  if (posts.length > 0) {
    const items = posts.map((post) => {
      const isOwn = post.reposted_by === undefined && isSameHandle(post.author?.handle, profile.handle);
      return postItemHtml(post, { showsByline: !isOwn, heading: 'h2' });
    });
    return `<section aria-label="${PROFILE_POSTS}">\n${items.join('\n')}\n</section>`;
  }
  return `<p class="hint">${emptySentence(profile, place)}</p>`;
};

/** The page itself says that posts are protected. */
const SHOWN_BY_THE_PAGE: readonly string[] = ['posts_protected', ...SHOWN_BY_TIMELINES];

export const profileHtml = (value: Profile, { url, next, warnings }: ListPageOptions): string => {
  const { profile } = value;
  const { first } = pagePlace(url);
  const isUnavailable = warnings.some(({ code }) => code === 'posts_unavailable');
  const title = nameAndHandle(profile);
  return listHtml({
    url,
    // If the posts could not be read, the cursor asks for the same page again, and the note does so too.
    next: isUnavailable ? undefined : next,
    warnings: warnings.filter(({ code }) => !SHOWN_BY_THE_PAGE.includes(code)),
    head: {
      type: 'profile',
      title,
      description: profile.bio?.trim() || `Posts of ${userTitle(profile)} on X`,
      canonical: profile.url,
      avatar: previewAvatar(profile),
      handle: profile.handle,
      feed: profile.protected ? undefined : withReposts(url, timelineFeedPath(profile.handle, 'posts')),
    },
    // The other tabs of a protected profile would all say what this page says.
    top:
      // Later pages are about the posts, so the account takes one row.
      (first === undefined ? whoHtml(profile) : ownerHtml(profile)) +
      (profile.protected
        ? ''
        : profileTabsHtml(profile.handle, 'posts') + repostsHtml(url, timelinePath(profile.handle, 'posts'), 'posts')),
    content:
      isUnavailable && value.posts.length === 0
        ? ''
        : postsHtml(value, { isFirst: first === undefined, isLast: next === undefined }),
    more: 'Older posts',
  });
};
