// Renders the page of a conversation: nested lists, which screen readers announce with their levels and counts.
import { isSameHandle, postUrl } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { ConversationGap, ConversationTree, TreePost } from '../../model/resources.ts';
import { formatCount } from '../../render/content/format.ts';
import { withoutLeadingMentions } from '../../render/content/repeats.ts';
import { factsHtml, type ItemDates, innerLinkHtml } from '../../render/html/elements.ts';
import { type Html, html, joinHtml } from '../../render/html/html.ts';
import { belowPost, pathOfPost, postPath } from '../../render/html/inner-links.ts';
import { datesHtml, hintHtml, type ListPageOptions, listHtml, withoutPreviews } from '../../render/html/list.ts';
import { postItemHtml } from '../../render/html/post-item.ts';
import { conversationStyle } from '../../render/html/style/conversation.ts';
import { handleOf, postTabsHtml } from '../paging/present-related.ts';
import { type Branch, branchesOf, completenessWords, conversationTitle, gapSentence, isGap } from './words.ts';

/** Deeper answers are in one fold for each branch (specification: data). */
const OPEN_LEVELS = 3;
/** Deeper answers are on the page of the post that they answer: browsers lose lists that are nested hundreds of times. */
const MAX_LEVELS = 24;

const FILES = [
  ['csv', 'Table (CSV)'],
  ['graphml', 'Graph (GraphML)'],
  ['ndjson', 'Lines (NDJSON)'],
] as const;

const foldedHtml = (count: number, list: Html): Html =>
  html`<details><summary>${formatCount(count, 'answer')}</summary>${list}</details>`;

/** A post without the handle of the post above it, which it answers. */
const withoutAnswered = (post: TreePost): Post =>
  withoutLeadingMentions(post, (handle) => isSameHandle(handle, post.in_reply_to?.handle));

const gapHtml = (gap: ConversationGap): Html => {
  const sentence = gapSentence(gap, 'This post');
  return html`<p class="gap">${gap.id === undefined ? sentence : html`<a href="${postUrl(gap.id)}">${sentence}</a>`}</p>`;
};

const entryHtml = (entry: Branch['entry'], isBelowPost: boolean, dates: ItemDates): Html => {
  if (isGap(entry)) return gapHtml(entry);
  const options = { heading: 'h2', dates, viewer: `v${entry.id}` } as const;
  return isBelowPost
    ? postItemHtml(withoutAnswered(entry), options)
    : postItemHtml(entry, { ...options, showsAnswered: entry.depth > 0 });
};

const listBelowHtml = ({ entry, below, count }: Branch, level: number, dates: ItemDates): Html | undefined => {
  if (below.length === 0) return undefined;
  if (level < MAX_LEVELS) {
    const list = listHtmlOf(below, level + 1, !isGap(entry), dates);
    return level === OPEN_LEVELS + 1 && count > 0 ? foldedHtml(count, list) : list;
  }
  const path = isGap(entry) ? undefined : belowPost(entry.id, entry.author?.handle, 'conversation');
  return html`<p>${innerLinkHtml(path, formatCount(count, 'answer'))}</p>`;
};

/** @param level of the list, from 1 */
const listHtmlOf = (branches: readonly Branch[], level: number, isBelowPost: boolean, dates: ItemDates): Html => {
  const items = branches.map(
    (branch) => html`<li>${entryHtml(branch.entry, isBelowPost, dates)}${listBelowHtml(branch, level, dates)}</li>`,
  );
  return html`<ul>${joinHtml(items, '\n')}</ul>`;
};

export const conversationHtml = (tree: ConversationTree, options: ListPageOptions): Html => {
  const root = tree.posts.find(({ id }) => id === tree.root);
  const author = root?.author?.handle;
  const handle = author ?? handleOf(options);
  const title = conversationTitle(author);
  const back = innerLinkHtml(root === undefined ? postPath(tree.root, handle) : pathOfPost(root), 'Back to the post');
  const branches = branchesOf(tree);
  return listHtml({
    ...options,
    offersLanguages: true,
    warnings: withoutPreviews(options.warnings),
    head: {
      type: 'website',
      title,
      canonical: postUrl(tree.root, author),
      description: `${title} on X: ${completenessWords(tree.completeness)}, as far as they are public.`,
    },
    top: html`<div class="about"><h1>${title}</h1><p class="facts">${factsHtml([completenessWords(tree.completeness), back])}</p></div>${postTabsHtml(tree.root, handle, 'conversation')}`,
    items:
      branches.length === 0
        ? undefined
        : html`<section class="tree" aria-label="${title}">${datesHtml(options.dates)}${listHtmlOf(branches, 1, false, options.dates)}</section>`,
    none: hintHtml('No posts are listed.'),
    noMore: hintHtml('Nothing more is listed here.'),
    more: 'More of the conversation',
    data: FILES,
    styles: [conversationStyle],
  });
};
