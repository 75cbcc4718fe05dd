// Renders the page of a conversation: nested lists, which screen readers announce with their levels and counts.
import { answeredBy } from '../../model/conversation.ts';
import { isSameHandle, postUrl } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { formatCount } from '../../render/content/format.ts';
import { withoutLeadingMentions } from '../../render/content/repeats.ts';
import { innerLinkHtml } from '../../render/html/elements.ts';
import { type Html, html, joinHtml } from '../../render/html/html.ts';
import { belowPost, pathOfPost, postPath } from '../../render/html/inner-links.ts';
import { hintHtml, type ListPageOptions, listHtml, withoutPreviews } from '../../render/html/list.ts';
import { postItemHtml } from '../../render/html/post-item.ts';
import { conversationStyle } from '../../render/html/style/conversation.ts';
import { handleOf, postTabsHtml } from '../paging/present-related.ts';
import { completenessWords, conversationTitle, countBelow, gapSentence } from './words.ts';

/** Deeper answers are folded (specification: data). */
const OPEN_LEVELS = 3;
/** Deeper answers are on the page of the post that they answer: browsers lose lists that are nested hundreds of times. */
const MAX_LEVELS = 24;

/** The posts and the gaps below each post that the page shows, by its id. */
interface Below {
  readonly answers: ReadonlyMap<string | undefined, readonly number[]>;
  readonly gaps: ReadonlyMap<string | undefined, readonly ConversationGap[]>;
}

const belowOf = ({ posts, missing }: ConversationTree): Below => {
  const ids = new Set(posts.map(({ id }) => id));
  /** A post whose parent is on another page, or missing, begins a list of its own. */
  const shown = (id: string | undefined): string | undefined => (id !== undefined && ids.has(id) ? id : undefined);
  return {
    answers: Map.groupBy(posts.keys(), (index) => {
      const post = posts[index];
      return post === undefined || post.depth === 0 ? undefined : shown(answeredBy(post));
    }),
    gaps: Map.groupBy(missing, ({ parent }) => shown(parent)),
  };
};

const gapHtml = (gap: ConversationGap): Html => {
  const sentence = gapSentence(gap, 'This post');
  return html`<li class="gap">${gap.id === undefined ? sentence : html`<a href="${postUrl(gap.id)}">${sentence}</a>`}</li>`;
};

const foldedHtml = (count: number, list: Html): Html =>
  html`<details><summary>${formatCount(count, 'answer')}</summary>${list}</details>`;

/** The post that it answers is above it. */
const withoutAnswered = (post: TreePost): Post =>
  withoutLeadingMentions(post, (handle) => isSameHandle(handle, post.in_reply_to?.handle));

const treeHtml = ({ posts, ...tree }: ConversationTree): Html | undefined => {
  const { answers, gaps } = belowOf({ posts, ...tree });

  const itemHtml = (post: TreePost, index: number, level: number): Html =>
    html`<li>${postItemHtml(level === 1 ? post : withoutAnswered(post), { showsAnswered: level === 1 && post.depth > 0, heading: 'h2' })}${listBelow(post, index, level)}</li>`;

  const listOf = (id: string | undefined, level: number): Html | undefined => {
    const items = (answers.get(id) ?? []).flatMap((index) => {
      const post = posts[index];
      return post === undefined ? [] : [itemHtml(post, index, level)];
    });
    const all = [...items, ...(gaps.get(id) ?? []).map(gapHtml)];
    return all.length === 0 ? undefined : html`<ul>${joinHtml(all, '\n')}</ul>`;
  };

  const listBelow = (post: TreePost, index: number, level: number): Html | undefined => {
    const count = countBelow(posts, index);
    if (level === MAX_LEVELS) {
      const path = belowPost(post.id, post.author?.handle, 'conversation');
      return count === 0 ? undefined : html`<p>${innerLinkHtml(path, formatCount(count, 'answer'))}</p>`;
    }
    const list = listOf(post.id, level + 1);
    return list !== undefined && level > OPEN_LEVELS && count > 0 ? foldedHtml(count, list) : list;
  };

  return listOf(undefined, 1);
};

export const conversationHtml = (tree: ConversationTree, options: ListPageOptions): Html => {
  const root = tree.posts.find(({ id }) => id === tree.root);
  const handle = root?.author?.handle ?? handleOf(options);
  const title = conversationTitle(handle);
  const back = innerLinkHtml(root === undefined ? postPath(tree.root, handle) : pathOfPost(root), 'Back to the post');
  const list = treeHtml(tree);
  return listHtml({
    ...options,
    warnings: withoutPreviews(options.warnings),
    head: {
      type: 'website',
      title,
      canonical: postUrl(tree.root, handle),
      description: `${title} on X: ${completenessWords(tree.completeness)}, as far as they are public.`,
    },
    top: html`<div class="about"><h1>${title}</h1><p>${completenessWords(tree.completeness)} · ${back}</p></div>${postTabsHtml(tree.root, handle, 'conversation')}`,
    items: list && html`<section class="tree" aria-label="${title}">${list}</section>`,
    none: hintHtml('No posts are listed.'),
    noMore: hintHtml('Nothing more is listed here.'),
    more: 'More of the conversation',
    styles: [conversationStyle],
  });
};
