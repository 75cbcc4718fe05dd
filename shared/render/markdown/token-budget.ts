// Renders a conversation as Markdown within a token budget (`max_tokens`). A document that is too long is divided into
// parts; the last line of a part says how to get the next.
import type { Layout } from '../../contract/parameters.ts';
import { warning } from '../../contract/warnings.ts';
import { isTombstone, ownThread } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import { BYTES_PER_TOKEN, byteLength, formatCount, type SizeOf } from '../content/format.ts';
import { type PartPosition, partSentence } from '../content/labels.ts';
import { withoutCommunity } from '../content/post-facts.ts';
import { withoutLeadingMentions } from '../content/repeats.ts';
import type { MarkdownContext, MarkdownDocument } from './escape.ts';
import { divideMarkdown } from './parts.ts';
import {
  appendBlock,
  entryMarkdown,
  postBody,
  postFooter,
  postHeading,
  postMarkdown,
  tombstoneMarkdown,
  withContext,
} from './post.ts';

// Renders a conversation as Markdown items, and joins items to a document.

type ConversationSection = 'title' | 'ancestors' | 'post' | 'thread' | 'unrolled' | 'replies';

/** A part of the document that is kept or omitted as a whole. */
interface ConversationItem {
  readonly section: ConversationSection;
  readonly markdown: string;
  /** The document always has the item. */
  readonly isRequired?: true;
}

const titleItem = (context: MarkdownContext, { author }: Post): ConversationItem => ({
  section: 'title',
  markdown: `# ${postHeading(context, author)}`,
  isRequired: true,
});

/** @returns a function that is true for the handles of the authors in lower case */
const namedBy = (entries: readonly PostOrTombstone[]): ((handle: string) => boolean) => {
  const handles = new Set(
    entries.map((entry) => (isTombstone(entry) ? undefined : entry.author?.handle.toLowerCase())),
  );
  return (handle) => handles.has(handle);
};

const entryItems = (
  context: MarkdownContext,
  section: ConversationSection,
  entries: readonly PostOrTombstone[],
  isNamed: (handle: string) => boolean,
): ConversationItem[] => entries.map((entry) => ({ section, markdown: entryMarkdown(context, entry, isNamed) }));

/** As on the page, long replies are cut. */
const replyItems = (
  context: MarkdownContext,
  replies: readonly PostOrTombstone[],
  { community }: Post,
  isNamed: (handle: string) => boolean,
): ConversationItem[] =>
  entryItems({ ...context, isCut: true }, 'replies', withoutCommunity(replies, community), isNamed);

/** A part of the thread without its author. */
const continuation = (
  context: MarkdownContext,
  item: PostOrTombstone,
  write: (context: MarkdownContext, post: Post) => string,
  isNamed: (handle: string) => boolean,
): string => (isTombstone(item) ? tombstoneMarkdown(item) : write(context, withoutLeadingMentions(item, isNamed)));

/** Each post with its own counts, in the order of reading. @param note a line that says what is missing */
const conversationItems = (
  context: MarkdownContext,
  { post, ancestors, thread, replies }: Conversation,
  note: string,
): ConversationItem[] => {
  const isNamed = namedBy([post, ...ancestors]);
  const focal = withContext(context, post, ancestors.length === 0 ? undefined : isNamed);
  return [
    titleItem(context, post),
    ...entryItems(context, 'ancestors', withoutCommunity(ancestors, post.community), isNamed),
    {
      section: 'post',
      markdown: focal.above + appendBlock(postMarkdown(context, focal.post), note),
      isRequired: true,
    },
    ...withoutCommunity(thread, post.community).map(
      (item): ConversationItem => ({
        section: 'thread',
        markdown: continuation(context, item, postMarkdown, isNamed),
      }),
    ),
    ...replyItems(context, replies, post, isNamed),
  ];
};

/** The thread as one text: its parts in order, and the counts of its first post. It is the same from each part. */
const unrolledItems = (context: MarkdownContext, conversation: Conversation, note: string): ConversationItem[] => {
  const { context: before, parts, first } = ownThread(conversation);
  const isNamed = namedBy([first, ...before]);
  const { above, post } = withContext(context, first, before.length === 0 && parts[0] === first ? undefined : isNamed);
  const isThread = parts.length > 1;
  const section = isThread ? 'unrolled' : 'post';
  const length = isThread ? `Thread of ${formatCount(parts.length, 'post')} · ` : '';
  return [
    titleItem(context, first),
    ...entryItems(context, 'ancestors', withoutCommunity(before, first.community), isNamed),
    ...parts.map(
      (part): ConversationItem =>
        part === first
          ? { section, markdown: above + postBody(context, post), isRequired: true }
          : { section, markdown: continuation(context, part, postBody, isNamed) },
    ),
    { section, markdown: appendBlock(length + postFooter(context, first), note), isRequired: true },
    ...replyItems(context, conversation.replies, first, isNamed),
  ];
};

const sectionHeadings: Readonly<Record<ConversationSection, string>> = {
  title: '',
  ancestors: '## In reply to',
  post: '## Post',
  thread: '## Thread',
  unrolled: '## Thread',
  replies: '## Replies',
};

/** Items as one document, and the offsets at which they end. */
interface JoinedItems {
  readonly document: string;
  readonly ends: readonly number[];
}

/** Writes the heading of a section before its first item. */
const joinItems = (items: readonly ConversationItem[]): JoinedItems => {
  const hasAncestors = items.some(({ section }) => section === 'ancestors');
  let document = '';
  let current: ConversationSection = 'title';
  const ends: number[] = [];
  for (const { section, markdown } of items) {
    if (document !== '') document += '\n\n';
    const isNew = section !== current;
    // Without ancestors the title is heading enough.
    if (isNew && ((section !== 'post' && section !== 'unrolled') || hasAncestors))
      document += `${sectionHeadings[section]}\n\n`;
    else if (!isNew && section === 'thread') document += '---\n\n';
    current = section;
    document += markdown;
    ends.push(document.length);
  }
  return { document: `${document}\n`, ends };
};

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
  if (part !== undefined || focal < 2 || firstEnd >= focalEnd || (isLong && firstEnd > focalStart))
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
