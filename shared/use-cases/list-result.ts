// Builds the results of list use cases from filled pages.
import type { ListInput } from '../contract/list-inputs.ts';
import { warning } from '../contract/warnings.ts';
import { isArticlePreview } from '../model/entries.ts';
import type { Post } from '../model/post.ts';
import type { Warning } from '../model/resources.ts';
import type { CursorCodec, CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { SourcedResult, UpstreamPorts, UseCaseResult } from '../ports/upstream.ts';
import type { FilledPage } from './fill-page.ts';

export type ListUseCasePorts = UpstreamPorts & CursorPorts & Pick<HttpPorts, 'clock' | 'wall'>;

export const nextCursor = (
  { next }: Pick<FilledPage<unknown>, 'next'>,
  { list }: ListInput,
  cursors: CursorCodec,
): { readonly next_cursor?: string } => (next === undefined ? {} : { next_cursor: cursors.encode(list, next) });

export const pageWarnings = ({ warnings, isShort }: FilledPage<unknown>): readonly Warning[] =>
  isShort ? [...warnings, warning('partial_page')] : warnings;

/** Builds a result that can leave out the last items. @param resultOf builds the result of a page */
export const withParts = <Item, T>(
  page: FilledPage<Item>,
  resultOf: (page: FilledPage<Item>) => SourcedResult<T>,
): UseCaseResult<T> => ({
  ...resultOf(page),
  // A page without items has no position for a cursor.
  parts: { count: page.items.length, minimum: 1, keep: (count) => withParts(page.endedAfter(count), resultOf) },
});

/** The warnings of a page of posts. In lists, providers return only previews of articles. */
export const postWarnings = (page: FilledPage<Post>): readonly Warning[] =>
  page.items.some(isArticlePreview) ? [...pageWarnings(page), warning('article_previews')] : pageWarnings(page);

interface ListValue<Item, Members> {
  /** The members of the value, without the cursor. */
  membersOf(items: Item[]): Members;
  warningsOf(page: FilledPage<Item>): readonly Warning[];
}

/** Builds the result of a list that has one page and nothing beside it. */
export const listResult = <Item, Members extends object>(
  page: FilledPage<Item>,
  input: ListInput,
  cursors: CursorCodec,
  { membersOf, warningsOf }: ListValue<Item, Members>,
): UseCaseResult<Members & { readonly next_cursor?: string }> =>
  withParts(page, (part) => ({
    value: { ...membersOf([...part.items]), ...nextCursor(part, input, cursors) },
    source: part.source,
    fetchedAt: part.fetchedAt,
    warnings: warningsOf(part),
  }));
