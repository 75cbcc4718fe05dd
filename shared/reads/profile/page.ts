import { isSameHandle } from '../../model/handle.ts';
import type { Profile } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import { visibleText, visibleUrl } from '../../model/visible-text.ts';
import { formatMonth, formatNumber } from '../../render/content/format.ts';
import { displayName, nameAndHandle, userTitle, verifiedLabel } from '../../render/content/labels.ts';
import { previewAvatar } from '../../render/content/link-preview.ts';
import { bioText } from '../../render/content/links.ts';
import { aboutFacts, NO_PROFILE_POSTS, PROFILE_POSTS } from '../../render/content/list-labels.ts';
import { bannerVariant, isPictureHost } from '../../render/content/media-files.ts';
import { anyLinkHtml, factsHtml, gateHtml, innerLinkHtml } from '../../render/html/elements.ts';
import { type Html, type HtmlContent, html } from '../../render/html/html.ts';
import { belowProfile } from '../../render/html/inner-links.ts';
import {
  accountToolsHtml,
  hintHtml,
  type ListPageOptions,
  listHtml,
  postsHtml,
  withoutPreviews,
  withReposts,
} from '../../render/html/list.ts';
import { FULL_WIDTH } from '../../render/html/media.ts';
import { handleHtml, unlinkedAvatarHtml } from '../../render/html/person.ts';
import { textHtml } from '../../render/html/text.ts';
import { ownerHtml, profileTabsHtml } from '../../render/html/users.ts';
import { timelineFeedPath } from '../profile-posts/page.ts';

const wallHtml = (profile: User): Html => {
  const { banner_url: url } = profile;
  const avatar = unlinkedAvatarHtml(profile, { size: '200x200', isInView: true });
  if (url === undefined || !isPictureHost(url)) return html`<div class="wall bare">${avatar}</div>`;
  const source = (size: '600x200' | '1500x500'): string => visibleUrl(bannerVariant(url, size));
  const srcset =
    bannerVariant(url, '600x200') !== url && html` srcset="${source('600x200')} 600w, ${source('1500x500')} 1500w"`;
  return html`<div class="wall"><img src="${source('600x200')}"${srcset} sizes="${FULL_WIDTH}" width="600" height="200" alt="" decoding="async">${avatar}</div>`;
};

/** Without the scheme, which says nothing to readers. */
const shownUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

const aboutHtml = ({ location, website, created_at: joined, about = {} }: User): Html | undefined => {
  const place = visibleText(location ?? '').trim();
  const facts = factsHtml([
    place !== '' && html`<bdi>${place}</bdi>`,
    website !== undefined && anyLinkHtml(website, html`<bdi>${shownUrl(website)}</bdi>`),
    joined !== undefined && `since ${formatMonth(joined)}`,
    ...aboutFacts(about).map(
      ({ before, name, after }) => html`${before}${name !== undefined && html`<bdi>${name}</bdi>`}${after}`,
    ),
  ]);
  return facts && html`<p class="meta">${facts}</p>`;
};

/** Unknown counts are left out; zero is shown. The lists of a protected profile cannot be read. */
const countsHtml = ({ handle, metrics, protected: isProtected }: User): Html | undefined => {
  const listPath = (follows: 'followers' | 'following'): string | undefined =>
    isProtected ? undefined : belowProfile(handle, follows);
  const count = (number: number | null | undefined, one: string, many: string, path?: string): Html | undefined =>
    number === null || number === undefined
      ? undefined
      : innerLinkHtml(path, html`<b>${formatNumber(number)}</b> ${number === 1 ? one : many}`);
  const counts = factsHtml([
    count(metrics?.followers, 'follower', 'followers', listPath('followers')),
    count(metrics?.following, 'following', 'following', listPath('following')),
    count(metrics?.posts, 'post', 'posts'),
  ]);
  return counts && html`<p class="figures">${counts}</p>`;
};

const markWords = (user: User): HtmlContent =>
  factsHtml([handleHtml(user), verifiedLabel(user), user.protected === true && 'protected']);

const whoHtml = (profile: User): Html =>
  html`<header class="who">${wallHtml(profile)}<h1><bdi>${displayName(profile)}</bdi></h1><p class="meta">${markWords(profile)}</p>${textHtml(bioText(profile))}${aboutHtml(profile)}${countsHtml(profile)}</header>`;

const protectedHtml = ({ handle }: User): Html =>
  html`<section class="state shut" aria-label="${PROFILE_POSTS}">${gateHtml('shut')}<h2>Only followers can read these posts.</h2><p>@${handle} limits who can read them. Postern has no account and sees what everyone sees.</p></section>`;

export const profileHtml = ({ profile, posts }: Profile, options: ListPageOptions): Html => {
  const { request, next, warnings, threads } = options;
  const { handle, metrics, protected: isProtected } = profile;
  const isUnavailable = warnings.some(({ code }) => code === 'posts_unavailable');
  const title = nameAndHandle(profile);
  const items = postsHtml(PROFILE_POSTS, posts, options, (post) => ({
    thread: threads?.get(post.id),
    showsByline: post.reposted_by !== undefined || !isSameHandle(post.author?.handle, handle),
  }));
  return listHtml({
    ...options,
    offersLanguages: true,
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
      feed: isProtected ? undefined : withReposts(request, timelineFeedPath(handle, 'posts')),
    },
    top: html`${[
      // Later pages are about the posts, so the account takes one row.
      request.first === undefined ? whoHtml(profile) : ownerHtml(profile),
      // The other tabs of a protected profile would all say what this page says.
      !isProtected && [profileTabsHtml(handle, 'posts'), accountToolsHtml(handle, request, 'posts')],
    ]}`,
    items: items === undefined && isProtected && !isUnavailable ? protectedHtml(profile) : items,
    none: isUnavailable ? undefined : hintHtml(metrics?.posts === 0 ? 'No posts yet.' : NO_PROFILE_POSTS),
    ...(isUnavailable && { noMore: html`` }),
  });
};
