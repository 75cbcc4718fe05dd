// Renders a conversation as Markdown within a token budget (`max_tokens`). The document is cut between posts. If the focal
// post itself is too long, it is truncated in the model and rendered again, so fences and links are closed by construction.
import type { Layout } from '../../contract/parameters.ts';
import { warning } from '../../contract/warnings.ts';
import type { Conversation } from '../../model/conversation.ts';
import { ownThread } from '../../model/own-thread.ts';
import type { Post } from '../../model/post.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount } from '../content/format.ts';
import { truncatePost } from '../content/truncate.ts';
import type { MarkdownDocument } from './block.ts';
import {
  type ConversationItem,
  type ConversationSection,
  conversationItems,
  joinItems,
  soleItem,
  titleItem,
  unrolledItems,
} from './conversation.ts';
import { createMarkdownContext, type MarkdownContext } from './escape.ts';

const notice = (omission: string): string =>
  `*Truncated: ${omission}. Ask again with a larger max_tokens for the rest.*\n`;

const truncated = (context: MarkdownContext, document: string, omission: string): MarkdownDocument => ({
  markdown: `${document}\n${notice(omission)}`,
  removed: context.removed,
  warning: warning('truncated', `The Markdown was cut to fit max_tokens: ${omission}.`),
});

/** Upper bounds of the heading of a section and of the gap before an item. */
const SECTION_BYTES = 32;
const GAP_BYTES = 8;

/** The order in which posts are kept if not all fit. The document shows them in reading order. */
const PRIORITY: readonly ConversationSection[] = ['thread', 'unrolled', 'ancestors', 'replies'];

const byPriority = (items: readonly ConversationItem[]): readonly ConversationItem[] =>
  PRIORITY.flatMap((section) => {
    const sectionItems = items.filter((item) => item.section === section && !item.isRequired);
    return section === 'ancestors' ? sectionItems.reverse() : sectionItems; // the nearest ancestor matters most
  });

const required = (items: readonly ConversationItem[]): readonly ConversationItem[] =>
  items.filter(({ isRequired }) => isRequired);

const keepWhole = (items: readonly ConversationItem[], limit: number): readonly ConversationItem[] => {
  const kept = new Set<ConversationItem>(required(items));
  const startedSections = new Set<ConversationSection>();
  let used = byteLength(joinItems([...kept]));
  for (const item of byPriority(items)) {
    used += byteLength(item.markdown) + (startedSections.has(item.section) ? GAP_BYTES : SECTION_BYTES);
    if (used > limit) break;
    startedSections.add(item.section);
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
};

/** The beginning of one post, without its conversation. */
const truncateSole = (context: MarkdownContext, post: Post, leftOut: number, limit: number): MarkdownDocument => {
  const others = leftOut > 0 ? `, and ${formatCount(leftOut, 'post')} of the conversation left out` : '';
  const cut = `the post was cut short, without its pictures, quotes and cards${others}`;
  const kept = `pictures, quotes and cards of the post were left out${others}`;
  const render = (renderContext: MarkdownContext, shorter: Post): string =>
    joinItems([titleItem(renderContext, shorter), soleItem(renderContext, shorter)]);
  const fits = (shorter: Post): boolean =>
    byteLength(`${render(createMarkdownContext(context.dialect), shorter)}\n${notice(cut)}`) <= limit;
  const shorter = truncatePost(post, fits);
  context.removed = 0; // the count so far belongs to the document that was too long
  const document = render(context, shorter);
  return truncated(context, document, shorter.text === post.text && shorter.article === undefined ? kept : cut);
};

export interface BudgetOptions {
  /** @default 'conversation' */
  readonly layout?: Layout | undefined;
  /** @default no bound */
  readonly maxTokens?: number | undefined;
  /** Text before the Markdown, which counts as well. */
  readonly before?: string;
  /** A line that says what is missing. */
  readonly note?: string;
}

export const conversationMarkdown = (
  context: MarkdownContext,
  conversation: Conversation,
  { layout, maxTokens, before = '', note = '' }: BudgetOptions = {},
): MarkdownDocument => {
  const isUnrolled = layout === 'unrolled';
  const items = (isUnrolled ? unrolledItems : conversationItems)(context, conversation, note);
  const document = joinItems(items);
  const whole = { markdown: document, removed: context.removed };
  if (maxTokens === undefined) return whole;
  const limit = maxTokens * BYTES_PER_TOKEN - byteLength(before);
  if (byteLength(document) <= limit) return whole;
  const essential = required(items);
  const others = items.length - essential.length;
  const describe = (leftOut: number): string => `${formatCount(leftOut, 'post')} of the conversation left out`;
  const maxBytes = limit - byteLength(notice(describe(others))) - 1;
  if (byteLength(joinItems(essential)) > maxBytes) {
    return truncateSole(context, isUnrolled ? ownThread(conversation).first : conversation.post, others, limit);
  }
  const kept = keepWhole(items, maxBytes);
  return truncated(context, joinItems(kept), describe(items.length - kept.length));
};
