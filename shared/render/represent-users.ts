// Followers, or whom an account follows -> the representation that was asked for.
import { profileUrl } from '../model/handle.ts';
import type { UserList } from '../model/user-list.ts';
import { headingWords } from './escape.ts';
import { pieceOf } from './list.ts';
import { listHtml, userHtml } from './list-html.ts';
import { userItems } from './list-users.ts';
import type { Represent } from './represent.ts';
import { representList } from './represent-list.ts';

type Follows = 'followers' | 'following';

const titles: Readonly<Record<Follows, (handle: string) => string>> = {
  followers: (handle) => `Followers of @${handle}`,
  following: (handle) => `Accounts followed by @${handle}`,
};

const nobody: Readonly<Record<Follows, string>> = {
  followers: 'No followers are listed.',
  following: 'No followed accounts are listed.',
};

export const representUsers = (follows: Follows): Represent<UserList> =>
  representList<UserList>({
    members: ({ handle, users, next_cursor }): UserList => ({ handle, users, next_cursor }),
    list: ({ handle, users, next_cursor: cursor }) => {
      const head = pieceOf((ink) => `# ${headingWords(ink, titles[follows](handle))}`);
      return {
        head,
        subject: 'the title',
        shortenHead: () => head, // a handle is short
        section: '',
        ...userItems(users),
        none: nobody[follows],
        cursor,
      };
    },
    page: ({ handle, users }, { address, next, messages }) => {
      const title = titles[follows](handle);
      return listHtml({
        head: {
          type: 'website',
          title: `${title} on X`,
          description: `${title} on X, as far as they are public.`,
          canonical: `${profileUrl(handle)}/${follows}`,
          address,
          next,
        },
        heading: title,
        items: users.map(userHtml),
        none: nobody[follows],
        messages,
      });
    },
  });
