// Presents the replies, the quotes and the reposts of a post.
import type { RelatedPosts, Reposters } from '../../model/resources.ts';
import { relatedPostsHtml, repostersHtml } from '../html/engagements.ts';
import { relatedPostsDocument, repostersDocument } from '../markdown/list-documents.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';
import type { Presenter, ResourceView } from './view.ts';

export const createRelatedPostsPresenter = (
  engagement: 'replies' | 'quotes',
): Presenter<RelatedPosts, ResourceView<RelatedPosts>> =>
  createListPresenter<RelatedPosts>({
    members: ({ id, posts, next_cursor }) => ({ id, posts: posts.map(withArticleMarkdown), next_cursor }),
    document: (list, style) => relatedPostsDocument(engagement, list, style),
    html: (list, options) => relatedPostsHtml(engagement, list, options),
  });

export const presentReposters = createListPresenter<Reposters>({
  members: ({ id, users, next_cursor }) => ({ id, users, next_cursor }),
  document: repostersDocument,
  html: repostersHtml,
});
