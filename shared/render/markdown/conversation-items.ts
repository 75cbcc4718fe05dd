// Renders a conversation as Markdown items, and joins items to a document.
import { branchesIn, isTombstone, ownThread } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import { formatCount } from '../content/format.ts';
import { withoutCommunity } from '../content/post-facts.ts';
import { withoutLeadingMentions } from '../content/repeats.ts';
import type { MarkdownContext } from './context.ts';
import { autolink } from './escape.ts';
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

type ConversationSection = 'title' | 'ancestors' | 'post' | 'thread' | 'unrolled' | 'replies';

/** A part of the document that is kept or omitted as a whole. */
export interface ConversationItem {
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

/** @returns a function that writes a line above a part that begins another branch; empty for any other part */
const branchLines = (parts: readonly PostOrTombstone[]): ((part: PostOrTombstone) => string) => {
  const branches = branchesIn(parts);
  return ({ id }) => {
    const answered = parts[branches.get(id) ?? -1];
    return answered === undefined || isTombstone(answered) ? '' : `*Another branch, from* ${autolink(answered.url)}`;
  };
};

/** A part of the thread without its author. @param above a line above its text */
const continuation = (
  context: MarkdownContext,
  item: PostOrTombstone,
  write: (context: MarkdownContext, post: Post) => string,
  isNamed: (handle: string) => boolean,
  above: string,
): string =>
  appendBlock(
    above,
    isTombstone(item) ? tombstoneMarkdown(item) : write(context, withoutLeadingMentions(item, isNamed)),
  );

/** Each post with its own counts, in the order of reading. @param note a line that says what is missing */
export const conversationItems = (
  context: MarkdownContext,
  conversation: Conversation,
  note: string,
): ConversationItem[] => {
  const { post, ancestors, thread, replies } = conversation;
  const isNamed = namedBy([post, ...ancestors]);
  const branchLine = branchLines(ownThread(conversation).parts);
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
        markdown: continuation(context, item, postMarkdown, isNamed, branchLine(item)),
      }),
    ),
    ...replyItems(context, replies, post, isNamed),
  ];
};

/** The thread as one text: its parts in order, and the counts of its first post. It is the same from each part. */
export const unrolledItems = (
  context: MarkdownContext,
  conversation: Conversation,
  note: string,
): ConversationItem[] => {
  const { context: before, parts, first } = ownThread(conversation);
  const isNamed = namedBy([first, ...before]);
  const { above, post } = withContext(context, first, before.length === 0 && parts[0] === first ? undefined : isNamed);
  const branchLine = branchLines(parts);
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
          : { section, markdown: continuation(context, part, postBody, isNamed, branchLine(part)) },
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
export const joinItems = (items: readonly ConversationItem[]): JoinedItems => {
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
