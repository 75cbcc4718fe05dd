// Shows the followers of a profile, and the accounts that it follows, as Markdown and JSON.
import type { UserList } from '../../model/resources.ts';
import { type Follows, followTitles, noFollows } from '../../render/content/list-labels.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headingOf, userItems } from '../../render/markdown/list-items.ts';
import type { ListData } from '../paging/list-presenter.ts';

const followsDocument = (follows: Follows, { handle, users }: UserList): ListDocument => ({
  head: headingOf(followTitles[follows](handle)),
  ...userItems(users),
  none: noFollows[follows],
});

export const followsData = (follows: Follows): ListData<UserList> => ({
  document: (users) => followsDocument(follows, users),
});
