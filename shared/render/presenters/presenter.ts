// A read result -> the representation that was asked for: what all kinds of resources have in common.
import type { CacheClass } from '../../contract/caching.ts';
import type { Format } from '../../contract/media-types.ts';
import { isTransient, type WarningCode, warning } from '../../contract/warnings.ts';
import type { Warning } from '../../model/conversation.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { SourcedResult } from '../../ports/upstream.ts';
import { PAGE_HEADERS } from '../html/page.ts';
import { articleMarkdown } from '../markdown/article.ts';
import { createMarkdownContext } from '../markdown/escape.ts';

export interface RenderOptions {
  readonly format: Format;
  readonly maxTokens: number | undefined;
  readonly baseUrl: string;
  /** The address that was asked for, less `format`; with a cursor that of another page. */
  readonly pageUrl: (cursor?: string) => string;
}

export interface Representation {
  readonly format: Format;
  readonly body: string;
  /** The body without the time of reading: what a validator covers. */
  readonly identity: string;
  readonly cache: CacheClass;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Presenter<T> = (
  read: { readonly cache: CacheClass },
  result: SourcedResult<T>,
  wanted: RenderOptions,
) => Representation;

export const withArticleMarkdown = <Entry extends PostOrTombstone>(entry: Entry): Entry => {
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
        article: { ...article, markdown: articleMarkdown(createMarkdownContext('markdown'), article) },
      }),
  };
};

/** What a fallback answered or what was cut is kept for a short time only. */
export const cacheClassFor = (read: { readonly cache: CacheClass }, warnings: readonly Warning[]): CacheClass =>
  warnings.some(isTransient) ? 'degraded' : read.cache;

export const removedCharactersWarning = (removed: number): Warning[] =>
  removed === 0 ? [] : [warning('invisible_removed', `${removed} invisible characters were left out of the Markdown.`)];

/**
 * JSON with the time of reading in front, so that the rest can be told apart from it.
 *
 * @param members of the resource, in the order of its schema
 */
export const jsonRepresentation = (
  { source, fetchedAt }: Pick<SourcedResult<unknown>, 'source' | 'fetchedAt'>,
  warnings: readonly Warning[],
  members: Readonly<Record<string, unknown>>,
  markdown: string,
): Pick<Representation, 'body' | 'identity'> => {
  const identity = JSON.stringify({ source, warnings, ...members, markdown });
  return { body: `{"fetched_at":"${new Date(fetchedAt).toISOString()}",${identity.slice(1)}\n`, identity };
};

export const htmlRepresentation = (body: string, cache: CacheClass): Representation => ({
  format: 'html',
  body,
  identity: body,
  cache,
  headers: PAGE_HEADERS,
});

/** What a reader of the Markdown alone must know; that counts are missing shows. */
const WORTH_A_NOTE: readonly string[] = [
  'conversation_unavailable',
  'thread_incomplete',
  'replies_unavailable',
  'text_incomplete',
  'article_incomplete',
  'article_previews',
  'media_unsupported',
  'posts_protected',
  'posts_unavailable',
  'users_partial',
  'recent_only',
  'partial_page',
  'truncated',
] satisfies WarningCode[];

export const reportedMessages = (warnings: readonly Warning[]): readonly string[] =>
  warnings.filter(({ code }) => WORTH_A_NOTE.includes(code)).map(({ message }) => message);

export const incompleteNote = (messages: readonly string[]): string =>
  messages.length === 0 ? '' : `*Incomplete: ${messages.join(' ')}*`;
