// A page of a list -> the representation that was asked for, whatever it lists.
import type { CacheClass } from '../contract/caching.ts';
import type { Warning } from '../model/conversation.ts';
import { type List, listMarkdown } from './list.ts';
import { cacheOf, htmlOf, jsonOf, messagesOf, noteOf, type Represent, removedWarning } from './represent.ts';

export interface PageWanted {
  /** Its own address. */
  readonly address: string;
  readonly next: string | undefined;
  /** What a reader must know of what is missing. */
  readonly messages: readonly string[];
}

export interface ListKind<T> {
  /** Those of the schema, in its order. */
  members(value: T): Readonly<Record<string, unknown>>;
  list(value: T): List;
  page(value: T, wanted: PageWanted): string;
  /** What the value itself says of what is missing. */
  messages?(value: T): readonly string[];
}

export const representList =
  <T extends { readonly next_cursor?: string | undefined }>(kind: ListKind<T>): Represent<T> =>
  (read, result, { format, maxTokens, pageUrl }) => {
    const { value, warnings } = result;
    const own = kind.messages?.(value) ?? [];
    const messages = [...messagesOf(warnings), ...own];
    const cacheWith = (all: readonly Warning[]): CacheClass => (own.length > 0 ? 'degraded' : cacheOf(read, all));
    if (format === 'html') {
      const next = value.next_cursor === undefined ? undefined : pageUrl(value.next_cursor);
      return htmlOf(kind.page(value, { address: pageUrl(), next, messages }), cacheWith(warnings));
    }
    const { markdown, removed, warning: cut } = listMarkdown(kind.list(value), noteOf(messages), maxTokens);
    const known = cut === undefined ? warnings : [...warnings, cut];
    const cache = cacheWith(known);
    if (format === 'json') {
      const body = jsonOf(result, [...known, ...removedWarning(removed)], kind.members(value), markdown);
      return { format, cache, ...body };
    }
    return { format, cache, body: markdown, identity: markdown };
  };
