// Ordered fallback over the providers of posts. An outage is never reported as "not found": a bare miss becomes one
// only when a second source says the same and the first still finds a post that is known to exist.
import type { Conversation } from '../model/conversation.ts';
import type { Clock, Outcome, PostRequest } from '../ports.ts';
import type { Budget } from './http.ts';
import type { PostProvider } from './providers.ts';

const CANARY_MILLISECONDS = 30_000;

/** Asks for the canary at most every 30 s, and only when somebody needs to know. */
const createCanary = (provider: PostProvider, id: string, clock: Clock): ((budget: Budget) => Promise<boolean>) => {
  let asked: { readonly at: number; readonly sings: Promise<boolean> } | undefined;
  return (budget) => {
    if (asked === undefined || clock() - asked.at >= CANARY_MILLISECONDS) {
      const sings = provider.readPost({ id, thread: 'off', replies: 'off' }, budget).then(({ kind }) => kind === 'found');
      asked = { at: clock(), sings };
    }
    return asked.sings;
  };
};

type Miss = Exclude<Outcome<Conversation>, { kind: 'found' | 'gone' }>;

/** What a row of misses amounts to; sources that differ make it unavailable, since one of them may know better. */
const verdict = (misses: readonly Miss[]): Outcome<Conversation> => {
  const [worst] = misses;
  if (worst === undefined) return { kind: 'down', why: 'no provider is configured' };
  const unusable = misses.every(({ kind }) => kind === 'failed' || kind === 'refused');
  const why = misses.map((miss) => ('why' in miss ? `${miss.kind}: ${miss.why}` : miss.kind)).join('; ');
  return { kind: unusable ? 'failed' : 'down', why };
};

const agreeOnAbsence = (misses: readonly Miss[]): boolean =>
  misses.some(({ kind }) => kind === 'absent') && misses.every(({ kind }) => kind === 'absent' || kind === 'ambiguous');

export interface FallbackOptions {
  /** In order of preference. */
  readonly providers: readonly PostProvider[];
  /** Id of a post that is known to exist. */
  readonly canaryPost: string;
  readonly clock: Clock;
}

export const firstAnswer = ({ providers, canaryPost, clock }: FallbackOptions) => {
  const [preferred] = providers;
  const canary = preferred && createCanary(preferred, canaryPost, clock);
  return async (request: PostRequest, budget: Budget): Promise<Outcome<Conversation>> => {
    const misses: Miss[] = [];
    for (const provider of providers) {
      const outcome = await provider.readPost(request, budget);
      if (outcome.kind === 'found' || outcome.kind === 'gone') return outcome;
      misses.push(outcome);
    }
    if (agreeOnAbsence(misses) && (await canary?.(budget))) return { kind: 'absent' };
    return verdict(misses);
  };
};
