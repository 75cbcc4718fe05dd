// Shows the lists below a post as Markdown and JSON.
import { postUrl } from '../../model/handle.ts';
import type { RelatedPosts, Reposters } from '../../model/resources.ts';
import type { PostPage } from '../../model/x-urls.ts';
import { renderBlock } from '../../render/markdown/context.ts';
import { destination } from '../../render/markdown/escape.ts';
import type { ListDocument } from '../../render/markdown/list.ts';
import { headedPosts, userItems } from '../../render/markdown/list-items.ts';
import type { ListData } from './list-presenter.ts';

interface RelatedRow {
  /** Without the id of the post, which says nothing to readers. */
  readonly title: string;
  readonly tab: string;
  readonly none: string;
  /** The page of X, and of this service. */
  readonly page: PostPage;
}

/** The lists below a post, in the order of the tabs. */
export const related = {
  replies: { title: 'Replies to a post', tab: 'Replies', none: 'No replies are listed.', page: 'replies' },
  quotes: { title: 'Quotes of a post', tab: 'Quotes', none: 'No quotes are listed.', page: 'quotes' },
  reposts: { title: 'Reposts of a post', tab: 'Reposts', none: 'No reposts are listed.', page: 'retweets' },
} as const satisfies Readonly<Record<string, RelatedRow>>;

export type Related = keyof typeof related;

/** All that answers the post, directly or not. */
export const CONVERSATION_TAB = { tab: 'Conversation', page: 'conversation' } as const satisfies Pick<
  RelatedRow,
  'tab' | 'page'
>;

/** @param handle of the author of the post, if it is known */
export const titleOf = (name: Related, handle?: string): string =>
  related[name].title + (handle === undefined ? '' : ` of @${handle}`);

/** The head of the Markdown. */
const headOf = (name: Related, id: string): Pick<ListDocument, 'head' | 'none'> => ({
  head: renderBlock(() => `# ${titleOf(name)}\n\n[The post](${destination(postUrl(id))})`),
  none: related[name].none,
});

export const relatedPostsData = (name: 'replies' | 'quotes'): ListData<RelatedPosts> => ({
  document: ({ id, posts }, style) => ({ ...headOf(name, id), ...headedPosts(posts, style) }),
});

export const repostersData: ListData<Reposters> = {
  document: ({ id, users }) => ({ ...headOf('reposts', id), ...userItems(users) }),
};
