// Collects what happened while a request was answered, for its log line. Each step records what it knows: the request
// cache its use, the use case its provider and warnings, the caller the charge. Nothing here decides about an answer.
import type { Form } from '../contract/metrics.ts';
import { isDegraded } from '../contract/warnings.ts';
import type { Caller, ChargeResult } from '../ports/access-control.ts';
import type { CacheUse, Requester, SourcedResult } from '../ports/upstream.ts';

/** An unset member did not happen: nothing was read, or nothing was charged. */
export interface ReadFacts {
  /** The source of the result. */
  provider?: string;
  /** If there are several results, the one that took the longest way: `miss` rather than `joined` rather than `hit`. */
  cache?: CacheUse;
  allowance?: ChargeResult['decision'];
  isRefunded?: boolean;
  isDegraded?: boolean;
  /** Unset: Content-Type names the representation. */
  form?: Form;
  /** A body whose size is known. */
  body?: { readonly text: string; readonly bytes: number };
}

const CACHE_ORDER: readonly CacheUse[] = ['hit', 'joined', 'miss'];
const ALLOWANCE_ORDER: readonly ChargeResult['decision'][] = ['admitted', 'memory', 'refused'];

/** @returns the value that is later in the order */
const later = <T>(order: readonly T[], first: T | undefined, second: T): T =>
  first !== undefined && order.indexOf(first) > order.indexOf(second) ? first : second;

const recordAllowance = (facts: ReadFacts, decision: ChargeResult['decision']): void => {
  facts.allowance = later(ALLOWANCE_ORDER, facts.allowance, decision);
};

const recordCacheUse = (facts: ReadFacts, use: CacheUse): void => {
  facts.cache = later(CACHE_ORDER, facts.cache, use);
};

const admitRecorded = async (admit: Requester['admit'], facts: ReadFacts): Promise<void> => {
  try {
    await admit();
    recordAllowance(facts, 'admitted');
  } catch (error) {
    recordAllowance(facts, 'refused');
    throw error;
  }
};

/**
 * Returns the requester with a record of its cache uses.
 *
 * @param isFairUse the bound is always counted in memory and has no charge result, so `admit` is recorded as well
 */
export const recordingRequester = (requester: Requester, facts: ReadFacts, isFairUse: boolean): Requester => {
  const { forAnotherRead } = requester;
  return {
    ...requester,
    recordCacheUse: (use) => recordCacheUse(facts, use),
    ...(isFairUse && { admit: () => admitRecorded(requester.admit, facts) }),
    ...(forAnotherRead && { forAnotherRead: () => recordingRequester(forAnotherRead(), facts, isFairUse) }),
  };
};

export const recordResult = (facts: ReadFacts, { source, warnings }: SourcedResult<unknown>): void => {
  facts.provider = source;
  facts.isDegraded = warnings.some(isDegraded);
};

/** @param caller undefined: nothing is charged for a caller */
export const recordCharge = (facts: ReadFacts, caller: Caller | undefined): void => {
  const result = caller?.chargeResult();
  if (result === undefined) return;
  recordAllowance(facts, result.decision);
  facts.isRefunded = result.isRefunded;
};

/** Adds the facts of one call to those of a request with several. */
export const addFacts = (facts: ReadFacts, call: ReadFacts): void => {
  if (call.provider !== undefined) facts.provider = call.provider;
  if (call.cache !== undefined) recordCacheUse(facts, call.cache);
  if (call.allowance !== undefined) recordAllowance(facts, call.allowance);
  if (call.isRefunded) facts.isRefunded = true;
  if (call.isDegraded) facts.isDegraded = true;
};

/** The facts as members of a log line. */
export const factFields = ({ provider, cache, allowance, isRefunded, isDegraded: isLess }: ReadFacts) => ({
  provider: provider ?? 'none',
  cache: cache ?? 'none',
  allowance: allowance ?? 'none',
  ...(isRefunded && { refunded: true }),
  degraded: isLess ? 1 : 0,
});
