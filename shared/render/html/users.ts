// Renders accounts, and lists of followers or followed accounts, as HTML.
import { profileUrl } from '../../model/handle.ts';
import type { User } from '../../model/user.ts';
import type { UserList } from '../../model/user-list.ts';
import { userCounts } from '../content/labels.ts';
import { type Follows, followTitles, noFollows } from '../content/list-labels.ts';
import { isPictureHost } from '../content/picture-hosts.ts';
import { imageHtml, linkHtml } from './elements.ts';
import { type ListPageOptions, listHtml } from './list.ts';
import { escapeHtml } from './page.ts';
import { textHtml, userTitle } from './post.ts';

/** Only pictures from hosts of X are loaded. */
export const avatarUrl = ({ avatar_url: url }: User): string | undefined =>
  url !== undefined && isPictureHost(url) ? url : undefined;

export const avatarHtml = (user: User): string => {
  const url = avatarUrl(user);
  return url === undefined ? '' : imageHtml(url, '');
};

export const userHtml = (user: User): string => {
  const { url, bio, verified, protected: isProtected } = user;
  const facts = `${verified ? ' · verified' : ''}${isProtected ? ' · protected' : ''}`;
  const counts = userCounts(user);
  return (
    `<article><p class="by">${avatarHtml(user)}${linkHtml(url, escapeHtml(userTitle(user)))}${facts}</p>${textHtml(bio ?? '')}` +
    `${counts.length === 0 ? '' : `<footer>${counts.join(' · ')}</footer>`}</article>`
  );
};

export const followsHtml = (
  follows: Follows,
  { handle, users }: UserList,
  { url, next, messages }: ListPageOptions,
): string => {
  const title = followTitles[follows](handle);
  return listHtml({
    head: {
      type: 'website',
      title: `${title} on X`,
      description: `${title} on X, as far as they are public.`,
      canonical: `${profileUrl(handle)}/${follows}`,
      url,
      next,
    },
    heading: title,
    items: users.map(userHtml),
    none: noFollows[follows],
    messages,
  });
};
