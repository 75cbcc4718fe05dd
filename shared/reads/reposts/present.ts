// Shows the accounts that reposted a post in every format.
import type { Reposters } from '../../model/resources.ts';
import type { Html } from '../../render/html/html.ts';
import type { ListPageOptions } from '../../render/html/list.ts';
import { peopleHtml } from '../../render/html/users.ts';
import { createListPresenter } from '../paging/list-presenter.ts';
import { relatedHtml } from '../paging/present-related.ts';
import { repostersData } from '../paging/related-documents.ts';

const repostersHtml = ({ id, users }: Reposters, options: ListPageOptions): Html =>
  relatedHtml('reposts', { id }, peopleHtml(users), options);

export const presentReposters = /* @__PURE__ */ createListPresenter<'reposters'>(repostersData, {
  html: repostersHtml,
});
