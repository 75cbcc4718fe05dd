// Shows the followers of a profile, and the accounts that it follows: as Markdown and JSON, and in every format.
import { profileUrl } from '../../model/handle.ts';
import type { UserList } from '../../model/resources.ts';
import { type Follows, followTitles, noFollows } from '../../render/content/list-labels.ts';
import { followingOpml } from '../../render/feeds/opml.ts';
import { type Html, html } from '../../render/html/html.ts';
import { hintHtml, type ListPageOptions, listHtml } from '../../render/html/list.ts';
import { subscriptionsHtml } from '../../render/html/subscriptions.ts';
import { handleRowHtml, peopleHtml, profileTabsHtml } from '../../render/html/users.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headingOf, userItems } from '../../render/markdown/list-items.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';

const followsDocument = (follows: Follows, { handle, users }: UserList): ListDocument => ({
  head: headingOf(followTitles[follows](handle)),
  ...userItems(users),
  none: noFollows[follows],
});

export const followsData = (follows: Follows): ListData<UserList> => ({
  document: (users) => followsDocument(follows, users),
});

const headings: Readonly<Record<Follows, string>> = { followers: 'Followers of', following: 'Accounts followed by' };

const followsHtml = (follows: Follows, { handle, users }: UserList, options: ListPageOptions): Html => {
  const title = followTitles[follows](handle);
  return listHtml({
    ...options,
    head: {
      type: 'website',
      title,
      description: `${title} on X, as far as they are public.`,
      canonical: `${profileUrl(handle)}/${follows}`,
    },
    top: html`${handleRowHtml(handle, headings[follows])}${profileTabsHtml(handle, follows)}${follows === 'following' && subscriptionsHtml({ url: options.url, opml: options.path })}`,
    items: peopleHtml(users),
    none: hintHtml(noFollows[follows]),
    noMore: hintHtml('No more accounts are listed here.'),
    more: `Next ${options.request.limit}`,
  });
};

export const createFollowsPresenter = (follows: Follows) =>
  createListPresenter<'userList'>(followsData(follows), {
    ...(follows === 'following' && {
      opml: ({ handle, users }, base) => followingOpml(handle, users, base),
    }),
    html: (users, options) => followsHtml(follows, users, options),
  });
