// One provider call for callers who want the same at the same time, and a small memory of what it said.
import type { Clock, Deadline } from '../ports/system.ts';
import type { Outcome, Requester } from '../ports/upstream.ts';

/** A conversation is some ten kilobytes, at worst a megabyte or two. */
const MAX_ENTRIES = 100;
const FOUND_MILLISECONDS = 60_000;
const MISSING_MILLISECONDS = 30_000;

interface CacheEntry<T> {
  readonly answer: Promise<Outcome<T>>;
  /** Of whoever asked. */
  readonly deadline: Deadline;
  /** Infinite while the call is under way. */
  expiresAt: number;
}

const lifetime = (outcome: Outcome<unknown>): number => {
  switch (outcome.kind) {
    case 'found':
      return FOUND_MILLISECONDS;
    case 'gone':
    case 'absent':
    case 'refused':
      return MISSING_MILLISECONDS;
    default:
      return 0; // a failure is asked again
  }
};

interface CachedCall<T> {
  /** Equal for callers who want the same. */
  readonly key: string;
  readonly deadline: Deadline;
  /** Asked unless the answer is remembered: who joins another's call is a caller as well. */
  readonly admit: Requester['admit'] | undefined;
  /** Answers by the deadline. */
  ask(): Promise<Outcome<T>>;
}

/** Rejects only with what `admit` does. */
export type RequestCache<T> = (question: CachedCall<T>) => Promise<Outcome<T>>;

/** With so much more time than another caller had, what came of it too late is worth asking for again. */
const RETRY_MARGIN_MILLISECONDS = 500;

/** @param maxMilliseconds upper bound of the memory; 0 turns memory and sharing off */
export const createRequestCache = <T>(clock: Clock, maxMilliseconds: number): RequestCache<T> => {
  const entries = new Map<string, CacheEntry<T>>();

  const remove = (key: string, entry: CacheEntry<T>): void => {
    if (entries.get(key) === entry) entries.delete(key);
  };

  /** Oldest first, which is nearly the order in which they expire. */
  const evict = (): void => {
    const now = clock();
    for (const [key, { expiresAt }] of entries) {
      if (expiresAt > now && entries.size < MAX_ENTRIES) return;
      entries.delete(key);
    }
  };

  const isRemembered = (key: string): boolean => {
    const expiresAt = entries.get(key)?.expiresAt ?? 0;
    return Number.isFinite(expiresAt) && expiresAt > clock();
  };

  const joinOrCall = (question: CachedCall<T>): Promise<Outcome<T>> => {
    const { key, deadline, ask } = question;
    if (maxMilliseconds === 0) return ask();
    const known = entries.get(key);
    if (known !== undefined && known.expiresAt > clock()) {
      const hasMoreTime = deadline - known.deadline >= RETRY_MARGIN_MILLISECONDS;
      const isWorthAskingAgain = (outcome: Outcome<T>): boolean =>
        outcome.kind === 'down' && (hasMoreTime || outcome.isStarved === true);
      return known.answer.then((outcome) => (isWorthAskingAgain(outcome) ? joinOrCall(question) : outcome));
    }
    if (known !== undefined) entries.delete(key);
    evict();
    const entry: CacheEntry<T> = { answer: (async () => ask())(), deadline, expiresAt: Number.POSITIVE_INFINITY };
    entries.set(key, entry);
    entry.answer.then(
      (outcome) => {
        const milliseconds = Math.min(lifetime(outcome), maxMilliseconds);
        entry.expiresAt = clock() + milliseconds;
        if (milliseconds === 0) remove(key, entry);
      },
      () => remove(key, entry), // whoever waits for the answer hears of it
    );
    return entry.answer;
  };

  return async (question) => {
    if (question.admit === undefined || isRemembered(question.key)) return joinOrCall(question);
    const { granted, isLikelyGranted } = question.admit();
    if (!isLikelyGranted) {
      await granted;
      return joinOrCall(question);
    }
    const [outcome] = await Promise.all([joinOrCall(question), granted]);
    return outcome;
  };
};
