// Shows the replies to a post in every format.
import { createRelatedPostsPresenter } from '../paging/present-related.ts';

export const presentReplies = /* @__PURE__ */ createRelatedPostsPresenter('replies');
