// Renders accounts, and lists of followers or followed accounts, as HTML.
import { profileUrl } from '../../model/handle.ts';
import type { User } from '../../model/user.ts';
import type { UserList } from '../../model/user-list.ts';
import { userCounts } from '../content/labels.ts';
import { type Follows, followTitles, noFollows } from '../content/list-labels.ts';
import { type ListPageOptions, listHtml } from './list.ts';
import { faceHtml, handleHtml, nameHtml } from './person.ts';
import { textHtml } from './text.ts';

export const userHtml = (user: User): string => {
  const counts = userCounts(user);
  return (
    `<article class="item with">${faceHtml(user)}<p class="name">${nameHtml(user)} <span class="meta">${handleHtml(user)}</span></p>${textHtml({ text: user.bio ?? '' })}` +
    `${counts.length === 0 ? '' : `<p class="figures">${counts.join(' · ')}</p>`}</article>`
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
