// A conversation -> Markdown items, and items -> a document.
import type { Conversation } from '../model/conversation.ts';
import type { PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { Ink } from './escape.ts';
import { below, content, context, entry, heading, tombstone } from './post.ts';

const continuation = (ink: Ink, item: PostOrTombstone): string =>
  isTombstone(item) ? tombstone(item) : content(ink, item);

export type Section = 'title' | 'ancestors' | 'post' | 'thread' | 'replies';

/** A piece of the document that is kept or left out as a whole. */
export interface Item {
  readonly section: Section;
  readonly markdown: string;
}

export const titleOf = (ink: Ink, { post }: Conversation): Item => ({
  section: 'title',
  markdown: `# ${heading(ink, post.author)}`,
});

/** @param note a line below the post about what is missing */
export const focalItem = (ink: Ink, conversation: Conversation, note = ''): Item => ({
  section: 'post',
  markdown:
    context(ink, conversation.post, conversation.ancestors.length === 0) + below(content(ink, conversation.post), note),
});

export const itemsOf = (ink: Ink, conversation: Conversation, note: string): Item[] => {
  const items: Item[] = [titleOf(ink, conversation)];
  for (const item of conversation.ancestors) items.push({ section: 'ancestors', markdown: entry(ink, item) });
  items.push(focalItem(ink, conversation, note));
  for (const item of conversation.thread) items.push({ section: 'thread', markdown: continuation(ink, item) });
  for (const item of conversation.replies) items.push({ section: 'replies', markdown: entry(ink, item) });
  return items;
};

const sectionHeadings: Readonly<Record<Section, string>> = {
  title: '',
  ancestors: '## In reply to',
  post: '## Post',
  thread: '## Thread',
  replies: '## Replies',
};

/** Puts items together in the order given, each section under its heading. */
export const documentOf = (items: readonly Item[]): string => {
  const hasAncestors = items.some(({ section }) => section === 'ancestors');
  let document = '';
  let current: Section = 'title';
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
