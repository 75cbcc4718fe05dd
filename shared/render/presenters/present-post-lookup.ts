// Presents several posts.
import type { PostLookup } from '../../model/post-lookup.ts';
import { postLookupDocument } from '../markdown/post-lookup.ts';
import { withArticleMarkdown } from './article-member.ts';
import { createListPresenter } from './list-presenter.ts';

export const presentPostLookup = createListPresenter<PostLookup & { readonly next_cursor?: undefined }>({
  members: ({ posts }) => ({
    posts: posts.map((entry) => ('unavailable' in entry ? entry : withArticleMarkdown(entry))),
  }),
  document: postLookupDocument,
});
