// Presents a profile with its posts.
import type { Profile } from '../../model/resources.ts';
import { profileHtml } from '../html/profile.ts';
import { profileDocument } from '../markdown/list-documents.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';

export const presentProfile = createListPresenter<Profile>({
  members: ({ profile, posts, next_cursor }) => ({ profile, posts: posts.map(withArticleMarkdown), next_cursor }),
  document: profileDocument,
  html: profileHtml,
});
