// One page of ours from as many pages of a provider as that takes: theirs are short, empty or repeated as they like,
// ours hold what was asked for as long as there is more.
import { distinctWarnings } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { ListPosition } from '../model/list-position.ts';
import type { FailedOutcome, Outcome, PageRequest, UpstreamPage } from '../ports/upstream.ts';
import { createRecentItems, fingerprint, type RecentItems } from './recent-items.ts';

/** Provider calls for one page of ours. */
const MAX_PROVIDER_PAGES = 10;
/** Pages in a row, over as many requests as it takes, that held nothing new: then the list is taken to be over. */
const MAX_EMPTY_PAGES = 20;

export interface FillPageOptions<T> {
  readonly limit: number;
  /** Where the page before ended. */
  readonly from: ListPosition | undefined;
  fetch(page: PageRequest): Promise<Outcome<UpstreamPage<T>>>;
  idOf(item: T): string;
  /** Whether an item belongs to the list at all. */
  readonly belongs?: (item: T) => boolean;
  /** Asked before each page. @default until the page is full */
  readonly shouldContinue?: () => boolean;
}

export interface FilledPage<T> {
  readonly items: readonly T[];
  /** Where it goes on; unset: the end. */
  readonly next?: ListPosition;
  readonly source: string;
  /** Of the oldest page. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
  readonly isFallback: boolean;
  /** It goes on although there are fewer items than were asked for. */
  readonly isShort: boolean;
  /** The same page, ended after so many items: what follows them is the beginning of the next one. Asks no provider. */
  endedAfter(count: number): FilledPage<T>;
}

type FoundPage<T> = Extract<Outcome<UpstreamPage<T>>, { kind: 'found' }>;

/** Before the first answer no provider is chosen. */
type ProviderPosition = Omit<ListPosition, 'provider' | 'recentFingerprints' | 'firstPageFingerprint'> & {
  readonly provider?: string;
};

/** @param room how many items are wanted: a page that was begun is asked for as it was, or it would be another */
const pageRequest = ({ provider, cursor, size, isPartial }: ProviderPosition, room: number): PageRequest => ({
  size: isPartial ? size : room,
  ...(provider !== undefined && { provider }),
  ...(cursor !== undefined && { cursor }),
});

/**
 * What of a page that was begun stands after the latest that is remembered of it. Whatever stands before was handed out
 * as well, or came later.
 */
const itemsAfterLastReturned = <T>(
  items: readonly T[],
  remembered: readonly number[],
  idOf: (item: T) => string,
): readonly T[] => {
  const prints = items.map((item) => fingerprint(idOf(item)));
  const latest = remembered.findLast((print) => prints.includes(print));
  return latest === undefined ? items : items.slice(prints.indexOf(latest) + 1);
};

/** What is new among the candidates and belongs to the list, at most as much as there is room for; and if anything is new. */
const takeNewItems = <T>(candidates: readonly T[], room: number, memory: RecentItems, assembly: FillPageOptions<T>) => {
  const { idOf, belongs = () => true } = assembly;
  const taken: T[] = [];
  let hasNew = false;
  for (const item of candidates) {
    const id = idOf(item);
    if (taken.length === room) {
      // One that does not belong to the list is no reason to come back to this page.
      if (!memory.has(id) && belongs(item)) return { taken, hasNew, isWhole: false };
    } else if (memory.add(id)) {
      hasNew = true;
      if (belongs(item)) taken.push(item);
    }
  }
  return { taken, hasNew, isWhole: true };
};

/** The page after this one; undefined where the list ends. */
const nextPosition = <T>(
  { next, provider }: UpstreamPage<T>,
  at: ProviderPosition,
  hasNew: boolean,
): ProviderPosition | undefined => {
  const emptyPages = hasNew ? 0 : at.emptyPages + 1;
  if (next === undefined || next === at.cursor || emptyPages >= MAX_EMPTY_PAGES) return undefined;
  return { provider, cursor: next, size: at.size, isPartial: false, emptyPages };
};

/** What tells a page that has items from every other: where it begins, and where it leads. */
const pageFingerprint = <T>(
  { items: [first], next }: UpstreamPage<T>,
  idOf: (item: T) => string,
): number | undefined =>
  first === undefined || next === undefined ? undefined : fingerprint(`${idOf(first)} ${next}`);

/** Whether a page is the list's first again. One that was begun is met again on purpose, one that leads to itself ends. */
const loopsToStart = (
  at: ProviderPosition,
  { next }: UpstreamPage<unknown>,
  signature: number | undefined,
  origin: number | undefined,
): boolean => !at.isPartial && next !== at.cursor && signature !== undefined && signature === origin;

/** A page and how many items it was asked for. */
interface Step<T> {
  readonly found: FoundPage<T>;
  readonly size: number;
}

/** How far a request has come through the provider's pages. */
interface PageState<T> {
  readonly memory: RecentItems;
  readonly items: T[];
  readonly steps: Step<T>[];
  /** Unset: the list has ended. */
  at: ProviderPosition | undefined;
  origin: number | undefined;
}

/** Takes what a page brings. @returns where the walk goes on; undefined where the list ends */
const take = <T>(
  walk: PageState<T>,
  here: ProviderPosition,
  page: UpstreamPage<T>,
  size: number,
  assembly: FillPageOptions<T>,
): ProviderPosition | undefined => {
  const { limit, from, idOf } = assembly;
  const signature = pageFingerprint(page, idOf);
  if (loopsToStart(here, page, signature, walk.origin)) return undefined;
  // The first page may have changed since it was begun.
  walk.origin = here.cursor === undefined ? signature : (walk.origin ?? signature);
  const candidates = here.isPartial
    ? itemsAfterLastReturned(page.items, from?.recentFingerprints ?? [], idOf)
    : page.items;
  const { taken, hasNew, isWhole } = takeNewItems(candidates, limit - walk.items.length, walk.memory, assembly);
  walk.items.push(...taken);
  if (isWhole) return nextPosition(page, here, hasNew);
  return { ...here, size, provider: page.provider, isPartial: true, emptyPages: 0 };
};

const begin = <T>({ limit, from }: FillPageOptions<T>): PageState<T> => ({
  memory: createRecentItems(from?.recentFingerprints ?? []),
  items: [],
  steps: [],
  at: from ?? { size: limit, isPartial: false, emptyPages: 0 },
  origin: from?.firstPageFingerprint,
});

const advanceBy = <T>(
  walk: PageState<T>,
  here: ProviderPosition,
  step: Step<T>,
  assembly: FillPageOptions<T>,
): void => {
  walk.steps.push(step);
  walk.at = take(walk, here, step.found.value, step.size, assembly);
};

/** @param wanted how many items were asked for @param steps all that were taken, of which this walk may have taken fewer */
const resultOf = <T>(
  { memory, items, steps: taken, at, origin }: PageState<T>,
  assembly: FillPageOptions<T>,
  wanted: number,
  steps: readonly [Step<T>, ...Step<T>[]],
): FilledPage<T> => {
  const [{ found: first }] = steps;
  const pages = taken.map(({ found }) => found);
  const longest = Math.max(...pages.map(({ value }) => value.items.length));
  // Pages without anything are no reason to forget what was before them.
  const seen = memory.latest(longest === 0 ? (assembly.from?.recentFingerprints.length ?? 0) : longest);
  return {
    items,
    ...(at && {
      next: {
        ...at,
        provider: first.value.provider,
        recentFingerprints: seen,
        ...(origin !== undefined && { firstPageFingerprint: origin }),
      },
    }),
    source: first.source,
    fetchedAt: Math.min(...pages.map(({ fetchedAt }) => fetchedAt)),
    warnings: distinctWarnings(pages.flatMap(({ warnings }) => warnings)),
    isFallback: first.value.isFallback,
    isShort: at !== undefined && items.length < wanted,
    endedAfter: (count) => replay(steps, { ...assembly, limit: count }, wanted),
  };
};

/** Goes through pages that are there already, to an earlier end. */
const replay = <T>(
  steps: readonly [Step<T>, ...Step<T>[]],
  assembly: FillPageOptions<T>,
  wanted: number,
): FilledPage<T> => {
  const walk = begin(assembly);
  for (const step of steps) {
    if (walk.at === undefined || walk.items.length >= assembly.limit) break;
    advanceBy(walk, walk.at, step, assembly);
  }
  return resultOf(walk, assembly, wanted, steps);
};

/** @returns a miss only if not a single page could be read: what was gathered is worth more than an error */
export const fillPage = async <T>(
  assembly: FillPageOptions<T>,
): Promise<({ readonly kind: 'found' } & FilledPage<T>) | FailedOutcome> => {
  const { limit, fetch, shouldContinue = () => true } = assembly;
  const walk = begin(assembly);
  const { items, steps } = walk;
  /** What was too large once is so again. */
  let most = Number.POSITIVE_INFINITY;
  while (walk.at !== undefined && items.length < limit && steps.length < MAX_PROVIDER_PAGES && shouldContinue()) {
    const request = pageRequest(walk.at, Math.min(limit - items.length, most));
    const found = await fetch(request);
    if (found.kind !== 'found') {
      if (steps.length === 0) return found;
      break;
    }
    most = Math.min(most, found.value.size ?? most);
    advanceBy(walk, walk.at, { found, size: found.value.size ?? request.size }, assembly);
  }
  const [first, ...others] = steps;
  if (first === undefined) return { kind: 'failed', why: 'no page was asked for' };
  return { kind: 'found', ...resultOf(walk, assembly, limit, [first, ...others]) };
};
