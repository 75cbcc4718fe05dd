// Shows a post with its conversation: as Markdown and JSON, and in every format.
import type { Layout } from '../../contract/parameters.ts';
import { problem } from '../../contract/problems.ts';
import { inThreadText, mapAround, ownThread, type RepliesCount } from '../../model/conversation.ts';
import type { Post } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import { newestPostTime } from '../../model/snowflake.ts';
import { visibleLine } from '../../model/visible-text.ts';
import { BYTES_PER_TOKEN, byteLength, formatNumber } from '../../render/content/format.ts';
import { displayName, metricsOf, type PartPosition } from '../../render/content/labels.ts';
import { noteTitle, postFileName } from '../../render/content/post-title.ts';
import { conversationHtml } from '../../render/html/conversation.ts';
import { belowPost, type LinkBase, oembedUrl, pageLink } from '../../render/html/inner-links.ts';
import { createMarkdownContext } from '../../render/markdown/context.ts';
import { conversationMarkdown } from '../../render/markdown/conversation.ts';
import { autolink } from '../../render/markdown/escape.ts';
import type { Presenter, ResourceView } from '../../render/presenters/view.ts';
import { incompleteNote, readOnFrom, reportedMessages, withArticleMarkdown } from '../paging/list-presenter.ts';

// Renders the YAML frontmatter of an Obsidian note. Every string is quoted as in JSON, which is valid in YAML 1.1 and 1.2
// and cannot end the frontmatter.

/** JSON does not escape these characters. YAML 1.1 reads some as line ends and rejects the others. */
const yamlString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const TAG = /^[\p{L}\p{N}_-]+$/u;

const block = (lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\n\n`;

/** The names are those of the Obsidian Web Clipper. Notes have no time of reading, so `created` is a time of the post. */
export const frontmatter = (post: Post): string => {
  const { author, metrics, created_at: published } = post;
  const tags = post.hashtags.filter((tag) => TAG.test(tag) && /[^0-9]/.test(tag) && visibleLine(tag) === tag);
  const lines = [
    `title: ${yamlString(noteTitle(post))}`,
    ...(author === undefined
      ? []
      : [`author: ${yamlString(displayName(author))}`, `handle: ${yamlString(author.handle)}`]),
    `source: ${yamlString(post.url)}`,
    `id: ${yamlString(post.id)}`,
    ...(published === undefined ? [] : [`published: ${yamlString(published)}`, `created: ${yamlString(published)}`]),
    ...(post.community?.name === undefined ? [] : [`community: ${yamlString(post.community.name)}`]),
    ...(post.lang === undefined ? [] : [`lang: ${yamlString(post.lang)}`]),
    ...Object.entries(metrics).flatMap(([metric, number]) => (number === null ? [] : [`${metric}: ${number}`])),
    ...(tags.length === 0 ? [] : ['tags:', ...tags.map((tag) => `  - ${yamlString(tag)}`)]),
  ];
  return block(lines);
};

/** Only the URL, for small budgets. */
export const shortFrontmatter = ({ url }: Post): string => block([`source: ${yamlString(url)}`]);

const membersOf = (conversation: Conversation): Conversation => ({
  ...mapAround(conversation, withArticleMarkdown),
  post: withArticleMarkdown(conversation.post),
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

/** @returns a line for the end of the Markdown: the counts and a link; empty if no replies are missing */
const moreReplies = ({ id, author, url }: Post, missing: RepliesCount | undefined, base: LinkBase): string => {
  if (missing === undefined) return '';
  return `\n${formatNumber(missing.shown)} of ${formatNumber(missing.total)} replies${inThreadText(missing)}. All replies: ${pageLink(base, belowPost(id, author?.handle, 'replies') ?? '') ?? url}\n`;
};

/** @throws Problem if the part is beyond the last */
const requirePart = ({ number = 1, count }: PartPosition): void => {
  if (number <= count) return;
  const message = `must be at most ${count}: with this max_tokens the text has ${count === 1 ? '1 part' : `${count} parts`}`;
  throw problem('invalid_parameter', { errors: [{ parameter: 'part', message }], detail: `part ${message}.` });
};

export const presentPostData: Presenter<Conversation, ResourceView<Conversation>> = (
  { value, source, fetchedAt, warnings, missingReplies },
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
  markdown: ({ dialect, maxTokens, layout, metrics, part, sizeOf, omitsNotes }) => {
    const { partUrl } = urls;
    const context = createMarkdownContext(dialect, {
      metrics: metrics === 'off' ? metricsOf([]) : undefined,
      readOn: readOnFrom(urls),
      translation: urls.reading?.translation,
    });
    const document = conversationMarkdown(context, value, {
      layout,
      maxTokens,
      part,
      sizeOf,
      before: dialect === 'obsidian' ? fittingFrontmatter(shownPost(value, layout), maxTokens) : '',
      note: incompleteNote(omitsNotes ? [] : reportedMessages(warnings)),
      after: moreReplies(value.post, missingReplies, urls),
      omitsLastLine: omitsNotes,
      ...(partUrl && {
        wayTo: (number) => autolink(partUrl(number, dialect)),
        wayToJson: (number) => partUrl(number, 'json'),
      }),
    });
    if (document.position !== undefined) requirePart(document.position);
    return document;
  },
  noteName: (layout) => postFileName(shownPost(value, layout), '.md'),
});

export const presentPost: Presenter<Conversation, ResourceView<Conversation>> = (result, urls) => ({
  ...presentPostData(result, urls),
  html: () =>
    conversationHtml(result.value, urls.baseUrl, {
      service: urls.service,
      warnings: result.warnings,
      missing: result.missingReplies,
      readAt: result.fetchedAt,
      reading: urls.reading,
      photo: urls.photo,
      isAlone: urls.isAlone,
      isKept: urls.isKept,
    }),
});
