// Presents one page of a list, whatever the list contains.
import { type ListDocument, listMarkdown } from '../markdown/list.ts';
import { incompleteNote, reportedMessages } from './notes.ts';
import type { Presenter, ResourceView } from './view.ts';

export interface ListPageOptions {
  /** The URL of this page. */
  readonly url: string;
  /** The URL of the next page; unset: there is none. */
  readonly next: string | undefined;
  /** Sentences that say what is missing. */
  readonly messages: readonly string[];
}

export interface ListPresenterOptions<T> {
  /** The members of the schema, in its order. */
  members(value: T): T;
  list(value: T): ListDocument;
  page(value: T, options: ListPageOptions): string;
  /** Sentences in which the value itself says what is missing. */
  messages?(value: T): readonly string[];
}

export const createListPresenter =
  <T extends { readonly next_cursor?: string | undefined }>({
    members,
    list,
    page,
    messages,
  }: ListPresenterOptions<T>): Presenter<T, ResourceView<T>> =>
  ({ value, source, fetchedAt, warnings }, { pageUrl }) => {
    const ownMessages = messages?.(value) ?? [];
    const allMessages = [...reportedMessages(warnings), ...ownMessages];
    const { next_cursor: nextCursor } = value;
    return {
      kind: 'resource',
      source,
      fetchedAt,
      warnings,
      isDegraded: ownMessages.length > 0,
      nextCursor,
      members: () => members(value),
      markdown: ({ maxTokens, omitsCursor }) => {
        const document = list(value);
        const shown = omitsCursor ? { ...document, cursor: undefined } : document;
        return listMarkdown(shown, incompleteNote(allMessages), maxTokens);
      },
      html: () => {
        const next = nextCursor === undefined ? undefined : pageUrl(nextCursor);
        return page(value, { url: pageUrl(), next, messages: allMessages });
      },
    };
  };
