// Markdown within a token budget (`max_tokens`): cut between posts; if the post itself is too long, it
// is shortened in the model and rendered again, so that fences and links are closed by construction.
import { warning } from '../../contract/warnings.ts';
import type { Conversation } from '../../model/conversation.ts';
import type { Post } from '../../model/post.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount } from '../content/format.ts';
import { truncatePost } from '../content/truncate.ts';
import type { MarkdownDocument } from './block.ts';
import {
  type ConversationItem,
  type ConversationSection,
  conversationItems,
  focalItem,
  joinItems,
  titleItem,
} from './conversation.ts';
import { createMarkdownContext, type MarkdownContext } from './escape.ts';

const notice = (what: string): string => `*Truncated: ${what}. Ask again with a larger max_tokens for the rest.*\n`;

const truncated = (ink: MarkdownContext, document: string, what: string): MarkdownDocument => ({
  markdown: `${document}\n${notice(what)}`,
  removed: ink.removed,
  warning: warning('truncated', `The Markdown was cut to fit max_tokens: ${what}.`),
});

/** At most what a section's heading, and an item's gap, cost beyond the items. */
const SECTION_BYTES = 32;
const GAP_BYTES = 8;

/** Posts are kept in this order of worth and shown in reading order. */
const PRIORITY: readonly ConversationSection[] = ['thread', 'ancestors', 'replies'];

const byPriority = (items: readonly ConversationItem[]): readonly ConversationItem[] =>
  PRIORITY.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return section === 'ancestors' ? own.reverse() : own; // the nearest ancestor says most
  });

const keepWhole = (
  items: readonly ConversationItem[],
  focal: ConversationItem,
  limit: number,
): readonly ConversationItem[] => {
  const kept = new Set<ConversationItem>([...items.filter(({ section }) => section === 'title'), focal]);
  const begun = new Set<ConversationSection>();
  let used = byteLength(joinItems([...kept]));
  for (const item of byPriority(items)) {
    used += byteLength(item.markdown) + (begun.has(item.section) ? GAP_BYTES : SECTION_BYTES);
    if (used > limit) break;
    begun.add(item.section);
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
};

const shortenFocal = (
  ink: MarkdownContext,
  conversation: Conversation,
  rest: number,
  limit: number,
): MarkdownDocument => {
  const others = rest > 0 ? `, and ${formatCount(rest, 'post')} of the conversation left out` : '';
  const cut = `the post was cut short, without its pictures, quotes and cards${others}`;
  const kept = `pictures, quotes and cards of the post were left out${others}`;
  const alone = (post: Post): Conversation => ({ post, ancestors: [], thread: [], replies: [] });
  const render = (with_: MarkdownContext, post: Post): string =>
    joinItems([titleItem(with_, alone(post)), focalItem(with_, alone(post))]);
  const fits = (post: Post): boolean =>
    byteLength(`${render(createMarkdownContext(ink.dialect), post)}\n${notice(cut)}`) <= limit;
  const shorter = truncatePost(conversation.post, fits);
  ink.removed = 0; // what was counted before is not in this document
  const document = render(ink, shorter);
  return truncated(
    ink,
    document,
    shorter.text === conversation.post.text && shorter.article === undefined ? kept : cut,
  );
};

export interface BudgetOptions {
  /** @default no bound */
  readonly maxTokens?: number | undefined;
  /** What stands before the Markdown and counts as well. */
  readonly before?: string;
  /** A line about what is missing, for who reads nothing but Markdown. */
  readonly note?: string;
}

export const conversationMarkdown = (
  ink: MarkdownContext,
  conversation: Conversation,
  { maxTokens, before = '', note = '' }: BudgetOptions = {},
): MarkdownDocument => {
  const items = conversationItems(ink, conversation, note);
  const document = joinItems(items);
  const whole = { markdown: document, removed: ink.removed };
  if (maxTokens === undefined) return whole;
  const limit = maxTokens * BYTES_PER_TOKEN - byteLength(before);
  if (byteLength(document) <= limit) return whole;
  const focal = items.find(({ section }) => section === 'post');
  const around = items.filter(({ section }) => section !== 'post' && section !== 'title').length;
  const describe = (left: number): string => `${formatCount(left, 'post')} of the conversation left out`;
  const room = limit - byteLength(notice(describe(around))) - 1;
  if (
    focal === undefined ||
    byteLength(joinItems([titleItem(createMarkdownContext(ink.dialect), conversation), focal])) > room
  ) {
    return shortenFocal(ink, conversation, around, limit);
  }
  const kept = keepWhole(items, focal, room);
  return truncated(ink, joinItems(kept), describe(items.length - kept.length));
};
