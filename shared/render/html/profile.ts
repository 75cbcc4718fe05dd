// Renders a profile: the banner with the picture in it, the facts of the account, and its posts; and the page of each of its
// timelines.
import { operations } from '../../contract/operations.ts';
import { isSameHandle, parseHandle } from '../../model/handle.ts';
import type { TimelineKind } from '../../model/lists.ts';
import type { Profile, ProfilePosts } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { visibleUrl } from '../../model/visible-text.ts';
import { formatMonth, formatNumber } from '../content/format.ts';
import { displayName, nameAndHandle, userTitle, verifiedLabel } from '../content/labels.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { bioText } from '../content/links.ts';
import {
  aboutFacts,
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
import {
  hintHtml,
  type ListPageOptions,
  listHtml,
  pagePlace,
  postListHtml,
  postsHtml,
  repostsHtml,
  withoutPreviews,
  withReposts,
} from './list.ts';
import { FULL_WIDTH } from './media.ts';
import { handleHtml, unlinkedAvatarHtml } from './person.ts';
import { textHtml } from './text.ts';
import { handleRowHtml, ownerHtml, profileTabsHtml } from './users.ts';

/** The list of posts whose formats are feeds. The path of the profile has none. */
const timelineFeedPath = (handle: string, kind: TimelineKind): string | undefined => {
  if (kind !== 'posts') return timelinePath(handle, kind);
  return parseHandle(handle) === undefined ? undefined : operations.listPosts.path.replace('{handle}', handle);
};

export const profilePostsHtml = ({ handle, kind, posts }: ProfilePosts, options: ListPageOptions): string => {
  // A timeline names only the handle. The posts have the account.
  const user = posts.find(({ author }) => isSameHandle(author?.handle, handle))?.author;
  const heading = timelineHeadings[kind];
  return postListHtml({
    ...options,
    title: timelineTitle(kind, user?.handle ?? handle),
    canonical: timelineUrlOnX(handle, kind),
    feed: withReposts(options.url, timelineFeedPath(handle, kind)),
    posts,
    none: noTimelinePosts[kind],
    owner: { user },
    top:
      (user === undefined ? handleRowHtml(handle, heading) : ownerHtml(user, heading)) +
      profileTabsHtml(handle, kind) +
      repostsHtml(options.url, timelinePath(handle, kind), kind),
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

/** Without the scheme, which says nothing to readers. */
const shownUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

const factsHtml = ({ location, website, created_at: joined, about = {} }: User): string => {
  const place = escapeHtml(location ?? '').trim();
  const facts = [
    place === '' ? '' : `<bdi>${place}</bdi>`,
    website === undefined ? '' : anyLinkHtml(website, escapeHtml(shownUrl(website))),
    joined === undefined ? '' : escapeHtml(`since ${formatMonth(joined)}`),
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
  `<header class="who">${wallHtml(profile)}<h1><bdi>${escapeHtml(displayName(profile))}</bdi></h1><p class="meta">${markWords(profile)}</p>${textHtml(bioText(profile))}${factsHtml(profile)}${countsHtml(profile)}</header>`;

const protectedHtml = ({ handle }: User): string =>
  `<section class="state shut" aria-label="${PROFILE_POSTS}">${gateHtml('shut')}<h2>Only followers can read these posts.</h2><p>@${escapeHtml(handle)} limits who can read them. Postern has no account and sees what everyone sees.</p></section>`;

export const profileHtml = ({ profile, posts }: Profile, { url, next, warnings, threads }: ListPageOptions): string => {
  const { handle, metrics, protected: isProtected } = profile;
  const isUnavailable = warnings.some(({ code }) => code === 'posts_unavailable');
  const title = nameAndHandle(profile);
  const items = postsHtml(PROFILE_POSTS, posts, (post) => ({
    thread: threads?.get(post.id),
    showsByline: post.reposted_by !== undefined || !isSameHandle(post.author?.handle, handle),
  }));
  return listHtml({
    url,
    // If the posts could not be read, the cursor asks for the same page again, and the note does so too.
    next: isUnavailable ? undefined : next,
    // The page itself says that posts are protected.
    warnings: withoutPreviews(warnings).filter(({ code }) => code !== 'posts_protected'),
    head: {
      type: 'profile',
      title,
      description: profile.bio?.trim() || `Posts of ${userTitle(profile)} on X`,
      canonical: profile.url,
      avatar: previewAvatar(profile),
      handle,
      feed: isProtected ? undefined : withReposts(url, timelineFeedPath(handle, 'posts')),
    },
    top:
      // Later pages are about the posts, so the account takes one row.
      (pagePlace(url).first === undefined ? whoHtml(profile) : ownerHtml(profile)) +
      // The other tabs of a protected profile would all say what this page says.
      (isProtected ? '' : profileTabsHtml(handle, 'posts') + repostsHtml(url, timelinePath(handle, 'posts'), 'posts')),
    items: items === '' && isProtected && !isUnavailable ? protectedHtml(profile) : items,
    none: isUnavailable ? '' : hintHtml(metrics?.posts === 0 ? 'No posts yet.' : NO_PROFILE_POSTS),
    ...(isUnavailable && { noMore: '' }),
  });
};
