// Shows the posts that quote a post in every format.
import { createRelatedPostsPresenter } from '../paging/present-related.ts';

export const presentQuotes = /* @__PURE__ */ createRelatedPostsPresenter('quotes');
