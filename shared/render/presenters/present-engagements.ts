// Presents the replies, the quotes and the reposts of a post.
import type { Reposters, Responses } from '../../model/engagements.ts';
import { repostersHtml, responsesHtml } from '../html/engagements.ts';
import { repostersDocument, responsesDocument } from '../markdown/engagements.ts';
import { withArticleMarkdown } from './article-member.ts';
import { createListPresenter } from './list-presenter.ts';
import type { Presenter, ResourceView } from './view.ts';

export const createResponsesPresenter = (
  engagement: 'replies' | 'quotes',
): Presenter<Responses, ResourceView<Responses>> =>
  createListPresenter<Responses>({
    members: ({ id, posts, next_cursor }) => ({ id, posts: posts.map(withArticleMarkdown), next_cursor }),
    document: (list) => responsesDocument(engagement, list),
    html: (list, options) => responsesHtml(engagement, list, options),
  });

export const presentReposters = createListPresenter<Reposters>({
  members: ({ id, users, next_cursor }) => ({ id, users, next_cursor }),
  document: repostersDocument,
  html: repostersHtml,
});
