// Fills pages of lists that have an owner, and builds the results of list use cases from filled pages.
import type { ListInput } from '../../contract/list-inputs.ts';
import type { Problem } from '../../contract/problems.ts';
import { warning } from '../../contract/warnings.ts';
import { hasArticlePreview } from '../../model/conversation.ts';
import type { ListPosition } from '../../model/lists.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import type { CursorCodec, CursorPorts } from '../../ports/cursors.ts';
import type { HttpPorts } from '../../ports/http.ts';
import type {
  FailedOutcome,
  Outcome,
  PageRequest,
  SourcedResult,
  UpstreamPage,
  UpstreamPorts,
  UseCaseResult,
} from '../../ports/upstream.ts';
import { goneProblem, problemFromOutcome, type ResourceProblems, rejectedParameter } from '../outcome-problems.ts';
import { type FilledPage, type FillPageOptions, fillPage } from './fill-page.ts';
import { translationWarnings } from './translated-lists.ts';

// A list that belongs to a profile or a post. Providers return an empty list or an error for a protected
// owner, and "not found" for an unknown owner, a suspended owner and an outage. So the owner is read after all of them.

export interface OwnedPageOptions<T> extends FillPageOptions<T> {
  /** Reads the owner of the list. */
  readOwner(): Promise<Outcome<{ readonly protected?: boolean | undefined }>>;
  readonly problems: ResourceProblems;
  /** The problem if the provider refuses the first page. @default `upstream_failed`, a fault of the service */
  readonly rejection?: ((cause: string) => Problem) | undefined;
}

export const isEmptyPage = ({ items, others = [], withheld = [] }: UpstreamPage<unknown>): boolean =>
  items.length + others.length + withheld.length === 0;

type UnreadOwner = Exclude<FailedOutcome, { kind: 'gone' | 'withheld' | 'absent' }>;

/** @throws Problem that says that the owner cannot be read, or that the list cannot be read or continued */
export const fillOwnedPage = async <T>(options: OwnedPageOptions<T>): Promise<FilledPage<T>> => {
  const { fetch, readOwner, problems, position, rejection } = options;

  /** @throws Problem if the owner does not exist or is protected @returns the failed outcome if it could not be read */
  const checkOwner = async (): Promise<UnreadOwner | undefined> => {
    const owner = await readOwner();
    if (owner.kind === 'gone' || owner.kind === 'withheld' || owner.kind === 'absent')
      throw problemFromOutcome(owner, problems);
    if (owner.kind !== 'found') return owner;
    if (owner.value.protected) throw goneProblem(problems, 'protected');
    return undefined;
  };

  let ownerFailure: UnreadOwner | undefined;
  const fetchAndCheck = async (request: PageRequest): Promise<Outcome<UpstreamPage<T>>> => {
    const outcome = await fetch(request);
    if (outcome.kind === 'found' && request.cursor === undefined && isEmptyPage(outcome.value))
      ownerFailure = await checkOwner();
    return outcome;
  };
  const page = await fillPage({ ...options, fetch: fetchAndCheck });

  if (page.kind === 'ambiguous')
    throw problemFromOutcome((await checkOwner()) ?? { kind: 'down', why: 'found the owner, not the list' }, problems);
  if ((page.kind === 'failed' || page.kind === 'down') && position === undefined) await checkOwner();
  if (page.kind !== 'found')
    throw problemFromOutcome(page, problems, position === undefined ? rejection : rejectedParameter.cursor);
  if (page.items.length === 0 && ownerFailure !== undefined) throw problemFromOutcome(ownerFailure, problems);
  return page;
};

/** Identifies accounts in a list by their id, because a handle can change. */
export const stableUserId = ({ id, handle }: User): string => id ?? handle.toLowerCase();

export type ListUseCasePorts = UpstreamPorts & CursorPorts & Pick<HttpPorts, 'clock' | 'wall'>;

export const nextCursor = (
  { next }: { readonly next?: ListPosition | undefined },
  { list }: ListInput,
  cursors: CursorCodec,
): { readonly next_cursor?: string } => (next === undefined ? {} : { next_cursor: cursors.encode(list, next) });

/** @returns the member that says that a fallback answered */
export const degradedBy = (isFallback: boolean): { readonly degraded?: true } => (isFallback ? { degraded: true } : {});

/** In lists, providers return only previews of articles. */
export const pageWarnings = (
  { items, warnings, isShort }: FilledPage<Post | User>,
  input: Pick<ListInput, 'lang'>,
): readonly Warning[] => [
  ...warnings,
  ...(isShort ? [warning('partial_page')] : []),
  ...(items.some((item) => 'text' in item && hasArticlePreview(item)) ? [warning('article_previews')] : []),
  ...translationWarnings(
    items.filter((item) => 'text' in item),
    input,
  ),
];

/** Builds a result that can leave out the last items. @param resultOf builds the result of a page */
export const withParts = <Item, T>(
  page: FilledPage<Item>,
  resultOf: (page: FilledPage<Item>) => SourcedResult<T>,
): UseCaseResult<T> => ({
  ...resultOf(page),
  // A page without items has no position for a cursor.
  parts: { count: page.items.length, minimum: 1, keep: (count) => withParts(page.endedAfter(count), resultOf) },
});

/**
 * Builds the result of a list that has one page and nothing beside it.
 *
 * @param membersOf the members of the value, without the cursor
 * @param continues selects the continuations among the items that are left out @default none
 */
export const listResult = <Item extends Post | User, Members extends object>(
  page: FilledPage<Item>,
  input: ListInput,
  cursors: CursorCodec,
  membersOf: (items: Item[]) => Members,
  continues?: (post: Item) => post is Item & Post,
): UseCaseResult<Members & { readonly next_cursor?: string }> =>
  withParts(page, (part) => ({
    value: { ...membersOf([...part.items]), ...nextCursor(part, input, cursors) },
    source: part.source,
    fetchedAt: part.fetchedAt,
    warnings: pageWarnings(part, input),
    ...(continues !== undefined && { continuations: part.leftOut.filter(continues) }),
  }));
