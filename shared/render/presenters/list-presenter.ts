// Presents one page of a list, whatever the list contains.
import type { FeedFormat } from '../../contract/media-types.ts';
import { LIST_GOES_ON } from '../content/list-labels.ts';
import { cutBeyondReach } from '../content/truncate.ts';
import type { FeedUrls } from '../feeds/feed.ts';
import type { FeedText } from '../feeds/write-feed.ts';
import type { ListPageOptions } from '../html/list.ts';
import { type FindNextCursor, type ListDocument, listMarkdown } from '../markdown/list.ts';
import { incompleteNote, reportedMessages } from './notes.ts';
import type { Presenter, ResourceView } from './view.ts';

export interface ListPresenterOptions<T> {
  /** The members of the schema, in its order. */
  members(value: T): T;
  document(value: T): ListDocument;
  /** Unset: no route offers a page. */
  html?(value: T, options: ListPageOptions): string;
  /** The feed of the list. Unset: it is no list of posts. */
  feed?(value: T, format: FeedFormat, urls: FeedUrls): FeedText;
  /** Unset: the list is not cached by the age of its posts. */
  newestPostAt?(value: T): number | undefined;
  /** Sentences in which the value itself says what is missing. */
  messages?(value: T): readonly string[];
}

/** A list has posts or accounts. */
interface List {
  readonly posts?: readonly object[] | undefined;
  readonly users?: readonly object[] | undefined;
  readonly next_cursor?: string | undefined;
}

export const createListPresenter =
  <T extends List>(resource: ListPresenterOptions<T>): Presenter<T, ResourceView<T>> =>
  ({ value, source, fetchedAt, warnings, parts }, { baseUrl, pageUrl, selfUrl = () => pageUrl() }) => {
    const resourceMessages = resource.messages?.(value) ?? [];
    const messages = [...reportedMessages(warnings), ...resourceMessages];
    const { next_cursor: nextCursor } = value;
    const { html, feed } = resource;
    const nextUrl = (): string | undefined => (nextCursor === undefined ? undefined : pageUrl(nextCursor));
    const { length: count } = value.posts ?? value.users ?? [];
    const findNext: FindNextCursor = (shown) => (shown === count ? nextCursor : parts?.keep(shown).value.next_cursor);
    return {
      kind: 'resource',
      source,
      fetchedAt,
      warnings,
      isDegraded: resourceMessages.length > 0,
      nextCursor,
      newestPostAt: resource.newestPostAt?.(value),
      members: () => resource.members(value),
      items: () => {
        const { posts, users = [] } = resource.members(value);
        return posts ?? users;
      },
      markdown: ({ maxTokens, omitsNext }) => {
        const document = resource.document(cutBeyondReach(value, maxTokens));
        const shown: ListDocument = {
          ...document,
          ...(nextCursor !== undefined && { none: LIST_GOES_ON }),
        };
        return listMarkdown(shown, omitsNext ? () => undefined : findNext, incompleteNote(messages), maxTokens);
      },
      ...(html && { html: () => html(value, { url: pageUrl(), next: nextUrl(), warnings }) }),
      ...(feed && {
        feed: (format) => feed(value, format, { baseUrl, self: selfUrl(), next: nextUrl() }),
      }),
    };
  };
