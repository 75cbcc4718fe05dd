// Presents a post with its conversation.
import type { Layout } from '../../contract/parameters.ts';
import type { Conversation } from '../../model/conversation.ts';
import { ownThread } from '../../model/own-thread.ts';
import type { Post } from '../../model/post.ts';
import { noteFileName } from '../content/file-name.ts';
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

/** A thread as one text is about its first part. */
const subjectOf = (conversation: Conversation, layout: Layout | undefined): Post =>
  layout === 'unrolled' ? ownThread(conversation).first : conversation.post;

/** The size of the shortest document, in bytes. */
const MIN_BODY_BYTES = 320;

/** The frontmatter takes at most half of the budget and leaves MIN_BODY_BYTES for the body. */
const fittingFrontmatter = (post: Post, maxTokens = Number.POSITIVE_INFINITY): string => {
  const whole = frontmatter(post);
  const limit = maxTokens * BYTES_PER_TOKEN;
  const length = byteLength(whole);
  return length <= limit / 2 && length <= limit - MIN_BODY_BYTES ? whole : shortFrontmatter(post);
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
  markdown: ({ dialect, maxTokens, layout }) => {
    const before = dialect === 'obsidian' ? fittingFrontmatter(subjectOf(value, layout), maxTokens) : '';
    const note = incompleteNote(reportedMessages(warnings));
    const document = conversationMarkdown(createMarkdownContext(dialect), value, { layout, maxTokens, before, note });
    return before === '' ? document : { ...document, markdown: before + document.markdown };
  },
  noteName: (layout) => noteFileName(subjectOf(value, layout)),
  html: () => conversationHtml(value, baseUrl, { warnings }),
});
