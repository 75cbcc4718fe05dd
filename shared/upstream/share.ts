// One provider call for callers who want the same at the same time, and a small memory of what it said.
import type { Clock, Outcome } from '../ports.ts';

const MAX_ENTRIES = 200;
const FOUND_MILLISECONDS = 60_000;
const MISSING_MILLISECONDS = 30_000;

interface Entry<T> {
  readonly answer: Promise<Outcome<T>>;
  /** Undefined while the call is under way. */
  expiresAt?: number;
}

const lifetime = (outcome: Outcome<unknown>): number => {
  switch (outcome.kind) {
    case 'found':
      return FOUND_MILLISECONDS;
    case 'gone':
    case 'absent':
      return MISSING_MILLISECONDS;
    default:
      return 0; // a failure is asked again
  }
};

/** @param maxMilliseconds upper bound of the memory; 0 turns memory and sharing off */
export const createShare = <T>(clock: Clock, maxMilliseconds: number) => {
  const entries = new Map<string, Entry<T>>();
  return (key: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    if (maxMilliseconds === 0) return ask();
    const known = entries.get(key);
    if (known !== undefined && (known.expiresAt === undefined || known.expiresAt > clock())) return known.answer;
    const entry: Entry<T> = { answer: ask() };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    void entry.answer.then((outcome) => {
      entry.expiresAt = clock() + Math.min(lifetime(outcome), maxMilliseconds);
    });
    return entry.answer;
  };
};
