// Presents a post with its conversation.
import type { Conversation } from '../../model/conversation.ts';
import { BYTES_PER_TOKEN, byteLength } from '../content/format.ts';
import { conversationHtml } from '../html/conversation.ts';
import { oembedUrl } from '../html/permalink.ts';
import { createMarkdownContext } from '../markdown/escape.ts';
import { frontmatter, shortFrontmatter } from '../markdown/obsidian.ts';
import { conversationMarkdown } from '../markdown/token-budget.ts';
import { withArticleMarkdown } from './article-member.ts';
import { incompleteNote, reportedMessages } from './notes.ts';
import type { Presenter, ResourceView } from './view.ts';

const membersOf = ({ post, ancestors, thread, replies }: Conversation): Conversation => ({
  post: withArticleMarkdown(post),
  ancestors: ancestors.map(withArticleMarkdown),
  thread: thread.map(withArticleMarkdown),
  replies: replies.map(withArticleMarkdown),
});

/** The size of the shortest document, in bytes. */
const MIN_BODY_BYTES = 320;

/** The frontmatter takes at most half of the budget and leaves MIN_BODY_BYTES for the body. */
const fittingFrontmatter = (conversation: Conversation, maxTokens = Number.POSITIVE_INFINITY): string => {
  const whole = frontmatter(conversation);
  const limit = maxTokens * BYTES_PER_TOKEN;
  const length = byteLength(whole);
  return length <= limit / 2 && length <= limit - MIN_BODY_BYTES ? whole : shortFrontmatter(conversation);
};

export const presentPost: Presenter<Conversation, ResourceView<Conversation>> = (
  { value, source, fetchedAt, warnings },
  { baseUrl },
) => ({
  kind: 'resource',
  source,
  fetchedAt,
  warnings,
  isDegraded: false,
  oembedUrl: oembedUrl(value.post, baseUrl),
  members: () => membersOf(value),
  markdown: ({ dialect, maxTokens }) => {
    const before = dialect === 'obsidian' ? fittingFrontmatter(value, maxTokens) : '';
    const note = incompleteNote(reportedMessages(warnings));
    const document = conversationMarkdown(createMarkdownContext(dialect), value, { maxTokens, before, note });
    return before === '' ? document : { ...document, markdown: before + document.markdown };
  },
  html: () => conversationHtml(value, baseUrl),
});
