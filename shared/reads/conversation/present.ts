// Shows the tree of a conversation in every format.
import { isSameHandle, postUrl } from '../../model/handle.ts';
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { formatCount } from '../../render/content/format.ts';
import { conversationGraph } from '../../render/data/graphml.ts';
import { belowPost, type LinkBase, pageLink } from '../../render/html/inner-links.ts';
import {
  type MarkdownBlock,
  type MarkdownContext,
  type PostStyle,
  renderBlock,
} from '../../render/markdown/context.ts';
import { autolink, blockquote, destination } from '../../render/markdown/escape.ts';
import { appendBlock, entryMarkdown, headedPost } from '../../render/markdown/post.ts';
import { createListPresenter, type ListData } from '../paging/list-presenter.ts';
import { conversationHtml } from './page.ts';
import {
  type Branch,
  branchesOf,
  completenessWords,
  conversationTitle,
  gapSentence,
  isGap,
  readingOrder,
} from './words.ts';

/** Deeper posts are behind a link (specification: data). */
const MAX_QUOTE_LEVELS = 5;

const gapLine = (gap: ConversationGap): string =>
  `*${gapSentence(gap, gap.id === undefined ? 'This post' : `[This post](${destination(postUrl(gap.id))})`)}*`;

const quoted = (markdown: string, depth: number): string =>
  depth === 0 ? markdown : quoted(blockquote(markdown), depth - 1);

const NOTHING: MarkdownBlock = { markdown: '', removed: 0 };

const joined = (a: MarkdownBlock, b: MarkdownBlock): MarkdownBlock => ({
  markdown: appendBlock(a.markdown, b.markdown),
  removed: a.removed + b.removed,
});

/**
 * One item for each post, as in JSON, so that a document can end after any: with the gaps before it, and for the last one those
 * after it. That of a post which is too deep is empty, so each item begins with its distance to the one before it.
 */
const itemsOf = (tree: ConversationTree, style: PostStyle, base: LinkBase | undefined): readonly MarkdownBlock[] => {
  /** Tools name the post, of which they have a call. */
  const wayTo = (post: TreePost): string => {
    const path = base && belowPost(post.id, post.author?.handle, 'conversation');
    const url = base && path && pageLink(base, path);
    return url ? autolink(url) : (style.readOn?.(post) ?? autolink(post.url));
  };
  const ids = new Set(tree.posts.map(({ id }) => id));
  /** The post that it answers is above it. */
  const isBelow = ({ depth, in_reply_to: answered }: TreePost): boolean =>
    depth > 0 && answered?.id !== undefined && ids.has(answered.id);
  const write = (context: MarkdownContext, { entry, count }: Branch, level: number): string => {
    if (isGap(entry)) return gapLine(entry);
    const text = isBelow(entry)
      ? entryMarkdown(context, entry, (handle) => isSameHandle(handle, entry.in_reply_to?.handle))
      : headedPost(context, entry);
    if (level < MAX_QUOTE_LEVELS || count === 0) return text;
    return `${text}\n\n${formatCount(count, 'answer')} below: ${wayTo(entry)}`;
  };
  const written = new Map<string, MarkdownBlock>();
  let gaps = NOTHING;
  for (const { branch, level } of readingOrder(branchesOf(tree), MAX_QUOTE_LEVELS)) {
    const { entry } = branch;
    const block = renderBlock((context) => quoted(write(context, branch, level), level), {
      ...style,
      threads: undefined,
    });
    gaps = joined(gaps, block);
    if (isGap(entry)) continue;
    written.set(entry.id, gaps);
    gaps = NOTHING;
  }
  return tree.posts.map(({ id }, index) => {
    const own = written.get(id) ?? NOTHING;
    const { markdown, removed } = index === tree.posts.length - 1 ? joined(own, gaps) : own;
    return { markdown: index === 0 || markdown === '' ? markdown : `\n\n${markdown}`, removed };
  });
};

export const conversationData: ListData<ConversationTree> = {
  document: (tree, style, base) => ({
    head: renderBlock(
      () =>
        `# ${conversationTitle()}\n\n[The post](${destination(postUrl(tree.root))}) · ${completenessWords(tree.completeness)}`,
    ),
    items: itemsOf(tree, style, base),
    item: 'post',
    between: '',
    none: 'No posts are listed.',
  }),
  lastLine: ({ missing, completeness }) => ({ missing, completeness }),
};

export const presentConversation = /* @__PURE__ */ createListPresenter<'conversation'>(conversationData, {
  html: conversationHtml,
  graphml: ({ posts }) => conversationGraph(posts),
});
