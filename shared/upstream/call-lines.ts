// Writes the log lines of calls to providers that belong to no request, and of circuit breakers. They have the host of a
// URL, never its path.
import type { CallRecord, LogFields } from '../ports/system.ts';
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

const queriedFields = ({ provider, kind, url }: Queried) => ({ provider, kind, address: new URL(url).host });

const outcomeOf = ({ fetched, health }: AttemptResult): CallRecord['outcome'] => {
  if (fetched.kind === 'response') return 'answered';
  return health === 'throttled' || health === 'inconclusive' ? health : fetched.kind;
};

export const callOf = (query: Queried, attempt: AttemptResult, milliseconds: number): CallRecord => {
  const { fetched } = attempt;
  return {
    ...queriedFields(query),
    outcome: outcomeOf(attempt),
    status: fetched.kind === 'response' ? fetched.status : attempt.status,
    why: fetched.kind === 'response' ? undefined : fetched.why,
    milliseconds,
  };
};

/** The line of a call that no request records. */
export const callLine = (call: CallRecord, role: CallRole | undefined): LogFields => ({
  level: call.outcome === 'answered' ? 'info' : 'warn',
  event: 'upstream',
  ...(role && { role }),
  calls: [call],
  duration_ms: call.milliseconds,
});

const callText = ({ provider, kind, address, outcome, status, why }: CallRecord): string =>
  outcome === 'answered' ? `${provider} ${kind} ${status}` : `${provider} ${kind} ${outcome}: ${why} (${address})`;

/**
 * Equal calls are named once, with their number, and failed ones first: the text is cut. Durations are left out, so that
 * queries can group lines by the text.
 */
export const callsText = (calls: readonly CallRecord[]): string =>
  [
    ...Map.groupBy(
      calls.toSorted((a, b) => Number(a.outcome === 'answered') - Number(b.outcome === 'answered')),
      callText,
    ),
  ]
    .map(([text, { length }]) => (length > 1 ? `${length}x ${text}` : text))
    .join(', ');

export const circuitLine = ({ change, ...queried }: Queried & { readonly change: BreakerChange }): LogFields => ({
  level: change.state === 'open' ? 'warn' : 'info',
  event: 'circuit',
  ...queriedFields(queried),
  state: change.state,
  why: change.why,
});
