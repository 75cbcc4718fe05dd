// A conversation -> Markdown items, and items -> a document.
import type { Conversation } from '../../model/conversation.ts';
import type { PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { MarkdownContext } from './escape.ts';
import { appendBlock, contextMarkdown, entryMarkdown, postHeading, postMarkdown, tombstoneMarkdown } from './post.ts';

const continuation = (ink: MarkdownContext, item: PostOrTombstone): string =>
  isTombstone(item) ? tombstoneMarkdown(item) : postMarkdown(ink, item);

export type ConversationSection = 'title' | 'ancestors' | 'post' | 'thread' | 'replies';

/** A piece of the document that is kept or left out as a whole. */
export interface ConversationItem {
  readonly section: ConversationSection;
  readonly markdown: string;
}

export const titleItem = (ink: MarkdownContext, { post }: Conversation): ConversationItem => ({
  section: 'title',
  markdown: `# ${postHeading(ink, post.author)}`,
});

/** @param note a line below the post about what is missing */
export const focalItem = (ink: MarkdownContext, conversation: Conversation, note = ''): ConversationItem => ({
  section: 'post',
  markdown:
    contextMarkdown(ink, conversation.post, conversation.ancestors.length === 0) +
    appendBlock(postMarkdown(ink, conversation.post), note),
});

export const conversationItems = (
  ink: MarkdownContext,
  conversation: Conversation,
  note: string,
): ConversationItem[] => {
  const items: ConversationItem[] = [titleItem(ink, conversation)];
  for (const item of conversation.ancestors) items.push({ section: 'ancestors', markdown: entryMarkdown(ink, item) });
  items.push(focalItem(ink, conversation, note));
  for (const item of conversation.thread) items.push({ section: 'thread', markdown: continuation(ink, item) });
  for (const item of conversation.replies) items.push({ section: 'replies', markdown: entryMarkdown(ink, item) });
  return items;
};

const sectionHeadings: Readonly<Record<ConversationSection, string>> = {
  title: '',
  ancestors: '## In reply to',
  post: '## Post',
  thread: '## Thread',
  replies: '## Replies',
};

/** Puts items together in the order given, each section under its heading. */
export const joinItems = (items: readonly ConversationItem[]): string => {
  const hasAncestors = items.some(({ section }) => section === 'ancestors');
  let document = '';
  let current: ConversationSection = 'title';
  for (const { section, markdown } of items) {
    if (document !== '') document += '\n\n';
    const isNew = section !== current;
    // Without ancestors the title says it all.
    if (isNew && (section !== 'post' || hasAncestors)) document += `${sectionHeadings[section]}\n\n`;
    else if (!isNew && section === 'thread') document += '---\n\n';
    current = section;
    document += markdown;
  }
  return `${document}\n`;
};
