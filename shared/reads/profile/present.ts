// Shows a profile with its recent posts in every format.
import { createListPresenter } from '../paging/list-presenter.ts';
import { profileData } from './document.ts';
import { profileHtml } from './page.ts';

export const presentProfile = /* @__PURE__ */ createListPresenter<'profile'>(profileData, {
  html: profileHtml,
});
