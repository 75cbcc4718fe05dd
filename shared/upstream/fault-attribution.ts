// Whose fault a failed call is. A 5xx, a time-out or a broken connection may be due to what was asked for (a post that
// crashes the provider) or to the provider. What decides is the canary: something that the same kind of query is known to
// answer. If it is answered, the failure belongs to its subject and says nothing of the provider.

import type { Clock } from '../ports/system.ts';
import { createBoundedMap } from '../resilience/bounded-map.ts';

/** The canary is asked at most once in this time. */
const CANARY_INTERVAL_MILLISECONDS = 10_000;
/** For so long a subject that failed is not asked for again. */
const SUBJECT_FAILURE_MILLISECONDS = 30_000;
/** The same where the canary was answered before the call began: the provider may have failed since. */
const PRESUMED_FAILURE_MILLISECONDS = 5_000;
const MAX_FAILED_SUBJECTS = 1000;
/** Callers whose last answered URL is known: of two, one at least is another than the one whose call failed. */
const MAX_WITNESSES = 2;

export type Fault = 'subject' | 'provider' | 'unknown';

export interface FailedCall {
  readonly url: string;
  readonly caller: string | undefined;
  readonly beganAt: number;
}

export interface FaultAttribution {
  /** Whether this subject failed a moment ago, and nothing but it. */
  hasFailed(url: string): boolean;
  /** To be told of every answer that shows the provider well: its URL is a canary for the calls of others. */
  recordSuccess(url: string, caller: string | undefined): void;
  /** Whose fault it is that the call failed; a subject's is remembered. Never rejects. */
  attribute(call: FailedCall): Promise<Fault>;
}

export interface FaultAttributionOptions {
  /** Known to be answered; unset: only what was answered before is. */
  readonly canaryUrl: string | undefined;
  /** Whether the provider answers; `undefined` where the call was not given its time. Never rejects. */
  readonly isAnswered: (url: string) => Promise<boolean | undefined>;
  readonly clock: Clock;
}

interface SuccessfulCall {
  readonly url: string;
  readonly caller: string | undefined;
}

interface CanaryVerdict {
  readonly askedAt: number;
  readonly fault: Promise<Fault>;
  /** Infinite while the canary is being asked. */
  answeredAt: number;
}

export const createFaultAttribution = ({ canaryUrl, isAnswered, clock }: FaultAttributionOptions): FaultAttribution => {
  const failedUntil = createBoundedMap<number>(MAX_FAILED_SUBJECTS);
  let witnesses: readonly SuccessfulCall[] = [];
  let lastSuccessAt = Number.NEGATIVE_INFINITY;
  let verdict: CanaryVerdict | undefined;

  /** An operator's canary may have gone since: what others were answered last is asked for before the provider is blamed. */
  const askCanaries = async ({ url: failed, caller }: FailedCall): Promise<Fault> => {
    const others = witnesses.filter((witness) => caller === undefined || witness.caller !== caller);
    const canaries = new Set([...(canaryUrl === undefined ? [] : [canaryUrl]), ...others.map(({ url }) => url)]);
    let fault: Fault = failed === canaryUrl ? 'provider' : 'unknown';
    for (const url of canaries) {
      const answered = url === failed ? undefined : await isAnswered(url);
      if (answered) return 'subject';
      if (answered === false) fault = 'provider';
    }
    return fault;
  };

  const ask = (call: FailedCall, now: number): CanaryVerdict => {
    const asked: CanaryVerdict = { askedAt: now, fault: askCanaries(call), answeredAt: Number.POSITIVE_INFINITY };
    void asked.fault.then(() => {
      asked.answeredAt = clock();
    });
    return asked;
  };

  return {
    hasFailed: (url) => (failedUntil.get(url) ?? 0) > clock(),
    recordSuccess(url, caller) {
      lastSuccessAt = clock();
      witnesses = [{ url, caller }, ...witnesses.filter((witness) => witness.caller !== caller)].slice(
        0,
        MAX_WITNESSES,
      );
    },
    async attribute(call) {
      const now = clock();
      if (verdict === undefined || now - verdict.askedAt >= CANARY_INTERVAL_MILLISECONDS) verdict = ask(call, now);
      const { answeredAt, fault: pending } = verdict;
      const fault = await pending;
      const isFresh = call.beganAt <= answeredAt;
      if (fault === 'subject') {
        const milliseconds = isFresh ? SUBJECT_FAILURE_MILLISECONDS : PRESUMED_FAILURE_MILLISECONDS;
        failedUntil.set(call.url, now + milliseconds);
        return isFresh ? 'subject' : 'unknown';
      }
      // It has answered since.
      return !isFresh && lastSuccessAt > answeredAt ? 'unknown' : fault;
    },
  };
};
