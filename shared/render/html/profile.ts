// Renders a profile with its posts as an HTML page.
import type { Profile } from '../../model/profile.ts';
import { userCounts, userTitle } from '../content/labels.ts';
import { previewAvatar } from '../content/link-preview.ts';
import { NO_PROFILE_POSTS, PROFILE_POSTS, profileFacts } from '../content/list-labels.ts';
import { linkHtml } from './elements.ts';
import { escapeHtml } from './escape.ts';
import { cutExcerpt } from './head.ts';
import { type ListPageOptions, listHtml } from './list.ts';
import { archHtml } from './person.ts';
import { postItemHtml } from './post-item.ts';
import { textHtml } from './text.ts';

const factStyle = { text: escapeHtml, link: (url: string): string => linkHtml(url, escapeHtml(url)) };

export const profileHtml = ({ profile, posts }: Profile, { url, next, messages }: ListPageOptions): string => {
  const name = userTitle(profile);
  const lines = [
    archHtml(profile, { size: '200x200', isInView: true }) + profileFacts(profile, factStyle),
    userCounts(profile).join(' · '),
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
    intro: textHtml({ text: profile.bio ?? '' }) + lines.map((line) => `<p class="meta">${line}</p>`).join(''),
    section: PROFILE_POSTS,
    items: posts.map((post) => postItemHtml(post, { showsByline: false })),
    none: NO_PROFILE_POSTS,
    messages,
  });
};
