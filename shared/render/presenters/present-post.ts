// Presents a post with its conversation, and several posts.
import type { Layout } from '../../contract/parameters.ts';
import { problem } from '../../contract/problems.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { ownThread, parseMissing, type RepliesCount } from '../../model/conversation.ts';
import type { Post } from '../../model/post.ts';
import type { Conversation, Warning } from '../../model/resources.ts';
import { newestPostTime } from '../../model/snowflake.ts';
import { BYTES_PER_TOKEN, byteLength, formatNumber } from '../content/format.ts';
import { metricsOf, type PartPosition } from '../content/labels.ts';
import { noteFileName } from '../content/post-title.ts';
import { conversationHtml, oembedUrl } from '../html/conversation.ts';
import { belowPost } from '../html/inner-links.ts';
import { autolink, createMarkdownContext } from '../markdown/escape.ts';
import { postLookupDocument } from '../markdown/list-documents.ts';
import { frontmatter, shortFrontmatter } from '../markdown/obsidian.ts';
import { conversationMarkdown } from '../markdown/token-budget.ts';
import { createListPresenter, withArticleMarkdown } from './list-presenter.ts';
import { incompleteNote, readOnFrom, reportedMessages } from './notes.ts';
import type { Presenter, ResourceView } from './view.ts';

const membersOf = ({ post, ancestors, thread, replies }: Conversation): Conversation => ({
  post: withArticleMarkdown(post),
  ancestors: ancestors.map(withArticleMarkdown),
  thread: thread.map(withArticleMarkdown),
  replies: replies.map(withArticleMarkdown),
});

/** A thread as one text is about its first part. */
const shownPost = (conversation: Conversation, layout: Layout | undefined): Post =>
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

const MORE_REPLIES: WarningCode = 'more_replies';

const missingIn = (warnings: readonly Warning[]): RepliesCount | undefined =>
  parseMissing(warnings.find(({ code }) => code === MORE_REPLIES)?.message ?? '');

/** @returns a line for the end of the Markdown: the counts of the warning and a link; empty without a warning */
const moreReplies = ({ id, author }: Post, warnings: readonly Warning[], baseUrl: string): string => {
  const missing = missingIn(warnings);
  if (missing === undefined) return '';
  return `\n${formatNumber(missing.shown)} of ${formatNumber(missing.total)} replies. All replies: ${baseUrl}${belowPost(id, author?.handle, 'replies') ?? ''}\n`;
};

/** @throws Problem if the part is beyond the last */
const requirePart = ({ number = 1, count }: PartPosition): void => {
  if (number <= count) return;
  const message = `must be at most ${count}: with this max_tokens the text has ${count === 1 ? '1 part' : `${count} parts`}`;
  throw problem('invalid_parameter', { errors: [{ parameter: 'part', message }], detail: `part ${message}.` });
};

export const presentPost: Presenter<Conversation, ResourceView<Conversation>> = (
  { value, source, fetchedAt, warnings },
  urls,
) => ({
  kind: 'resource',
  source,
  fetchedAt,
  warnings,
  isDegraded: false,
  newestPostAt: newestPostTime([value.post, ...value.ancestors, ...value.thread, ...value.replies]),
  oembedUrl: oembedUrl(value.post, urls.baseUrl),
  members: () => membersOf(value),
  markdown: ({ dialect, maxTokens, layout, metrics, part, sizeOf, omitsNext }) => {
    const { baseUrl, partUrl } = urls;
    const context = createMarkdownContext(dialect, {
      metrics: metrics === 'off' ? metricsOf([]) : undefined,
      readOn: readOnFrom(urls),
    });
    const document = conversationMarkdown(context, value, {
      layout,
      maxTokens,
      part,
      sizeOf,
      before: dialect === 'obsidian' ? fittingFrontmatter(shownPost(value, layout), maxTokens) : '',
      note: incompleteNote(reportedMessages(warnings)),
      after: moreReplies(value.post, warnings, baseUrl),
      omitsLastLine: omitsNext,
      ...(partUrl && {
        wayTo: (number) => autolink(partUrl(number, dialect)),
        wayToJson: (number) => partUrl(number, 'json'),
      }),
    });
    if (document.position !== undefined) requirePart(document.position);
    return document;
  },
  noteName: (layout) => noteFileName(shownPost(value, layout)),
  html: () => conversationHtml(value, urls.baseUrl, { warnings, missing: missingIn(warnings) }),
});

export const presentPostLookup = /* @__PURE__ */ createListPresenter<'lookup'>({
  // A post that cannot be read now may be readable soon.
  newestPostAt: ({ posts }) => (posts.some((entry) => 'unavailable' in entry) ? undefined : newestPostTime(posts)),
  document: postLookupDocument,
  hasRequestedPosts: true,
});
