// Fills one page of a list that belongs to a profile or a post. Providers return an empty list or an error for a protected
// owner, and "not found" for an unknown owner, a suspended owner and an outage. So the owner is read after all of them.
import type { Problem } from '../contract/problems.ts';
import type { FailedOutcome, Outcome, PageRequest, UpstreamPage } from '../ports/upstream.ts';
import { type FilledPage, type FillPageOptions, fillPage } from './fill-page.ts';
import { goneProblem, problemFromOutcome, type ResourceProblems, rejectedParameter } from './outcome-problems.ts';

export interface OwnedPageOptions<T> extends FillPageOptions<T> {
  /** Reads the owner of the list. */
  readOwner(): Promise<Outcome<{ readonly protected?: boolean | undefined }>>;
  readonly problems: ResourceProblems;
  /** The problem if the provider refuses the first page. @default `upstream_failed`, a fault of the service */
  readonly rejection?: ((cause: string) => Problem) | undefined;
}

const isEmpty = ({ items, others = [] }: UpstreamPage<unknown>): boolean => items.length + others.length === 0;

type UnreadOwner = Exclude<FailedOutcome, { kind: 'gone' | 'absent' }>;

/** @throws Problem that says that the owner cannot be read, or that the list cannot be read or continued */
export const fillOwnedPage = async <T>(options: OwnedPageOptions<T>): Promise<FilledPage<T>> => {
  const { fetch, readOwner, problems, position, rejection } = options;

  /** @throws Problem if the owner does not exist or is protected @returns the failed outcome if it could not be read */
  const checkOwner = async (): Promise<UnreadOwner | undefined> => {
    const owner = await readOwner();
    if (owner.kind === 'gone' || owner.kind === 'absent') throw problemFromOutcome(owner, problems);
    if (owner.kind !== 'found') return owner;
    if (owner.value.protected) throw goneProblem(problems, 'protected');
    return undefined;
  };

  let ownerFailure: UnreadOwner | undefined;
  const fetchAndCheck = async (request: PageRequest): Promise<Outcome<UpstreamPage<T>>> => {
    const outcome = await fetch(request);
    if (outcome.kind === 'found' && request.cursor === undefined && isEmpty(outcome.value))
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
