// What every read of a list needs, and how a page that was assembled goes on.
import type { ListInput } from '../contract/inputs.ts';
import { warning } from '../contract/warnings.ts';
import { isArticlePreview } from '../model/article.ts';
import type { Warning } from '../model/conversation.ts';
import type { Post } from '../model/post.ts';
import type { Cursors, DoorPorts, ListPorts, ReadAnswer, ReadResult, UpstreamPorts } from '../ports.ts';
import type { Assembled } from './assemble.ts';

export type ReadListPorts = UpstreamPorts & ListPorts & Pick<DoorPorts, 'clock'>;

export const nextCursor = (
  { next }: Pick<Assembled<unknown>, 'next'>,
  { list }: ListInput,
  cursors: Cursors,
): { readonly next_cursor?: string } => (next === undefined ? {} : { next_cursor: cursors.seal(list, next) });

export const pageWarnings = ({ warnings, isShort }: Assembled<unknown>): readonly Warning[] =>
  isShort ? [...warnings, warning('partial_page')] : warnings;

/** A result that can be made of an earlier end of the page too. @param resultOf the result of a page */
export const withParts = <Item, T>(
  page: Assembled<Item>,
  resultOf: (page: Assembled<Item>) => ReadResult<T>,
): ReadAnswer<T> => ({
  ...resultOf(page),
  // A page without items would not go on.
  parts: { count: page.items.length, least: 1, keep: (count) => withParts(page.endedAfter(count), resultOf) },
});

/** Of a page of posts, which providers send with the beginnings of articles only. */
export const postWarnings = (page: Assembled<Post>): readonly Warning[] =>
  page.items.some(isArticlePreview) ? [...pageWarnings(page), warning('article_previews')] : pageWarnings(page);
