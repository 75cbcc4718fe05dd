// What every read of a list needs, and how a page that was assembled goes on.
import type { ListInput } from '../contract/inputs.ts';
import { warning } from '../contract/warnings.ts';
import { isArticlePreview } from '../model/article.ts';
import type { Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { CursorCodec, CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { SourcedResult, UpstreamPorts, UseCaseResult } from '../ports/upstream.ts';
import type { FilledPage } from './fill-page.ts';

export type ListUseCasePorts = UpstreamPorts & CursorPorts & Pick<HttpPorts, 'clock'>;

export const nextCursor = (
  { next }: Pick<FilledPage<unknown>, 'next'>,
  { list }: ListInput,
  cursors: CursorCodec,
): { readonly next_cursor?: string } => (next === undefined ? {} : { next_cursor: cursors.encode(list, next) });

export const pageWarnings = ({ warnings, isShort }: FilledPage<unknown>): readonly Warning[] =>
  isShort ? [...warnings, warning('partial_page')] : warnings;

/** A result that can be made of an earlier end of the page too. @param resultOf the result of a page */
export const withParts = <Item, T>(
  page: FilledPage<Item>,
  resultOf: (page: FilledPage<Item>) => SourcedResult<T>,
): UseCaseResult<T> => ({
  ...resultOf(page),
  // A page without items would not go on.
  parts: { count: page.items.length, minimum: 1, keep: (count) => withParts(page.endedAfter(count), resultOf) },
});

/** Of a page of posts, which providers send with the beginnings of articles only. */
export const postWarnings = (page: FilledPage<Post>): readonly Warning[] =>
  page.items.some(isArticlePreview) ? [...pageWarnings(page), warning('article_previews')] : pageWarnings(page);
