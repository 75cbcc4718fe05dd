// Shows the tree of a conversation in every format.
import { isSameHandle, postUrl } from '../../model/handle.ts';
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { formatCount } from '../../render/content/format.ts';
import { graphmlOf } from '../../render/feeds/graphml.ts';
import {
  type MarkdownBlock,
  type MarkdownContext,
  type PostStyle,
  renderBlock,
} from '../../render/markdown/context.ts';
import { autolink, blockquote, destination } from '../../render/markdown/escape.ts';
import { entryMarkdown, headedPost } from '../../render/markdown/post.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { conversationHtml } from './page.ts';
import { completenessWords, conversationTitle, countBelow, gapSentence } from './words.ts';

/** Deeper posts are behind a link (specification: data). */
const MAX_QUOTE_LEVELS = 5;

const gapLine = (gap: ConversationGap): string =>
  `*${gapSentence(gap, gap.id === undefined ? 'This post' : `[This post](${destination(postUrl(gap.id))})`)}*`;

const quoted = (markdown: string, depth: number): string =>
  depth === 0 ? markdown : quoted(blockquote(markdown), depth - 1);

/** One item for each post. That of a post which is too deep is empty, so each item begins with its own distance. */
const itemsOf = ({ posts, missing }: ConversationTree, style: PostStyle): readonly MarkdownBlock[] => {
  const gaps = Map.groupBy(missing, ({ parent }) => parent);
  const ids = new Set(posts.map(({ id }) => id));
  const unplaced = missing.filter(({ parent }) => parent === undefined || !ids.has(parent)).map(gapLine);
  /** The post that it answers is above it. */
  const isBelow = ({ depth, in_reply_to: answered }: TreePost): boolean =>
    depth > 0 && answered?.id !== undefined && ids.has(answered.id);
  const write = (context: MarkdownContext, post: TreePost, index: number): string => {
    const deeper = post.depth === MAX_QUOTE_LEVELS ? countBelow(posts, index) : 0;
    const lines = [
      isBelow(post)
        ? entryMarkdown(context, post, (handle) => isSameHandle(handle, post.in_reply_to?.handle))
        : headedPost(context, post),
      ...(gaps.get(post.id) ?? []).map(gapLine),
      ...(deeper === 0
        ? []
        : [`${formatCount(deeper, 'answer')} below: ${style.readOn?.(post) ?? autolink(post.url)}`]),
    ];
    return quoted(lines.join('\n\n'), post.depth);
  };
  return posts.map((post, index) =>
    renderBlock(
      (context) => {
        const shown = post.depth > MAX_QUOTE_LEVELS ? [] : [write(context, post, index)];
        const blocks = [...shown, ...(index === posts.length - 1 ? unplaced : [])];
        return blocks.map((block, at) => (index + at === 0 ? block : `\n\n${block}`)).join('');
      },
      { ...style, threads: undefined },
    ),
  );
};

export const conversationData: ListData<ConversationTree> = {
  document: (tree, style) => ({
    head: renderBlock(
      () =>
        `# ${conversationTitle()}\n\n[The post](${destination(postUrl(tree.root))}) · ${completenessWords(tree.completeness)}`,
    ),
    items: itemsOf(tree, style),
    item: 'post',
    between: '',
    none: 'No posts are listed.',
  }),
  lastLine: ({ missing, completeness }) => ({ missing, completeness }),
};

export const presentConversation = /* @__PURE__ */ createListPresenter<'conversation'>(conversationData, {
  html: conversationHtml,
  graphml: graphmlOf,
});
