// Markdown within a token budget (`max_tokens`): cut between posts; if the post itself is too long, it
// is shortened in the model and rendered again, so that fences and links are closed by construction.
import { warning } from '../contract/warnings.ts';
import type { Conversation, Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import { documentOf, focalItem, type Item, itemsOf, type Section, titleOf } from './conversation.ts';
import { createInk, type Ink } from './escape.ts';
import { shortenPost } from './shorten.ts';
import { BYTES_PER_TOKEN, bytes, counted } from './words.ts';

export interface Budgeted {
  readonly markdown: string;
  readonly warning?: Warning;
}

const notice = (what: string): string => `*Truncated: ${what}. Ask again with a larger max_tokens for the rest.*\n`;

const truncated = (document: string, what: string): Budgeted => ({
  markdown: `${document}\n${notice(what)}`,
  warning: warning('truncated', `The Markdown was cut to fit max_tokens: ${what}.`),
});

/** At most what a section's heading, and an item's gap, cost beyond the items. */
const SECTION_BYTES = 32;
const GAP_BYTES = 8;

/** Posts are kept in this order of worth and shown in reading order. */
const worth: readonly Section[] = ['thread', 'ancestors', 'replies'];

const byWorth = (items: readonly Item[]): readonly Item[] =>
  worth.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return section === 'ancestors' ? own.reverse() : own; // the nearest ancestor says most
  });

const keepWhole = (items: readonly Item[], focal: Item, limit: number): readonly Item[] => {
  const kept = new Set<Item>([...items.filter(({ section }) => section === 'title'), focal]);
  const begun = new Set<Section>();
  let used = bytes(documentOf([...kept]));
  for (const item of byWorth(items)) {
    used += bytes(item.markdown) + (begun.has(item.section) ? GAP_BYTES : SECTION_BYTES);
    if (used > limit) break;
    begun.add(item.section);
    kept.add(item);
  }
  return items.filter((item) => kept.has(item));
};

const shortenFocal = (ink: Ink, conversation: Conversation, rest: number, limit: number): Budgeted => {
  const others = rest > 0 ? `, and ${counted(rest, 'post')} of the conversation left out` : '';
  const cut = `the post was cut short, without its pictures, quotes and cards${others}`;
  const kept = `pictures, quotes and cards of the post were left out${others}`;
  const alone = (post: Post): Conversation => ({ post, ancestors: [], thread: [], replies: [] });
  const render = (with_: Ink, post: Post): string =>
    documentOf([titleOf(with_, alone(post)), focalItem(with_, alone(post))]);
  const fits = (post: Post): boolean => bytes(`${render(createInk(ink.dialect), post)}\n${notice(cut)}`) <= limit;
  const shorter = shortenPost(conversation.post, fits);
  ink.removed = 0; // what was counted before is not in this document
  return truncated(
    render(ink, shorter),
    shorter.text === conversation.post.text && shorter.article === undefined ? kept : cut,
  );
};

export interface Extent {
  /** @default no bound */
  readonly maxTokens?: number | undefined;
  /** What stands before the Markdown and counts as well. */
  readonly before?: string;
  /** A line about what is missing, for who reads nothing but Markdown. */
  readonly note?: string;
}

export const conversationMarkdown = (
  ink: Ink,
  conversation: Conversation,
  { maxTokens, before = '', note = '' }: Extent = {},
): Budgeted => {
  const items = itemsOf(ink, conversation, note);
  const document = documentOf(items);
  if (maxTokens === undefined) return { markdown: document };
  const limit = maxTokens * BYTES_PER_TOKEN - bytes(before);
  if (bytes(document) <= limit) return { markdown: document };
  const focal = items.find(({ section }) => section === 'post');
  const around = items.filter(({ section }) => section !== 'post' && section !== 'title').length;
  const describe = (left: number): string => `${counted(left, 'post')} of the conversation left out`;
  const room = limit - bytes(notice(describe(around))) - 1;
  if (focal === undefined || bytes(documentOf([titleOf(createInk(ink.dialect), conversation), focal])) > room) {
    return shortenFocal(ink, conversation, around, limit);
  }
  const kept = keepWhole(items, focal, room);
  return truncated(documentOf(kept), describe(items.length - kept.length));
};
