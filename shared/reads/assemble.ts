// One page of ours from as many pages of a provider as that takes: theirs are short, empty or repeated as they like,
// ours hold what was asked for as long as there is more.
import { distinctWarnings } from '../contract/warnings.ts';
import type { Warning } from '../model/conversation.ts';
import type { Position } from '../model/position.ts';
import type { Miss, Outcome, Page, PageRequest } from '../ports.ts';
import { createMemory, fingerprint, type Memory } from './fingerprints.ts';

/** Provider calls for one page of ours. */
const MAX_PAGES = 10;
/** Pages in a row, over as many requests as it takes, that held nothing new: then the list is taken to be over. */
const MAX_BARREN = 20;

export interface Assembly<T> {
  readonly limit: number;
  /** Where the page before ended. */
  readonly from: Position | undefined;
  fetch(page: PageRequest): Promise<Outcome<Page<T>>>;
  idOf(item: T): string;
  /** Whether an item belongs to the list at all. */
  readonly keeps?: (item: T) => boolean;
  /** Asked before each page. @default until the page is full */
  readonly isWanted?: () => boolean;
}

export interface Assembled<T> {
  readonly items: readonly T[];
  /** Where it goes on; unset: the end. */
  readonly next?: Position;
  readonly source: string;
  /** Of the oldest page. */
  readonly fetchedAt: number;
  readonly warnings: readonly Warning[];
  readonly isFallback: boolean;
  /** It goes on although there are fewer items than were asked for. */
  readonly isShort: boolean;
  /** The same page, ended after so many items: what follows them is the beginning of the next one. Asks no provider. */
  endedAfter(count: number): Assembled<T>;
}

type Found<T> = Extract<Outcome<Page<T>>, { kind: 'found' }>;

/** Before the first answer no provider is chosen. */
type At = Omit<Position, 'provider' | 'seen' | 'origin'> & { readonly provider?: string };

/** @param room how many items are wanted: a page that was begun is asked for as it was, or it would be another */
const pageAt = ({ provider, cursor, size, begun }: At, room: number): PageRequest => ({
  size: begun ? size : room,
  ...(provider !== undefined && { provider }),
  ...(cursor !== undefined && { cursor }),
});

/**
 * What of a page that was begun stands after the latest that is remembered of it. Whatever stands before was handed out
 * as well, or came later.
 */
const restOf = <T>(items: readonly T[], remembered: readonly number[], idOf: (item: T) => string): readonly T[] => {
  const prints = items.map((item) => fingerprint(idOf(item)));
  const latest = remembered.findLast((print) => prints.includes(print));
  return latest === undefined ? items : items.slice(prints.indexOf(latest) + 1);
};

/** What is new among the candidates and belongs to the list, at most as much as there is room for; and if anything is new. */
const takeNew = <T>(candidates: readonly T[], room: number, memory: Memory, assembly: Assembly<T>) => {
  const { idOf, keeps = () => true } = assembly;
  const taken: T[] = [];
  let hasNew = false;
  for (const item of candidates) {
    const id = idOf(item);
    if (taken.length === room) {
      // One that does not belong to the list is no reason to come back to this page.
      if (!memory.has(id) && keeps(item)) return { taken, hasNew, isWhole: false };
    } else if (memory.add(id)) {
      hasNew = true;
      if (keeps(item)) taken.push(item);
    }
  }
  return { taken, hasNew, isWhole: true };
};

/** The page after this one; undefined where the list ends. */
const advance = <T>({ next, provider }: Page<T>, at: At, hasNew: boolean): At | undefined => {
  const barren = hasNew ? 0 : at.barren + 1;
  if (next === undefined || next === at.cursor || barren >= MAX_BARREN) return undefined;
  return { provider, cursor: next, size: at.size, begun: false, barren };
};

/** What tells a page that has items from every other: where it begins, and where it leads. */
const signatureOf = <T>({ items: [first], next }: Page<T>, idOf: (item: T) => string): number | undefined =>
  first === undefined || next === undefined ? undefined : fingerprint(`${idOf(first)} ${next}`);

/** Whether a page is the list's first again. One that was begun is met again on purpose, one that leads to itself ends. */
const leadsBack = (
  at: At,
  { next }: Page<unknown>,
  signature: number | undefined,
  origin: number | undefined,
): boolean => !at.begun && next !== at.cursor && signature !== undefined && signature === origin;

/** A page and how many items it was asked for. */
interface Step<T> {
  readonly found: Found<T>;
  readonly size: number;
}

/** How far a request has come through the provider's pages. */
interface Walk<T> {
  readonly memory: Memory;
  readonly items: T[];
  readonly steps: Step<T>[];
  /** Unset: the list has ended. */
  at: At | undefined;
  origin: number | undefined;
}

/** Takes what a page brings. @returns where the walk goes on; undefined where the list ends */
const take = <T>(walk: Walk<T>, here: At, page: Page<T>, size: number, assembly: Assembly<T>): At | undefined => {
  const { limit, from, idOf } = assembly;
  const signature = signatureOf(page, idOf);
  if (leadsBack(here, page, signature, walk.origin)) return undefined;
  // The first page may have changed since it was begun.
  walk.origin = here.cursor === undefined ? signature : (walk.origin ?? signature);
  const candidates = here.begun ? restOf(page.items, from?.seen ?? [], idOf) : page.items;
  const { taken, hasNew, isWhole } = takeNew(candidates, limit - walk.items.length, walk.memory, assembly);
  walk.items.push(...taken);
  if (isWhole) return advance(page, here, hasNew);
  return { ...here, size, provider: page.provider, begun: true, barren: 0 };
};

const begin = <T>({ limit, from }: Assembly<T>): Walk<T> => ({
  memory: createMemory(from?.seen ?? []),
  items: [],
  steps: [],
  at: from ?? { size: limit, begun: false, barren: 0 },
  origin: from?.origin,
});

const advanceBy = <T>(walk: Walk<T>, here: At, step: Step<T>, assembly: Assembly<T>): void => {
  walk.steps.push(step);
  walk.at = take(walk, here, step.found.value, step.size, assembly);
};

/** @param wanted how many items were asked for @param steps all that were taken, of which this walk may have taken fewer */
const resultOf = <T>(
  { memory, items, steps: taken, at, origin }: Walk<T>,
  assembly: Assembly<T>,
  wanted: number,
  steps: readonly [Step<T>, ...Step<T>[]],
): Assembled<T> => {
  const [{ found: first }] = steps;
  const pages = taken.map(({ found }) => found);
  const longest = Math.max(...pages.map(({ value }) => value.items.length));
  // Pages without anything are no reason to forget what was before them.
  const seen = memory.latest(longest === 0 ? (assembly.from?.seen.length ?? 0) : longest);
  return {
    items,
    ...(at && { next: { ...at, provider: first.value.provider, seen, ...(origin !== undefined && { origin }) } }),
    source: first.source,
    fetchedAt: Math.min(...pages.map(({ fetchedAt }) => fetchedAt)),
    warnings: distinctWarnings(pages.flatMap(({ warnings }) => warnings)),
    isFallback: first.value.isFallback,
    isShort: at !== undefined && items.length < wanted,
    endedAfter: (count) => replay(steps, { ...assembly, limit: count }, wanted),
  };
};

/** Goes through pages that are there already, to an earlier end. */
const replay = <T>(steps: readonly [Step<T>, ...Step<T>[]], assembly: Assembly<T>, wanted: number): Assembled<T> => {
  const walk = begin(assembly);
  for (const step of steps) {
    if (walk.at === undefined || walk.items.length >= assembly.limit) break;
    advanceBy(walk, walk.at, step, assembly);
  }
  return resultOf(walk, assembly, wanted, steps);
};

/** @returns a miss only if not a single page could be read: what was gathered is worth more than an error */
export const assemble = async <T>(
  assembly: Assembly<T>,
): Promise<({ readonly kind: 'found' } & Assembled<T>) | Miss> => {
  const { limit, fetch, isWanted = () => true } = assembly;
  const walk = begin(assembly);
  const { items, steps } = walk;
  /** What was too large once is so again. */
  let most = Number.POSITIVE_INFINITY;
  while (walk.at !== undefined && items.length < limit && steps.length < MAX_PAGES && isWanted()) {
    const request = pageAt(walk.at, Math.min(limit - items.length, most));
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
