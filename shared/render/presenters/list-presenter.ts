// A page of a list -> the representation that was asked for, whatever it lists.
import type { CacheClass } from '../../contract/caching.ts';
import type { Warning } from '../../model/conversation.ts';
import { type ListDocument, listMarkdown } from '../markdown/list.ts';
import {
  cacheClassFor,
  htmlRepresentation,
  incompleteNote,
  jsonRepresentation,
  type Presenter,
  removedCharactersWarning,
  reportedMessages,
} from './presenter.ts';

export interface ListPageOptions {
  /** Its own address. */
  readonly address: string;
  readonly next: string | undefined;
  /** What a reader must know of what is missing. */
  readonly messages: readonly string[];
}

export interface ListPresenterOptions<T> {
  /** Those of the schema, in its order. */
  members(value: T): Readonly<Record<string, unknown>>;
  list(value: T): ListDocument;
  page(value: T, wanted: ListPageOptions): string;
  /** What the value itself says of what is missing. */
  messages?(value: T): readonly string[];
}

export const createListPresenter =
  <T extends { readonly next_cursor?: string | undefined }>(kind: ListPresenterOptions<T>): Presenter<T> =>
  (read, result, { format, maxTokens, pageUrl }) => {
    const { value, warnings } = result;
    const own = kind.messages?.(value) ?? [];
    const messages = [...reportedMessages(warnings), ...own];
    const cacheWith = (all: readonly Warning[]): CacheClass => (own.length > 0 ? 'degraded' : cacheClassFor(read, all));
    if (format === 'html') {
      const next = value.next_cursor === undefined ? undefined : pageUrl(value.next_cursor);
      return htmlRepresentation(kind.page(value, { address: pageUrl(), next, messages }), cacheWith(warnings));
    }
    const { markdown, removed, warning: cut } = listMarkdown(kind.list(value), incompleteNote(messages), maxTokens);
    const known = cut === undefined ? warnings : [...warnings, cut];
    const cache = cacheWith(known);
    if (format === 'json') {
      const body = jsonRepresentation(
        result,
        [...known, ...removedCharactersWarning(removed)],
        kind.members(value),
        markdown,
      );
      return { format, cache, ...body };
    }
    return { format, cache, body: markdown, identity: markdown };
  };
