// Renders a conversation as Markdown within a token budget (`max_tokens`). A document that is too long is divided into
// parts; the last line of a part says how to get the next.
import type { Layout } from '../../contract/parameters.ts';
import { warning } from '../../contract/warnings.ts';
import type { Conversation } from '../../model/resources.ts';
import { BYTES_PER_TOKEN, byteLength, type SizeOf } from '../content/format.ts';
import { type PartPosition, partSentence } from '../content/labels.ts';
import type { MarkdownContext, MarkdownDocument } from './context.ts';
import { type ConversationItem, conversationItems, joinItems, unrolledItems } from './conversation-items.ts';
import { divideMarkdown } from './parts.ts';

/** Upper bounds of the heading of a section and of the gap before an item. */
const SECTION_BYTES = 32;
const GAP_BYTES = 8;

/** An upper bound of the numbers in a last line, so that all parts leave the same space for it. */
const MANY_PARTS: PartPosition = { number: 9998, count: 9999 };

/** Leaves out the farthest ancestors, so that the post and what follows it fit as far as possible. */
const withNearestAncestors = (
  items: readonly ConversationItem[],
  size: number,
  sizeOf: SizeOf,
): readonly ConversationItem[] => {
  const isAncestor = ({ section }: ConversationItem): boolean => section === 'ancestors';
  const rest = items.filter((item) => !isAncestor(item) && item.section !== 'replies');
  let used = sizeOf(joinItems(rest).document) + 2 * SECTION_BYTES;
  const far = items.findLastIndex((item) => {
    if (!isAncestor(item)) return false;
    used += sizeOf(item.markdown) + GAP_BYTES;
    return used > size;
  });
  return items.filter((item, index) => !isAncestor(item) || index > far);
};

const askAgain = (part: number): string => `ask again with part=${part}`;

export interface BudgetOptions {
  /** @default 'conversation' */
  readonly layout?: Layout | undefined;
  /** @default no bound */
  readonly maxTokens?: number | undefined;
  /** The number of the part, from 1. Unset: the first part, or the part from the post on if the first does not reach it. */
  readonly part?: number | undefined;
  /** How the bound counts a text. @default bytes of UTF-8 */
  readonly sizeOf?: SizeOf | undefined;
  /** Text before the Markdown, which counts as well. The first part has it. */
  readonly before?: string;
  /** A line that says what is missing. */
  readonly note?: string;
  /** A last line of a document that is not divided, if it fits, and of the last part. */
  readonly after?: string;
  /** How to get a part, for the last line. */
  readonly wayTo?: (part: number) => string;
  /** How to get a part, for the warning. */
  readonly wayToJson?: (part: number) => string;
  /** A part has no last line. */
  readonly omitsLastLine?: boolean | undefined;
}

/** A part that does not exist is empty; its position says how many there are. */
export const conversationMarkdown = (
  context: MarkdownContext,
  conversation: Conversation,
  options: BudgetOptions = {},
): MarkdownDocument => {
  const { layout, maxTokens, part, sizeOf = byteLength, before = '', note = '', after = '' } = options;
  const { wayTo = askAgain, wayToJson = askAgain, omitsLastLine = false } = options;
  const items = (layout === 'unrolled' ? unrolledItems : conversationItems)(context, conversation, note);
  const { document, ends } = joinItems(items);
  const limit = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens * BYTES_PER_TOKEN;
  const fits = (text: string): boolean => maxTokens === undefined || sizeOf(before + text) <= limit;
  const whole = [document + after, document].find(fits);
  if (whole !== undefined)
    return { markdown: before + whole, removed: context.removed, position: { number: part ?? 1, count: 1 } };

  const lastLine = (position: PartPosition): string =>
    omitsLastLine ? '\n' : `\n\n*${partSentence(position, wayTo)}*\n`;
  /** A last line that would take most of a small part is added to it. */
  const spaceBeside = (position: PartPosition): number => {
    const lineSize = sizeOf(lastLine(position));
    return lineSize > limit / 2 ? limit : limit - lineSize;
  };
  const written = (markdown: string, position: PartPosition): MarkdownDocument => ({
    markdown: `${markdown}${lastLine(position)}`,
    removed: context.removed,
    position,
    warning: warning('truncated', `The Markdown was cut to fit max_tokens. ${partSentence(position, wayToJson)}`),
  });

  const text = (document + after).slice(0, -1);
  const size = spaceBeside(MANY_PARTS);
  const parts = [...divideMarkdown(text, { itemEnds: ends.slice(1), sizeOf, size, firstSize: size - sizeOf(before) })];
  const position = { number: part ?? 1, count: parts.length };

  const focal = items.findIndex(({ isRequired }, index) => isRequired === true && index > 0);
  const [firstEnd, focalStart, focalEnd] = [parts[0]?.end ?? 0, ends[focal - 1] ?? 0, ends[focal] ?? 0];
  const isLong = sizeOf(items[focal]?.markdown ?? '') > size / 2;
  const showsPost = focal < 2 || firstEnd >= focalEnd || (isLong && firstEnd > focalStart);
  if (part !== undefined || showsPost)
    return written((position.number === 1 ? before : '') + (parts[position.number - 1]?.text ?? ''), position);
  const fromPost = { number: undefined, count: parts.length };
  const nearestSize = spaceBeside(fromPost) - sizeOf(before);
  const nearest = joinItems(withNearestAncestors(items, nearestSize, sizeOf));
  const [first] = divideMarkdown(nearest.document.slice(0, -1), {
    itemEnds: nearest.ends.slice(1),
    sizeOf,
    size: nearestSize,
  });
  return written(before + (first?.text ?? ''), fromPost);
};
