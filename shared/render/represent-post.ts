// A conversation -> the representation that was asked for.
import type { Conversation } from '../model/conversation.ts';
import { conversationMarkdown } from './budget.ts';
import { createInk } from './escape.ts';
import { conversationHtml } from './html.ts';
import { frontmatter, shortFrontmatter } from './obsidian.ts';
import {
  cacheOf,
  htmlOf,
  jsonOf,
  messagesOf,
  noteOf,
  type Represent,
  removedWarning,
  withArticleMarkdown,
} from './represent.ts';
import { BYTES_PER_TOKEN, bytes } from './words.ts';

const membersOf = ({ post, ancestors, thread, replies }: Conversation): Conversation => ({
  post: withArticleMarkdown(post),
  ancestors: ancestors.map(withArticleMarkdown),
  thread: thread.map(withArticleMarkdown),
  replies: replies.map(withArticleMarkdown),
});

/** What the shortest document takes, in bytes. */
const ROOM_FOR_WORDS = 320;

/** The frontmatter takes at most half of what may be said, and leaves room for words. */
const noteHead = (conversation: Conversation, maxTokens = Number.POSITIVE_INFINITY): string => {
  const whole = frontmatter(conversation);
  const limit = maxTokens * BYTES_PER_TOKEN;
  const length = bytes(whole);
  return length <= limit / 2 && length <= limit - ROOM_FOR_WORDS ? whole : shortFrontmatter(conversation);
};

export const representPost: Represent<Conversation> = (read, result, { format, maxTokens, baseUrl }) => {
  const { value, warnings } = result;
  if (format === 'html') return htmlOf(conversationHtml(value, baseUrl), cacheOf(read, warnings));
  const ink = createInk(format === 'obsidian' ? 'obsidian' : 'markdown');
  const head = format === 'obsidian' ? noteHead(value, maxTokens) : '';
  const { markdown, warning: cut } = conversationMarkdown(ink, value, {
    maxTokens,
    before: head,
    note: noteOf(messagesOf(warnings)),
  });
  const known = cut === undefined ? warnings : [...warnings, cut];
  const cache = cacheOf(read, known);
  if (format === 'json') {
    return { format, cache, ...jsonOf(result, [...known, ...removedWarning(ink.removed)], membersOf(value), markdown) };
  }
  const body = head + markdown;
  return { format, cache, body, identity: body };
};
