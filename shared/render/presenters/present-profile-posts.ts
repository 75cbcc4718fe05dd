// Presents the posts of a profile.
import type { ProfilePosts } from '../../model/profile-posts.ts';
import { profilePostsHtml } from '../html/profile-posts.ts';
import { profilePostsDocument } from '../markdown/profile-posts.ts';
import { withArticleMarkdown } from './article-member.ts';
import { createListPresenter } from './list-presenter.ts';

export const presentProfilePosts = createListPresenter<ProfilePosts>({
  members: ({ handle, kind, posts, next_cursor }) => ({
    handle,
    kind,
    posts: posts.map(withArticleMarkdown),
    next_cursor,
  }),
  document: profilePostsDocument,
  html: profilePostsHtml,
});
