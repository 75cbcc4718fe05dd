// Ordered fallback over sources. An outage is never reported as "not found": what a row of misses amounts to depends on
// what was asked for, and a doubted source must still find what is known to exist.
import { warning } from '../contract/warnings.ts';
import { errorText } from '../model/errors.ts';
import type { Log } from '../ports/system.ts';
import type { FailedOutcome, Outcome } from '../ports/upstream.ts';
import type { Canary } from './canary.ts';
import type { CallBudget } from './json-client.ts';

export type ProviderCall<Request, T> = (request: Request, budget: CallBudget) => Promise<Outcome<T>>;

export interface FallbackSource<Request, T> {
  /** Never throws. */
  readonly call: ProviderCall<Request, T>;
  /** Where its bare misses can be put to the test. */
  readonly canary?: Canary;
}

/** A mapper that stumbles over an answer has met an unusable one: the next provider is asked, and we are told. */
export const catchErrors =
  <Request, T>(ask: ProviderCall<Request, T>, log: Log): ProviderCall<Request, T> =>
  async (request, budget) => {
    try {
      return await ask(request, budget);
    } catch (error) {
      log({ level: 'error', event: 'upstream_bug', cause: errorText(error) });
      return { kind: 'failed', why: 'the answer was not understood' };
    }
  };

/** An answer of a later choice says so. */
export const markAsFallback =
  <Request, T>(ask: ProviderCall<Request, T>): ProviderCall<Request, T> =>
  async (request, budget) => {
    const outcome = await ask(request, budget);
    if (outcome.kind !== 'found') return outcome;
    return { ...outcome, warnings: [...outcome.warnings, warning('fallback_answered')] };
  };

/** By this source; another one may know better. */
type InconclusiveOutcome = Exclude<FailedOutcome, { kind: 'gone' }>;

/**
 * Which misses together say that there is no such thing, if the doubted source is well.
 * - `post`: nobody found it, and one of them is sure
 * - `profile`: nobody found it, and nobody failed
 * - `list`: none do; that all of them found nothing is for who knows the profile to judge
 */
export type AbsenceRule = 'post' | 'profile' | 'list';

const isBare = ({ kind }: InconclusiveOutcome): boolean => kind === 'absent' || kind === 'ambiguous';

const mayBeAbsent = (misses: readonly InconclusiveOutcome[], absence: AbsenceRule): boolean =>
  misses.length > 0 &&
  misses.every(isBare) &&
  (absence === 'profile' || (absence === 'post' && misses.some(({ kind }) => kind === 'absent')));

/** What a row of misses amounts to; sources that differ make it unavailable, since one of them may know better. */
const combineOutcomes = (misses: readonly InconclusiveOutcome[], absence: AbsenceRule): FailedOutcome => {
  if (misses.length === 0) return { kind: 'down', why: 'no provider can do this' };
  const [first] = misses;
  if (absence === 'list' && first?.kind === 'refused' && misses.every(({ kind }) => kind === 'refused')) return first;
  if (absence === 'list' && misses.every(isBare)) return { kind: 'ambiguous' };
  const unusable = misses.every(({ kind }) => kind === 'failed' || kind === 'refused');
  const why = misses.map((miss) => ('why' in miss ? `${miss.kind}: ${miss.why}` : miss.kind)).join('; ');
  return { kind: unusable ? 'failed' : 'down', why };
};

/**
 * @param sources in order of preference; each never throws
 * @returns never throws
 */
export const createFallback =
  <Request, T>(sources: readonly FallbackSource<Request, T>[], absence: AbsenceRule): ProviderCall<Request, T> =>
  async (request, budget) => {
    const misses: InconclusiveOutcome[] = [];
    let canaryToCheck: Canary | undefined;
    for (const { call, canary } of sources) {
      const outcome = await call(request, budget);
      if (outcome.kind === 'found' || outcome.kind === 'gone') return outcome;
      misses.push(outcome);
      // What one source takes for no search may be one for the next; a post's id is the same for all.
      if (outcome.kind === 'refused' && absence !== 'list') break;
      if (outcome.kind === 'ambiguous') canaryToCheck ??= canary;
    }
    if (mayBeAbsent(misses, absence) && (await canaryToCheck?.(budget.deadline))) return { kind: 'absent' };
    return combineOutcomes(misses, absence);
  };
