// Whose fault a failed call is. A 5xx, a time-out or a broken connection may be due to what was asked for (a post that
// crashes the provider) or to the provider. What decides is the canary: something that the same kind of query is known to
// answer. If it is answered, the failure belongs to its subject and says nothing of the provider.
import { createBoundedMap } from '../bounded-map.ts';
import type { Clock } from '../ports.ts';

/** The canary is asked at most once in this time. */
const CANARY_INTERVAL_MILLISECONDS = 10_000;
/** For so long a subject that failed is not asked for again. */
const SUBJECT_FAILURE_MILLISECONDS = 30_000;
const MAX_FAILED_SUBJECTS = 1000;

export type Fault = 'subject' | 'provider' | 'unknown';

export interface FaultAttribution {
  /** Whether this subject failed a moment ago, and nothing but it. */
  hasFailed(url: string): boolean;
  /** To be told of every answer that shows the provider well: its URL is a canary too. */
  recordSuccess(url: string): void;
  /** Whose fault it is that the call failed; a subject's is remembered. Never rejects. */
  attribute(url: string): Promise<Fault>;
}

export interface FaultAttributionOptions {
  /** Known to be answered; unset: only what was answered before is. */
  readonly canaryUrl: string | undefined;
  /** Whether the provider answers; `undefined` where the call was not given its time. Never rejects. */
  readonly isAnswered: (url: string) => Promise<boolean | undefined>;
  readonly clock: Clock;
}

export const createFaultAttribution = ({ canaryUrl, isAnswered, clock }: FaultAttributionOptions): FaultAttribution => {
  const failedUntil = createBoundedMap<number>(MAX_FAILED_SUBJECTS);
  let lastSuccess: string | undefined;
  let verdict: { readonly at: number; readonly fault: Promise<Fault> } | undefined;

  /** An operator's canary may have gone since: what was answered last is asked for before the provider is blamed. */
  const askCanaries = async (failed: string): Promise<Fault> => {
    const canaries = new Set([canaryUrl, lastSuccess].filter((url) => url !== undefined && url !== failed));
    let fault: Fault = failed === canaryUrl ? 'provider' : 'unknown';
    for (const url of canaries) {
      const answered = url === undefined ? undefined : await isAnswered(url);
      if (answered) return 'subject';
      if (answered === false) fault = 'provider';
    }
    return fault;
  };

  return {
    hasFailed: (url) => (failedUntil.get(url) ?? 0) > clock(),
    recordSuccess(url) {
      lastSuccess = url;
    },
    async attribute(url) {
      const now = clock();
      if (verdict === undefined || now - verdict.at >= CANARY_INTERVAL_MILLISECONDS) {
        verdict = { at: now, fault: askCanaries(url) };
      }
      const fault = await verdict.fault;
      if (fault === 'subject') failedUntil.set(url, now + SUBJECT_FAILURE_MILLISECONDS);
      return fault;
    },
  };
};
