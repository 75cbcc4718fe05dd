// Followers, or whom an account follows -> the representation that was asked for.
import { profileUrl } from '../../model/handle.ts';
import type { UserList } from '../../model/user-list.ts';
import { listHtml, userHtml } from '../html/list.ts';
import { renderBlock } from '../markdown/block.ts';
import { escapeHeading } from '../markdown/escape.ts';
import { userItems } from '../markdown/list-users.ts';
import { createListPresenter } from './list-presenter.ts';
import type { Presenter, ResourceView } from './view.ts';

type Follows = 'followers' | 'following';

const titles: Readonly<Record<Follows, (handle: string) => string>> = {
  followers: (handle) => `Followers of @${handle}`,
  following: (handle) => `Accounts followed by @${handle}`,
};

const emptyTexts: Readonly<Record<Follows, string>> = {
  followers: 'No followers are listed.',
  following: 'No followed accounts are listed.',
};

export const createUsersPresenter = (follows: Follows): Presenter<UserList, ResourceView<UserList>> =>
  createListPresenter<UserList>({
    members: ({ handle, users, next_cursor }): UserList => ({ handle, users, next_cursor }),
    list: ({ handle, users, next_cursor: cursor }) => {
      const head = renderBlock((ink) => `# ${escapeHeading(ink, titles[follows](handle))}`);
      return {
        head,
        subject: 'the title',
        shortenHead: () => head, // a handle is short
        section: '',
        ...userItems(users),
        none: emptyTexts[follows],
        cursor,
      };
    },
    page: ({ handle, users }, { url, next, messages }) => {
      const title = titles[follows](handle);
      return listHtml({
        head: {
          type: 'website',
          title: `${title} on X`,
          description: `${title} on X, as far as they are public.`,
          canonical: `${profileUrl(handle)}/${follows}`,
          address: url,
          next,
        },
        heading: title,
        items: users.map(userHtml),
        none: emptyTexts[follows],
        messages,
      });
    },
  });
