// A conversation -> the representation that was asked for.
import type { Conversation } from '../../model/conversation.ts';
import { BYTES_PER_TOKEN, byteLength } from '../content/format.ts';
import { conversationHtml } from '../html/conversation.ts';
import { createMarkdownContext } from '../markdown/escape.ts';
import { frontmatter, shortFrontmatter } from '../markdown/obsidian.ts';
import { conversationMarkdown } from '../markdown/token-budget.ts';
import {
  cacheClassFor,
  htmlRepresentation,
  incompleteNote,
  jsonRepresentation,
  type Presenter,
  removedCharactersWarning,
  reportedMessages,
  withArticleMarkdown,
} from './presenter.ts';

const membersOf = ({ post, ancestors, thread, replies }: Conversation): Conversation => ({
  post: withArticleMarkdown(post),
  ancestors: ancestors.map(withArticleMarkdown),
  thread: thread.map(withArticleMarkdown),
  replies: replies.map(withArticleMarkdown),
});

/** What the shortest document takes, in bytes. */
const MIN_BODY_BYTES = 320;

/** The frontmatter takes at most half of what may be said, and leaves room for words. */
const noteHead = (conversation: Conversation, maxTokens = Number.POSITIVE_INFINITY): string => {
  const whole = frontmatter(conversation);
  const limit = maxTokens * BYTES_PER_TOKEN;
  const length = byteLength(whole);
  return length <= limit / 2 && length <= limit - MIN_BODY_BYTES ? whole : shortFrontmatter(conversation);
};

export const presentPost: Presenter<Conversation> = (read, result, { format, maxTokens, baseUrl }) => {
  const { value, warnings } = result;
  if (format === 'html') return htmlRepresentation(conversationHtml(value, baseUrl), cacheClassFor(read, warnings));
  const ink = createMarkdownContext(format === 'obsidian' ? 'obsidian' : 'markdown');
  const head = format === 'obsidian' ? noteHead(value, maxTokens) : '';
  const { markdown, warning: cut } = conversationMarkdown(ink, value, {
    maxTokens,
    before: head,
    note: incompleteNote(reportedMessages(warnings)),
  });
  const known = cut === undefined ? warnings : [...warnings, cut];
  const cache = cacheClassFor(read, known);
  if (format === 'json') {
    return {
      format,
      cache,
      ...jsonRepresentation(result, [...known, ...removedCharactersWarning(ink.removed)], membersOf(value), markdown),
    };
  }
  const body = head + markdown;
  return { format, cache, body, identity: body };
};
