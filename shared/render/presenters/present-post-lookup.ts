// Presents several posts.
import type { PostLookup } from '../../model/resources.ts';
import { newestPostTime } from '../../model/snowflake.ts';
import { postLookupDocument } from '../markdown/list-documents.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';

export const presentPostLookup = createListPresenter<PostLookup & { readonly next_cursor?: undefined }>({
  // A post that cannot be read now may be readable soon.
  newestPostAt: ({ posts }) => (posts.some((entry) => 'unavailable' in entry) ? undefined : newestPostTime(posts)),
  members: ({ posts }) => ({
    posts: posts.map((entry) => ('unavailable' in entry ? entry : withArticleMarkdown(entry))),
  }),
  document: postLookupDocument,
  hasRequestedPosts: true,
});
