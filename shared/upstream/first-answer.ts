// Ordered fallback over the providers of posts. An outage is never reported as "not found": a bare miss becomes one
// only when a second source says the same and the doubted one still finds a post that is known to exist.
import type { Conversation } from '../model/conversation.ts';
import type { Clock, Deadline, Log, Outcome, PostRequest } from '../ports.ts';
import type { Budget } from './http.ts';
import type { PostProvider } from './providers.ts';

const CANARY_MILLISECONDS = 30_000;

type Ask = (request: PostRequest, budget: Budget) => Promise<Outcome<Conversation>>;

const causeText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** A mapper that stumbles over an answer has met an unusable one: the next provider is asked, and we are told. */
const unfailing =
  (provider: PostProvider, log: Log): Ask =>
  async (request, budget) => {
    try {
      return await provider.readPost(request, budget);
    } catch (error) {
      log({ level: 'error', event: 'upstream_bug', cause: causeText(error) });
      return { kind: 'failed', why: 'the answer was not understood' };
    }
  };

type Canary = (deadline: Deadline) => Promise<boolean>;

/** Asks for the canary at most every 30 s, and only when somebody needs to know. */
const createCanary = (ask: Ask, { canaryPost, clock, attemptMilliseconds }: FallbackOptions): Canary => {
  let askedAt = Number.NEGATIVE_INFINITY;
  let sings: Promise<boolean> | undefined;
  let known: boolean | undefined;
  return async (deadline) => {
    const now = clock();
    const isOld = now - askedAt >= CANARY_MILLISECONDS;
    if (!isOld && known !== undefined) return known;
    // Silence for lack of a caller's time would be remembered against the source.
    if (deadline - now < attemptMilliseconds) return false;
    if (isOld || sings === undefined) {
      askedAt = now;
      known = undefined;
      sings = ask(
        { id: canaryPost, thread: 'off', replies: 'off' },
        { deadline: now + attemptMilliseconds, retries: 0 },
      ).then(({ kind }) => {
        known = kind === 'found';
        return known;
      });
    }
    return sings;
  };
};

type Miss = Exclude<Outcome<Conversation>, { kind: 'found' | 'gone' }>;

/** What a row of misses amounts to; sources that differ make it unavailable, since one of them may know better. */
const verdict = (misses: readonly Miss[]): Outcome<Conversation> => {
  if (misses.length === 0) return { kind: 'down', why: 'no provider is configured' };
  const unusable = misses.every(({ kind }) => kind === 'failed' || kind === 'refused');
  const why = misses.map((miss) => ('why' in miss ? `${miss.kind}: ${miss.why}` : miss.kind)).join('; ');
  return { kind: unusable ? 'failed' : 'down', why };
};

/** Nobody found it, and one of them is sure. */
const agreeOnAbsence = (misses: readonly Miss[]): boolean =>
  misses.some(({ kind }) => kind === 'absent') && misses.every(({ kind }) => kind === 'absent' || kind === 'ambiguous');

export interface FallbackOptions {
  /** In order of preference. */
  readonly providers: readonly PostProvider[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  /** What a call may take at most. */
  readonly attemptMilliseconds: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Never throws. */
export const firstAnswer = (options: FallbackOptions): Ask => {
  const sources = options.providers.map((provider) => {
    const ask = unfailing(provider, options.log);
    return { ask, canary: createCanary(ask, options) };
  });
  return async (request, budget) => {
    const misses: Miss[] = [];
    let doubted: Canary | undefined;
    for (const { ask, canary } of sources) {
      const outcome = await ask(request, budget);
      if (outcome.kind === 'found' || outcome.kind === 'gone') return outcome;
      misses.push(outcome);
      if (outcome.kind === 'refused') break;
      if (outcome.kind === 'ambiguous') doubted ??= canary;
    }
    if (agreeOnAbsence(misses) && (await doubted?.(budget.deadline))) return { kind: 'absent' };
    return verdict(misses);
  };
};
