// Fills one page of a list from as many provider pages as that takes.
//
// Provider pages can be short, empty, overlapping or repeated. The loop requests one page after the other and takes the
// items that belong to the list and were not returned before. It ends when the page is full, when the provider list ends,
// or at a bound on provider pages. The result names the position at which the next request continues:
//
// - If some items of a provider page did not fit, the position is that page, marked as partial. The next request fetches
//   the page again with the same size. It continues after the last item that was returned from it; of a page that the
//   provider can sort again, such as by likes, it takes all items that were not returned.
// - Otherwise the position is the next provider page.
//
// The position carries fingerprints of the latest returned items, so that overlaps between requests are recognized, and in
// a timeline the ids of old posts that were returned early. Long pages have more items than it remembers, so it also has the
// fingerprint of the last page: a page that comes twice has nothing new. The list ends if the use case says so of a page, if
// a page points to itself, if 20 consecutive pages have no new item, or if the first page is met again.
//
// If the first provider call fails, the result is its failed outcome. If a later call fails, the page ends early, and the
// next request repeats that call. The provider calls of one result are kept as steps: replaying the steps with a smaller
// limit produces a shorter page without another call, for answers that would be too large.
import { distinctWarnings, TIMELINE_CUT, warning } from '../../contract/warnings.ts';
import { definedMembers } from '../../model/json.ts';
import type { ListPosition } from '../../model/lists.ts';
import type { Warning } from '../../model/resources.ts';
import type { FailedOutcome, Outcome, PageRequest, UpstreamPage } from '../../ports/upstream.ts';
import { createRecentItems, earlyItems, fingerprint, MIN_REMEMBERED, type RecentItems } from './recent-items.ts';

/** The maximum number of provider calls of one request. */
const MAX_PROVIDER_PAGES = 10;
/** After this number of consecutive pages without a new item, over any number of requests, the list ends. */
const MAX_EMPTY_PAGES = 20;

export interface FillPageOptions<T> {
  readonly limit: number;
  /** The position from the cursor; undefined: the start of the list. */
  readonly position: ListPosition | undefined;
  fetch(page: PageRequest): Promise<Outcome<UpstreamPage<T>>>;
  idOf(item: T): string;
  /** @default every item belongs to the list */
  readonly belongs?: (item: T) => boolean;
  /** The provider sorts by something that changes, such as likes. @default false: by time */
  readonly isRanked?: boolean;
  /**
   * The list is a timeline: posts by their ids, newest first, with some old posts before younger ones. Returns whether the id
   * of the item says where it is. @default the list is no timeline
   */
  readonly isPlacedById?: (item: T) => boolean;
  /** The list ends with the page of these items, such as a page before the requested period. @default never */
  readonly endsWith?: (items: readonly T[], isFirstPage: boolean) => boolean;
  /** Called before each provider call. @default always true */
  readonly shouldContinue?: () => boolean;
}

export interface FilledPage<T> {
  readonly items: readonly T[];
  /** The position of the next page; unset: the end of the list. */
  readonly next?: ListPosition;
  readonly source: string;
  /** The instant of the oldest provider page, in milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
  readonly isFallback: boolean;
  /** The items of the provider pages that do not belong to the list. */
  readonly leftOut: readonly T[];
  /** The list continues, but the page has fewer items than requested. */
  readonly isShort: boolean;
  /** @returns the same page with at most `count` items; the next page starts after them. Calls no provider. */
  endedAfter(count: number): FilledPage<T>;
}

type FoundPage<T> = Extract<Outcome<UpstreamPage<T>>, { kind: 'found' }>;

/** No provider is selected before the first response. */
type ProviderPosition = Omit<ListPosition, 'provider' | 'recentFingerprints' | 'firstPageFingerprint'> & {
  readonly provider?: string;
};

/** @param remaining the number of missing items; a partial page is requested with its first size, so that it is the same page */
const pageRequest = ({ provider, cursor, size, isPartial }: ProviderPosition, remaining: number): PageRequest =>
  definedMembers({ size: isPartial ? size : remaining, provider, cursor });

/**
 * @param remembered fingerprints of returned items, oldest first
 * @returns the items of a partial page after the item that was returned last; all items if none was returned
 */
const itemsAfterLastReturned = <T>(
  items: readonly T[],
  remembered: readonly number[],
  idOf: (item: T) => string,
): readonly T[] => {
  const fingerprints = items.map((item) => fingerprint(idOf(item)));
  const latest = remembered.findLast((value) => fingerprints.includes(value));
  return latest === undefined ? items : items.slice(fingerprints.indexOf(latest) + 1);
};

/** Takes up to `remaining` new items that belong to the list. `isWhole`: no other item of the page is left for the next page. */
const takeNewItems = <T>(
  candidates: readonly T[],
  remaining: number,
  recent: RecentItems,
  options: FillPageOptions<T>,
) => {
  const { idOf, belongs = () => true } = options;
  const taken: T[] = [];
  let hasNew = false;
  for (const item of candidates) {
    const id = idOf(item);
    if (taken.length === remaining) {
      // An item that does not belong to the list does not make the page partial.
      if (!recent.has(id) && belongs(item)) return { taken, hasNew, isWhole: false };
    } else if (recent.add(id)) {
      hasNew = true;
      if (belongs(item)) taken.push(item);
    }
  }
  return { taken, hasNew, isWhole: true };
};

/** The ids of posts that are not shown, but that the provider found. */
const idsBeside = <T>(
  { others = [], withheld = [] }: UpstreamPage<T>,
  idOf: (item: T) => string,
): readonly string[] => [...others, ...withheld.map(({ item }) => idOf(item))];

/** @returns the next provider page; undefined: the end of the list */
const nextPosition = <T>(
  { next, provider }: UpstreamPage<T>,
  position: ProviderPosition,
  hasNew: boolean,
): ProviderPosition | undefined => {
  const emptyPages = hasNew ? 0 : position.emptyPages + 1;
  if (next === undefined || next === position.cursor || emptyPages >= MAX_EMPTY_PAGES) return undefined;
  const { size, lastPageFingerprint } = position;
  return { provider, cursor: next, size, isPartial: false, emptyPages, ...definedMembers({ lastPageFingerprint }) };
};

/** @returns undefined for a page without posts */
const contentFingerprint = <T>(page: UpstreamPage<T>, idOf: (item: T) => string): number | undefined => {
  const ids = [...page.items.map(idOf), ...idsBeside(page, idOf)];
  return ids.length === 0 ? undefined : fingerprint(ids.join(' '));
};

/** Identifies a page by its first item and its next cursor. @returns undefined for a page without items or next cursor */
const pageFingerprint = <T>(
  { items: [first], next }: UpstreamPage<T>,
  idOf: (item: T) => string,
): number | undefined =>
  first === undefined || next === undefined ? undefined : fingerprint(`${idOf(first)} ${next}`);

/** @returns true if the first page of the list is met again; a partial page is requested again on purpose */
const loopsToStart = (
  position: ProviderPosition,
  { next }: UpstreamPage<unknown>,
  pagePrint: number | undefined,
  firstPagePrint: number | undefined,
): boolean =>
  !position.isPartial && next !== position.cursor && pagePrint !== undefined && pagePrint === firstPagePrint;

/** A provider page and the number of items that it was requested with. */
interface Step<T> {
  readonly found: FoundPage<T>;
  readonly size: number;
}

/** The progress of a request. */
interface PageState<T> {
  readonly recent: RecentItems;
  readonly items: T[];
  readonly steps: Step<T>[];
  /** Undefined: the list has ended. */
  position: ProviderPosition | undefined;
  firstPagePrint: number | undefined;
  /** The operator withholds an item that belongs to the list. */
  lacksWithheld: boolean;
}

/** Takes the new items of a page. @returns the next position; undefined: the end of the list */
const takePage = <T>(
  state: PageState<T>,
  position: ProviderPosition,
  page: UpstreamPage<T>,
  size: number,
  options: FillPageOptions<T>,
): ProviderPosition | undefined => {
  const { limit, idOf, isRanked = false, belongs = () => true } = options;
  const pagePrint = pageFingerprint(page, idOf);
  if (loopsToStart(position, page, pagePrint, state.firstPagePrint)) return undefined;
  // A partial first page can have changed between requests, so its fingerprint is replaced.
  state.firstPagePrint = position.cursor === undefined ? pagePrint : (state.firstPagePrint ?? pagePrint);
  const print = contentFingerprint(page, idOf);
  const isRepeated = !position.isPartial && print !== undefined && print === position.lastPageFingerprint;
  const remembered = options.position?.recentFingerprints ?? [];
  // A cursor has all items that were returned, or at least MIN_REMEMBERED of them.
  const hasAll = remembered.length < MIN_REMEMBERED || page.items.length <= remembered.length;
  const candidates = isRepeated
    ? []
    : position.isPartial && !(isRanked && hasAll)
      ? itemsAfterLastReturned(page.items, remembered, idOf)
      : page.items;
  const newOthers = isRepeated ? [] : idsBeside(page, idOf).filter((id) => state.recent.add(id));
  state.lacksWithheld ||= page.withheld?.some(({ item }) => belongs(item)) === true;
  const { taken, hasNew, isWhole } = takeNewItems(candidates, limit - state.items.length, state.recent, options);
  state.items.push(...taken);
  if (isWhole)
    return options.endsWith?.(page.items, position.cursor === undefined)
      ? undefined
      : nextPosition(
          page,
          { ...position, ...definedMembers({ lastPageFingerprint: print }) },
          hasNew || newOthers.length > 0,
        );
  return { ...position, size, provider: page.provider, isPartial: true, emptyPages: 0 };
};

const createState = <T>({ limit, position }: FillPageOptions<T>): PageState<T> => ({
  recent: createRecentItems(position?.recentFingerprints, position?.earlyIds),
  items: [],
  steps: [],
  position: position ?? { size: limit, isPartial: false, emptyPages: 0 },
  firstPagePrint: position?.firstPageFingerprint,
  lacksWithheld: false,
});

const applyStep = <T>(
  state: PageState<T>,
  position: ProviderPosition,
  step: Step<T>,
  options: FillPageOptions<T>,
): void => {
  state.steps.push(step);
  state.position = takePage(state, position, step.found.value, step.size, options);
};

const earlyIdsOf = <T>(
  items: readonly T[],
  pages: readonly FoundPage<T>[],
  { idOf, belongs = () => true, isPlacedById, position }: FillPageOptions<T>,
): readonly string[] => {
  if (isPlacedById === undefined) return [];
  const ownIds = pages.map(({ value }) => value.items.filter((item) => belongs(item) && isPlacedById(item)).map(idOf));
  return earlyItems(position?.earlyIds ?? [], items.filter(isPlacedById).map(idOf), ownIds);
};

/** @param requested the number of requested items @param steps all steps of the request; a replay takes only the first ones */
const resultOf = <T>(
  { recent, items, steps: taken, position, firstPagePrint, lacksWithheld }: PageState<T>,
  options: FillPageOptions<T>,
  requested: number,
  steps: readonly [Step<T>, ...Step<T>[]],
): FilledPage<T> => {
  const [{ found: first }] = steps;
  const pages = taken.map(({ found }) => found);
  const lacks = lacksWithheld ? [warning('withheld')] : [];
  const cut = pages.some(({ value }) => value.isCut) ? [warning('timeline_incomplete', TIMELINE_CUT)] : [];
  const earlyIds = earlyIdsOf(items, pages, options);
  return {
    items,
    ...(position && {
      next: {
        ...position,
        provider: first.value.provider,
        recentFingerprints: recent.latest(),
        ...(earlyIds.length > 0 && { earlyIds }),
        ...(firstPagePrint !== undefined && { firstPageFingerprint: firstPagePrint }),
      },
    }),
    source: first.source,
    fetchedAt: Math.min(...pages.map(({ fetchedAt }) => fetchedAt)),
    warnings: [...distinctWarnings(pages.flatMap(({ warnings }) => warnings)), ...lacks, ...cut],
    isFallback: first.value.isFallback,
    leftOut: pages.flatMap(({ value }) => value.items.filter((item) => options.belongs?.(item) === false)),
    isShort: position !== undefined && items.length < requested,
    endedAfter: (count) => replay(steps, { ...options, limit: count }, requested),
  };
};

/** Fills a shorter page from the steps of a request. */
const replay = <T>(
  steps: readonly [Step<T>, ...Step<T>[]],
  options: FillPageOptions<T>,
  requested: number,
): FilledPage<T> => {
  const state = createState(options);
  for (const step of steps) {
    if (state.position === undefined || state.items.length >= options.limit) break;
    applyStep(state, state.position, step, options);
  }
  return resultOf(state, options, requested, steps);
};

/**
 * An item that does not belong to the list has an id of its own, so that it hides none that does: the account answered a
 * post, which its timeline has beside the answer, and reposted it.
 */
const withOwnIds = <T>(options: FillPageOptions<T>): FillPageOptions<T> => {
  const { idOf, belongs } = options;
  if (belongs === undefined) return options;
  return { ...options, idOf: (item) => (belongs(item) ? idOf(item) : `beside ${idOf(item)}`) };
};

/** @returns a failed outcome only if the first provider call fails */
export const fillPage = async <T>(
  given: FillPageOptions<T>,
): Promise<({ readonly kind: 'found' } & FilledPage<T>) | FailedOutcome> => {
  const options = withOwnIds(given);
  const { limit, fetch, shouldContinue = () => true } = options;
  const state = createState(options);
  const { items, steps } = state;
  // If a response was too large, later pages are requested with the smaller size too.
  let maxSize = Number.POSITIVE_INFINITY;
  while (
    state.position !== undefined &&
    items.length < limit &&
    steps.length < MAX_PROVIDER_PAGES &&
    shouldContinue()
  ) {
    const request = pageRequest(state.position, Math.min(limit - items.length, maxSize));
    const found = await fetch(request);
    if (found.kind !== 'found') {
      if (steps.length === 0) return found;
      break;
    }
    maxSize = Math.min(maxSize, found.value.size ?? maxSize);
    applyStep(state, state.position, { found, size: found.value.size ?? request.size }, options);
  }
  const [first, ...others] = steps;
  if (first === undefined) return { kind: 'failed', why: 'no page was requested' };
  return { kind: 'found', ...resultOf(state, options, limit, [first, ...others]) };
};
