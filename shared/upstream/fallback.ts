// Calls providers in order of preference until one gives a definite outcome.
//
// `found` and `gone` end the fallback. Every other outcome is inconclusive, so the next provider is called. That includes
// `refused`: what one provider rejects can be valid for another. A provider that is skipped counts as not configured; the
// result has a warning.
//
// If all providers were inconclusive, the outcomes are combined. An outage must never be reported as "not found". The
// result is `absent` only if the outcomes allow it for this kind of resource (AbsenceRule), and if the first provider with
// an `ambiguous` outcome still finds its canary. Otherwise the result is `failed` if every provider gave an unusable
// response, and `down` if at least one did not respond. Two results are only for lists: `refused` if all providers refused
// the request, and `ambiguous` if none of them found the list. No call runs longer than the deadline of the budget.
import { type WarningCode, warning } from '../contract/warnings.ts';
import { errorText } from '../model/json.ts';
import { elapsed, later, NEVER_BEFORE } from '../model/time.ts';
import type { Clock, Deadline, Log } from '../ports/system.ts';
import type { FailedOutcome, Outcome } from '../ports/upstream.ts';
import type { CallBudget } from './json-client.ts';

const CANARY_MILLISECONDS = 30_000;

/**
 * Checks if a provider finds its canary. If not, its "not found" answers are treated as an outage.
 *
 * @param baseUrl the one that gave the answer in doubt; unset: the provider has one base URL
 * @returns true if the provider finds the canary there
 */
export type Canary = (deadline: Deadline, baseUrl?: string) => Promise<boolean>;

export interface CanaryOptions {
  readonly clock: Clock;
  /** The maximum duration of a call. */
  readonly attemptMilliseconds: number;
  /** The time for which a positive result is valid, because a provider can fail at any time. @default 30 s */
  readonly foundMilliseconds?: number | undefined;
}

const createCanaryAt = (
  baseUrl: string | undefined,
  call: (budget: CallBudget) => Promise<Outcome<unknown>>,
  { clock, attemptMilliseconds, foundMilliseconds = CANARY_MILLISECONDS }: CanaryOptions,
): Canary => {
  let startedAt = NEVER_BEFORE;
  let pendingCheck: Promise<boolean> | undefined;
  let isFound: boolean | undefined;
  return async (deadline) => {
    const now = clock();
    const isOld = elapsed(startedAt, now) >= (isFound === true ? foundMilliseconds : CANARY_MILLISECONDS);
    if (!isOld && isFound !== undefined) return isFound;
    // A call with less than its full time could fail and give a wrong negative result.
    if (elapsed(now, deadline) < attemptMilliseconds) return false;
    if (isOld || pendingCheck === undefined) {
      startedAt = now;
      isFound = undefined;
      const only = baseUrl === undefined ? {} : { onlyBaseUrl: baseUrl };
      pendingCheck = call({ deadline: later(now, attemptMilliseconds), calls: { retries: 0 }, ...only }).then(
        ({ kind }) => {
          isFound = kind === 'found';
          return isFound;
        },
      );
    }
    return pendingCheck;
  };
};

/**
 * Requests the canary only if a failed outcome needs it. A positive result is valid for `foundMilliseconds`, a negative
 * result for 30 s.
 *
 * @param call never rejects
 */
export const createCanary = (
  call: (budget: CallBudget) => Promise<Outcome<unknown>>,
  options: CanaryOptions,
): Canary => {
  const checks = new Map<string | undefined, Canary>();
  return (deadline, baseUrl) => {
    const check = checks.get(baseUrl) ?? createCanaryAt(baseUrl, call, options);
    checks.set(baseUrl, check);
    return check(deadline);
  };
};

type FoundOutcome<T> = Extract<Outcome<T>, { readonly kind: 'found' }>;

export type ProviderCall<Request, T> = (request: Request, budget: CallBudget) => Promise<Outcome<T>>;

export interface FallbackSource<Request, T> {
  /** Never rejects. */
  readonly call: ProviderCall<Request, T>;
  /** Checks if the `ambiguous` outcomes of the provider can be trusted. */
  readonly canary?: Canary;
}

/** Converts an exception of a mapper to the outcome `failed` and logs it, so that the fallback continues. */
export const catchErrors =
  <Request, T>(call: ProviderCall<Request, T>, log: Log): ProviderCall<Request, T> =>
  async (request, budget) => {
    try {
      return await call(request, budget);
    } catch (error) {
      log({ level: 'error', event: 'upstream_bug', cause: errorText(error) });
      return { kind: 'failed', why: 'the answer was not understood' };
    }
  };

const withWarning = <T>(found: FoundOutcome<T>, code: WarningCode): FoundOutcome<T> => ({
  ...found,
  warnings: [...found.warnings, warning(code)],
});

/** Adds the warning `fallback_answered` to found results. */
export const markAsFallback =
  <Request, T>(call: ProviderCall<Request, T>): ProviderCall<Request, T> =>
  async (request, budget) => {
    const outcome = await call(request, budget);
    return outcome.kind === 'found' ? withWarning(outcome, 'fallback_answered') : outcome;
  };

/** An outcome after which another provider is called. */
type InconclusiveOutcome = Exclude<FailedOutcome, { kind: 'gone' }>;

/**
 * The outcomes that together mean `absent`, if the canary is found. All of them must be `absent` or `ambiguous`.
 * - `post`: at least one is `absent`
 * - `profile`: no further condition
 * - `list`: never; the combined outcome is `ambiguous`, because only the profile can explain it
 */
export type AbsenceRule = 'post' | 'profile' | 'list';

const isNotFound = ({ kind }: InconclusiveOutcome): boolean => kind === 'absent' || kind === 'ambiguous';

const mayBeAbsent = (outcomes: readonly InconclusiveOutcome[], absence: AbsenceRule): boolean =>
  outcomes.length > 0 &&
  outcomes.every(isNotFound) &&
  (absence === 'profile' || (absence === 'post' && outcomes.some(({ kind }) => kind === 'absent')));

/** Different kinds of outcomes give `down`, because a later request can succeed with another provider. */
const combineOutcomes = (outcomes: readonly InconclusiveOutcome[], absence: AbsenceRule): FailedOutcome => {
  if (outcomes.length === 0) return { kind: 'down', why: 'every provider was skipped' };
  const [first] = outcomes;
  if (absence === 'list' && first?.kind === 'refused' && outcomes.every(({ kind }) => kind === 'refused')) return first;
  if (absence === 'list' && outcomes.every(isNotFound)) return { kind: 'ambiguous' };
  const isUnusable = outcomes.every(({ kind }) => kind === 'failed' || kind === 'refused');
  const why = outcomes
    .map((outcome) => ('why' in outcome ? `${outcome.kind}: ${outcome.why}` : outcome.kind))
    .join('; ');
  return { kind: isUnusable ? 'failed' : 'down', why };
};

/**
 * @param sources in order of preference; they never reject
 * @returns a call that never rejects
 */
export const createFallback =
  <Request, T>(sources: readonly FallbackSource<Request, T>[], absence: AbsenceRule): ProviderCall<Request, T> =>
  async (request, budget) => {
    if (sources.length === 0) return { kind: 'down', why: 'no provider can do this', isUnsupported: true };
    const outcomes: InconclusiveOutcome[] = [];
    let isSkipped = false;
    let isCanaryFound: (() => Promise<boolean>) | undefined;
    for (const [index, { call, canary }] of sources.entries()) {
      const isLast = index === sources.length - 1;
      const outcome = await call(request, { ...budget, isLast });
      if (outcome.kind === 'found') return isSkipped ? withWarning(outcome, 'provider_skipped') : outcome;
      if (outcome.kind === 'gone') return outcome;
      if (outcome.kind === 'down' && outcome.isSkipped) {
        isSkipped = true;
        continue;
      }
      outcomes.push(outcome);
      if (outcome.kind === 'ambiguous' && canary !== undefined && isCanaryFound === undefined) {
        const { answeredBy } = budget.calls;
        isCanaryFound = () => canary(budget.deadline, answeredBy);
      }
    }
    if (mayBeAbsent(outcomes, absence) && (await isCanaryFound?.())) return { kind: 'absent' };
    return combineOutcomes(outcomes, absence);
  };
