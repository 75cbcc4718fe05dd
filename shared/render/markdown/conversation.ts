// Renders a conversation as Markdown items, and joins items to a document.
import type { Conversation } from '../../model/conversation.ts';
import type { PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { MarkdownContext } from './escape.ts';
import { appendBlock, contextMarkdown, entryMarkdown, postHeading, postMarkdown, tombstoneMarkdown } from './post.ts';

const continuation = (context: MarkdownContext, item: PostOrTombstone): string =>
  isTombstone(item) ? tombstoneMarkdown(item) : postMarkdown(context, item);

export type ConversationSection = 'title' | 'ancestors' | 'post' | 'thread' | 'replies';

/** A part of the document that is kept or omitted as a whole. */
export interface ConversationItem {
  readonly section: ConversationSection;
  readonly markdown: string;
}

export const titleItem = (context: MarkdownContext, { post }: Conversation): ConversationItem => ({
  section: 'title',
  markdown: `# ${postHeading(context, post.author)}`,
});

/** @param note a line below the post that says what is missing */
export const focalItem = (context: MarkdownContext, conversation: Conversation, note = ''): ConversationItem => ({
  section: 'post',
  markdown:
    contextMarkdown(context, conversation.post, conversation.ancestors.length === 0) +
    appendBlock(postMarkdown(context, conversation.post), note),
});

export const conversationItems = (
  context: MarkdownContext,
  conversation: Conversation,
  note: string,
): ConversationItem[] => {
  const items: ConversationItem[] = [titleItem(context, conversation)];
  for (const item of conversation.ancestors)
    items.push({ section: 'ancestors', markdown: entryMarkdown(context, item) });
  items.push(focalItem(context, conversation, note));
  for (const item of conversation.thread) items.push({ section: 'thread', markdown: continuation(context, item) });
  for (const item of conversation.replies) items.push({ section: 'replies', markdown: entryMarkdown(context, item) });
  return items;
};

const sectionHeadings: Readonly<Record<ConversationSection, string>> = {
  title: '',
  ancestors: '## In reply to',
  post: '## Post',
  thread: '## Thread',
  replies: '## Replies',
};

/** Writes the heading of a section before its first item. */
export const joinItems = (items: readonly ConversationItem[]): string => {
  const hasAncestors = items.some(({ section }) => section === 'ancestors');
  let document = '';
  let current: ConversationSection = 'title';
  for (const { section, markdown } of items) {
    if (document !== '') document += '\n\n';
    const isNew = section !== current;
    // Without ancestors the title is heading enough.
    if (isNew && (section !== 'post' || hasAncestors)) document += `${sectionHeadings[section]}\n\n`;
    else if (!isNew && section === 'thread') document += '---\n\n';
    current = section;
    document += markdown;
  }
  return `${document}\n`;
};
