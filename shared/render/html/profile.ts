// Renders a profile with its posts as an HTML page.
import type { Profile } from '../../model/profile.ts';
import { userCounts } from '../content/labels.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { NO_PROFILE_POSTS, PROFILE_POSTS, profileFacts } from '../content/list-labels.ts';
import { linkHtml } from './elements.ts';
import { cutExcerpt } from './head.ts';
import { type ListPageOptions, listHtml } from './list.ts';
import { escapeHtml } from './page.ts';
import { bodyHtml, textHtml, userTitle } from './post.ts';
import { avatarHtml } from './users.ts';

const factStyle = { text: escapeHtml, link: (url: string): string => linkHtml(url, escapeHtml(url)) };

export const profileHtml = ({ profile, posts }: Profile, { url, next, messages }: ListPageOptions): string => {
  const name = userTitle(profile);
  const lines = [
    avatarHtml(profile) + profileFacts(profile, factStyle),
    userCounts(profile).join(' · '),
    linkHtml(profile.url, escapeHtml(`@${profile.handle} on X`)),
  ].filter((line) => line !== '');
  return listHtml({
    head: {
      type: 'profile',
      title: `${name} on X`,
      description: cutExcerpt(profile.bio ?? ''),
      canonical: profile.url,
      url,
      avatar: previewAvatar(profile),
      handle: profile.handle,
      next,
    },
    heading: name,
    intro: textHtml(profile.bio ?? '') + lines.map((line) => `<p class="by">${line}</p>`).join(''),
    section: PROFILE_POSTS,
    items: posts.map((post) => `<article>${bodyHtml(post)}</article>`),
    none: NO_PROFILE_POSTS,
    messages,
  });
};
