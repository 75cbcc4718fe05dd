// A read result -> the representation that was asked for, with the warnings that rendering added.
import type { CacheClass } from '../contract/caching.ts';
import type { Format } from '../contract/media-types.ts';
import { type WarningCode, warning } from '../contract/warnings.ts';
import type { Conversation, Warning } from '../model/conversation.ts';
import type { Post, PostOrTombstone } from '../model/post.ts';
import { isTombstone } from '../model/tombstone.ts';
import type { ReadResult } from '../ports.ts';
import { articleMarkdown } from './article.ts';
import { BYTES_PER_TOKEN, conversationMarkdown } from './budget.ts';
import { createInk, type Ink } from './escape.ts';
import { conversationHtml } from './html.ts';
import { frontmatter, shortFrontmatter } from './obsidian.ts';
import { PAGE_HEADERS } from './page.ts';

export interface Wanted {
  readonly format: Format;
  readonly maxTokens: number | undefined;
  readonly baseUrl: string;
}

export interface Represented {
  readonly format: Format;
  readonly body: string;
  /** The body without the time of reading: what a validator covers. */
  readonly identity: string;
  readonly cache: CacheClass;
  readonly headers?: Readonly<Record<string, string>>;
}

const withArticleMarkdown = <Entry extends PostOrTombstone>(entry: Entry): Entry => {
  if (isTombstone(entry)) return entry;
  const post: Post = entry;
  const { article, quote } = post;
  const quoted = quote !== undefined && 'metrics' in quote ? withArticleMarkdown(quote) : quote;
  if (article === undefined && quoted === quote) return entry;
  return {
    ...entry,
    ...(quoted !== undefined && { quote: quoted }),
    ...(article !== undefined &&
      article.blocks.length > 0 && {
        article: { ...article, markdown: articleMarkdown(createInk('markdown'), article) },
      }),
  };
};

const removedWarning = ({ removed }: Ink): Warning[] =>
  removed === 0 ? [] : [warning('invisible_removed', `${removed} invisible characters were left out of the Markdown.`)];

/** JSON with the time of reading in front, so that the rest can be told apart from it. */
const json = (
  result: ReadResult<Conversation>,
  warnings: readonly Warning[],
  markdown: string,
): Pick<Represented, 'body' | 'identity'> => {
  const { post, ancestors, thread, replies } = result.value;
  const identity = JSON.stringify({
    source: result.source,
    warnings,
    post: withArticleMarkdown(post),
    ancestors: ancestors.map(withArticleMarkdown),
    thread: thread.map(withArticleMarkdown),
    replies: replies.map(withArticleMarkdown),
    markdown,
  });
  const fetchedAt = new Date(result.fetchedAt).toISOString();
  return { body: `{"fetched_at":"${fetchedAt}",${identity.slice(1)}\n`, identity };
};

/** What the shortest document takes, in bytes. */
const ROOM_FOR_WORDS = 320;

/** The frontmatter takes at most half of what may be said, and leaves room for words. */
const noteHead = (conversation: Conversation, maxTokens = Number.POSITIVE_INFINITY): string => {
  const whole = frontmatter(conversation);
  const limit = maxTokens * BYTES_PER_TOKEN;
  const length = Buffer.byteLength(whole);
  return length <= limit / 2 && length <= limit - ROOM_FOR_WORDS ? whole : shortFrontmatter(conversation);
};

/** What a reader of the Markdown alone must know; that counts are missing shows. */
const WORTH_A_NOTE: readonly string[] = [
  'conversation_unavailable',
  'text_incomplete',
  'article_incomplete',
] satisfies WarningCode[];

const noteOf = (warnings: readonly Warning[]): string => {
  const messages = warnings.filter(({ code }) => WORTH_A_NOTE.includes(code)).map(({ message }) => message);
  return messages.length === 0 ? '' : `*Incomplete: ${messages.join(' ')}*`;
};

export const represent = (
  read: { readonly cache: CacheClass },
  result: ReadResult<Conversation>,
  wanted: Wanted,
): Represented => {
  const { format } = wanted;
  if (format === 'html') {
    const body = conversationHtml(result.value, wanted.baseUrl);
    const cache = result.warnings.length > 0 ? 'degraded' : read.cache;
    return {
      format,
      body,
      identity: body,
      cache,
      headers: PAGE_HEADERS,
    };
  }
  const ink = createInk(format === 'obsidian' ? 'obsidian' : 'markdown');
  const head = format === 'obsidian' ? noteHead(result.value, wanted.maxTokens) : '';
  const { markdown, warning: cut } = conversationMarkdown(ink, result.value, {
    maxTokens: wanted.maxTokens,
    before: head,
    note: noteOf(result.warnings),
  });
  // What a fallback answered or what was cut is kept for a short time only.
  const cache = result.warnings.length > 0 || cut !== undefined ? 'degraded' : read.cache;
  if (format === 'json') {
    const warnings = [...result.warnings, ...(cut === undefined ? [] : [cut]), ...removedWarning(ink)];
    return { format, cache, ...json(result, warnings, markdown) };
  }
  const body = head + markdown;
  return { format, cache, body, identity: body };
};
