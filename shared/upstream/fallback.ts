// Calls providers in order of preference until one gives a definite outcome.
//
// Each base URL of a provider is an entry of the chain. The reads of a provider begin at one of its base URLs, chosen at
// random. While another one follows, a failed call is neither repeated nor asked in a second way. A read ends after three
// base URLs, or after two that answer without the resource: one that agrees with another one is believed. If the last one
// fails, one that answers is asked again, in every way. The base URLs of a provider have one outcome: the likeliest.
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
import type { CallBudget, RequestCalls } from './json-client.ts';

const CANARY_MILLISECONDS = 30_000;

/** Checks if a base URL finds its canary. If not, its "not found" answers are treated as an outage. */
export type Canary = (deadline: Deadline) => Promise<boolean>;

export interface CanaryOptions {
  readonly clock: Clock;
  /** The maximum duration of a call. */
  readonly attemptMilliseconds: number;
  /** The time for which a positive result is valid, because a provider can fail at any time. @default 30 s */
  readonly foundMilliseconds?: number | undefined;
}

/**
 * Requests the canary only if a failed outcome needs it. A positive result is valid for `foundMilliseconds`, a negative
 * result for 30 s.
 *
 * @param call never rejects
 */
export const createCanary = (
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
      pendingCheck = call({ deadline: later(now, attemptMilliseconds), calls: { retries: 0 } }).then(({ kind }) => {
        isFound = kind === 'found';
        return isFound;
      });
    }
    return pendingCheck;
  };
};

type FoundOutcome<T> = Extract<Outcome<T>, { readonly kind: 'found' }>;

export type ProviderCall<Request, T> = (request: Request, budget: CallBudget) => Promise<Outcome<T>>;

/** One base URL of a provider. */
export interface FallbackSource<Request, T> {
  /** The name of the provider. */
  readonly provider: string;
  /** Never rejects. */
  readonly call: ProviderCall<Request, T>;
  /** Checks if the `ambiguous` outcomes of the base URL can be trusted. */
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

/** The most base URLs that are called for one read, and the most that may answer without the resource. */
const MAX_CALLED = 3;
const MAX_RESPONSES = 2;

interface Answer<Request, T> {
  readonly source: FallbackSource<Request, T>;
  readonly outcome: Outcome<T>;
  readonly latest: RequestCalls['latest'];
  /** The failed calls were repeated, and asked in a second way. */
  readonly isWhole: boolean;
}

/** The same at every base URL, or about the caller. */
const isConclusive = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'found' ||
  outcome.kind === 'gone' ||
  (outcome.kind === 'failed' && outcome.isTooLarge === true) ||
  (outcome.kind === 'down' && outcome.isStarved === true);

const isResponse = ({ outcome }: Answer<never, unknown>): boolean => outcome.kind !== 'down';

const isSent = ({ latest }: Answer<never, unknown>): boolean => latest !== undefined;

/** How much another call to the base URL promises. */
const promiseOf = (answer: Answer<never, unknown>): number => {
  if (isResponse(answer) || answer.latest === 'answered') return 2;
  return isSent(answer) ? 1 : 0;
};

/** A later request can succeed if one base URL was down. */
const LIKELIEST: readonly Outcome<never>['kind'][] = ['ambiguous', 'absent', 'refused', 'down', 'failed'];

const rankOf = ({ outcome }: Answer<never, unknown>): number => LIKELIEST.indexOf(outcome.kind);

const isSpent = ({ repeats }: RequestCalls): boolean => repeats !== undefined && repeats.left <= 0;

/** @returns the same sources, beginning with one chosen at random */
const rotated = <Source>(sources: readonly Source[], random: () => number): readonly Source[] => {
  const start = sources.length > 1 ? Math.floor(random() * sources.length) : 0;
  return [...sources.slice(start), ...sources.slice(0, start)];
};

/** Asks the base URLs of one provider. @param sources at least one @returns the answer of one of them; never rejects */
export const askProvider = async <Request, T>(
  sources: readonly FallbackSource<Request, T>[],
  request: Request,
  budget: CallBudget,
  random: () => number,
): Promise<Pick<Answer<Request, T>, 'source' | 'outcome'>> => {
  const { calls } = budget;
  const answers: Answer<Request, T>[] = [];
  const ask = async (source: FallbackSource<Request, T>, hasNextBaseUrl: boolean): Promise<Answer<Request, T>> => {
    calls.isFurther = answers.some(isSent);
    calls.latest = undefined;
    const isLast = budget.isLast === true && !hasNextBaseUrl;
    const outcome = await source.call(request, { ...budget, isLast, hasNextBaseUrl });
    const answer = { source, outcome, latest: calls.latest, isWhole: !hasNextBaseUrl };
    answers.push(answer);
    return answer;
  };
  const turns = rotated(sources, random);
  for (const [index, source] of turns.entries()) {
    const responses = answers.filter(isResponse).length;
    const sent = answers.filter(isSent).length;
    if (responses === MAX_RESPONSES || sent === MAX_CALLED || (sent > 0 && isSpent(calls))) break;
    const hasNext = index < turns.length - 1 && responses === 0 && sent < MAX_CALLED - 1;
    const answer = await ask(source, hasNext);
    if (isConclusive(answer.outcome)) return answer;
  }
  const [best] = answers.toSorted((a, b) => promiseOf(b) - promiseOf(a));
  if (best === undefined) throw new Error('a provider without a base URL');
  const isAsked = answers.some((answer) => answer.isWhole && promiseOf(answer) >= promiseOf(best));
  if (!isAsked && promiseOf(best) > 0 && !isSpent(calls)) {
    const again = await ask(best.source, false);
    if (isConclusive(again.outcome)) return again;
  }
  return answers.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? best;
};

/**
 * @param sources in order of preference; they never reject
 * @param random uniform in [0, 1)
 * @returns a call that never rejects
 */
export const createFallback = <Request, T>(
  sources: readonly FallbackSource<Request, T>[],
  absence: AbsenceRule,
  random: () => number,
): ProviderCall<Request, T> => {
  const providers = [...Map.groupBy(sources, ({ provider }) => provider).values()];
  return async (request, budget) => {
    if (providers.length === 0) return { kind: 'down', why: 'no provider can do this', isUnsupported: true };
    const outcomes: InconclusiveOutcome[] = [];
    let isSkipped = false;
    let canaryInDoubt: Canary | undefined;
    for (const [index, baseUrls] of providers.entries()) {
      const isLast = index === providers.length - 1;
      const { source, outcome } = await askProvider(baseUrls, request, { ...budget, isLast }, random);
      if (outcome.kind === 'found') return isSkipped ? withWarning(outcome, 'provider_skipped') : outcome;
      if (outcome.kind === 'gone') return outcome;
      if (outcome.kind === 'down' && outcome.isSkipped) {
        isSkipped = true;
        continue;
      }
      outcomes.push(outcome);
      if (outcome.kind === 'ambiguous') canaryInDoubt ??= source.canary;
    }
    if (mayBeAbsent(outcomes, absence) && (await canaryInDoubt?.(budget.deadline))) return { kind: 'absent' };
    return combineOutcomes(outcomes, absence);
  };
};
