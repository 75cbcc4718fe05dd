// Presents followers or followed accounts.
import type { UserList } from '../../model/resources.ts';
import type { Follows } from '../content/list-labels.ts';
import { followsHtml } from '../html/users.ts';
import { followsDocument } from '../markdown/list-documents.ts';
import { createListPresenter } from './list-presenter.ts';
import type { Presenter, ResourceView } from './view.ts';

export const createUsersPresenter = (follows: Follows): Presenter<UserList, ResourceView<UserList>> =>
  createListPresenter<UserList>({
    members: ({ handle, users, next_cursor }) => ({ handle, users, next_cursor }),
    document: (list) => followsDocument(follows, list),
    html: (list, options) => followsHtml(follows, list, options),
  });
