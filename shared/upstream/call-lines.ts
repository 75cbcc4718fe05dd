// Writes the log lines of calls to providers and of their circuit breakers. They have the host of a URL, never its path.
import type { LogFields } from '../ports/system.ts';
import type { BreakerChange } from '../resilience/circuit-breaker.ts';
import type { AttemptResult } from './http-request.ts';

/** A call that is for no caller. The metrics leave it out. */
export type CallRole = 'canary' | 'health_check';

interface Queried {
  readonly provider: string;
  /** The kind of query. */
  readonly kind: string;
  /** A URL of the provider. */
  readonly url: string;
}

interface CompletedCall extends Queried {
  readonly attempt: AttemptResult;
  readonly milliseconds: number;
  readonly role: CallRole | undefined;
}

const queriedFields = ({ provider, kind, url }: Queried) => ({ provider, kind, address: new URL(url).host });

/**
 * - `answered`: a response below 500, with any content
 * - `throttled`: 429
 * - `inconclusive`: the call had less than its full time
 * - `failed`, `down`: as in FetchResult
 */
const outcomeOf = ({ fetched, health }: AttemptResult): string => {
  if (fetched.kind === 'response') return 'answered';
  return health === 'throttled' || health === 'inconclusive' ? health : fetched.kind;
};

export const callLine = ({ attempt, milliseconds, role, ...queried }: CompletedCall): LogFields => {
  const { fetched } = attempt;
  const isAnswered = fetched.kind === 'response';
  return {
    level: isAnswered ? 'info' : 'warn',
    event: 'upstream',
    ...queriedFields(queried),
    outcome: outcomeOf(attempt),
    ...(isAnswered ? { status: fetched.status } : { status: attempt.status, why: fetched.why }),
    duration_ms: milliseconds,
    ...(role && { role }),
  };
};

export const circuitLine = ({ change, ...queried }: Queried & { readonly change: BreakerChange }): LogFields => ({
  level: change.state === 'open' ? 'warn' : 'info',
  event: 'circuit',
  ...queriedFields(queried),
  state: change.state,
  why: change.why,
});
