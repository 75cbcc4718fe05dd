// Spreads the calls of one provider over several base URLs that serve the same API.
//
// Each base URL has its own JSON client, so breakers, bulkheads and fault attribution per kind of query are its own. A call
// goes to the base URL with the fewest calls in flight relative to its weight; of equal ones, one is chosen at random by
// weight. The further calls of a request go to the base URL that answered it before.
//
// After an inconclusive result the next base URL is called, within the deadline of the request. Inconclusive is a failure,
// a response that the mapper of the provider cannot use, and also a "not found", which a faulty server says of everything.
// A call ends after two inconclusive responses or three base URLs. A call that the provider drops is repeated at another base
// URL if there is one, else at the same; it proves nothing about either. In an outage it waits for the probe of one half-open
// breaker only. If one base URL answers what another could not, the other is at fault: its breaker counts a failure without
// a canary. fallback.ts requests a canary at the base URL that said "not found".
import type { ProviderBaseUrl } from '../contract/providers.ts';
import type { FailedOutcome } from '../ports/upstream.ts';
import type { FetchResult } from './http-request.ts';
import {
  type BaseUrlClient,
  type CallBudget,
  countRepeat,
  type JsonClient,
  type Query,
  type SentCall,
  STARVED,
} from './json-client.ts';

const MAX_CALLS = 3;
/** One that agrees with another one is believed. */
const MAX_INCONCLUSIVE_RESPONSES = 2;

export type CalledBaseUrl = ProviderBaseUrl & { readonly client: BaseUrlClient };

type BaseUrlState = CalledBaseUrl & { inFlight: number };

interface Answer {
  readonly baseUrl: string;
  readonly sent: SentCall;
}

const NOT_CALLED: FetchResult = { kind: 'down', why: 'no base URL may be called' };

/** The result is about the base URL, whatever the others answer. */
const isAboutBaseUrl = ({ attempt: { health } }: SentCall): boolean => health === 'failure' || health === 'throttled';

const isResponse = ({ sent }: Answer): boolean => sent.attempt.fetched.kind === 'response';

const load = ({ inFlight, weight }: BaseUrlState): number => inFlight / weight;

/** @param baseUrls the URLs of the queries begin with the first one @param random uniform in [0, 1) */
export const createBaseUrls = (baseUrls: readonly CalledBaseUrl[], random: () => number): JsonClient => {
  const states: readonly BaseUrlState[] = baseUrls.map((row) => ({ ...row, inFlight: 0 }));
  const prefix = states[0]?.baseUrl.length ?? 0;
  const queryAt = ({ baseUrl }: BaseUrlState, { kind, url }: Query): Query => ({
    kind,
    url: `${baseUrl}${url.slice(prefix)}`,
  });

  const choose = (candidates: readonly BaseUrlState[], preferred: string | undefined): BaseUrlState | undefined => {
    const least = Math.min(...candidates.map(load));
    const idle = candidates.filter((candidate) => load(candidate) === least);
    let left = random() * idle.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = idle.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    return candidates.find(({ baseUrl }) => baseUrl === preferred) ?? chosen;
  };

  /** @returns the answers of the base URLs; the last one is conclusive, or none is */
  const callInTurn = async (
    query: Query,
    budget: CallBudget,
    isConclusive: (fetched: FetchResult) => boolean,
  ): Promise<{ readonly answers: readonly Answer[]; readonly isAnswered: boolean }> => {
    const answers: Answer[] = [];
    const called = new Set<BaseUrlState>();
    let inconclusive = 0;
    let isRepeated = false;
    while (isRepeated || (called.size < MAX_CALLS && inconclusive < MAX_INCONCLUSIVE_RESPONSES)) {
      const callable = states.filter(
        (state) =>
          (budget.onlyBaseUrl ?? state.baseUrl) === state.baseUrl &&
          // A request may repeat its own probe.
          state.client.mayCall(
            queryAt(state, query),
            budget,
            answers.length === 0 || (isRepeated && called.has(state)),
          ),
      );
      const others = callable.filter((state) => !called.has(state));
      const isRepeat = isRepeated;
      const candidates = isRepeat && others.length === 0 ? callable : others;
      isRepeated = false;
      const state = choose(candidates, budget.calls.answeredBy);
      if (state === undefined) break;
      called.add(state);
      if (answers.length > 0 && !isRepeat) countRepeat(budget.calls);
      const isLast = budget.isLast === true && (candidates.length === 1 || called.size === MAX_CALLS);
      state.inFlight += 1;
      const sent = await state.client.send(queryAt(state, query), { ...budget, isLast });
      state.inFlight -= 1;
      if ('why' in sent) {
        if (sent.why === STARVED.why) break;
        continue;
      }
      answers.push({ baseUrl: state.baseUrl, sent });
      if (isConclusive(sent.attempt.fetched)) return { answers, isAnswered: true };
      if (isAboutBaseUrl(sent)) sent.settle();
      isRepeated = await state.client.mayRepeat(queryAt(state, query), sent, budget);
      if (!isRepeated && sent.attempt.fetched.kind === 'response') inconclusive += 1;
    }
    return { answers, isAnswered: false };
  };

  return {
    async get(query, budget, isConclusive = ({ kind }) => kind === 'response') {
      const { answers, isAnswered } = await callInTurn(query, budget, isConclusive);
      const last = isAnswered ? answers.at(-1) : undefined;
      for (const { sent } of answers) {
        if (sent === last?.sent) sent.settle();
        else if (!isAboutBaseUrl(sent)) isAnswered && !sent.isFailedCall ? sent.blame() : sent.settle();
      }
      // A later request can succeed if one base URL was down.
      const answer =
        last ?? answers.find(isResponse) ?? answers.find(({ sent }) => sent.attempt.fetched.kind === 'down');
      budget.calls.answeredBy = answer?.baseUrl;
      if (answer === undefined && budget.calls.isStarved) return STARVED;
      return (answer ?? answers[0])?.sent.attempt.fetched ?? NOT_CALLED;
    },
  };
};

/** An outcome, or what a mapper has instead of `found`. */
interface Interpretation {
  readonly kind: string;
  readonly isTooLarge?: true;
}

const INCONCLUSIVE: ReadonlySet<string> = new Set<FailedOutcome['kind']>([
  'ambiguous',
  'absent',
  'refused',
  'failed',
  'down',
]);

/** Maps a response once. @returns the interpretation of the response; rejects only if `interpret` throws */
export const getInterpreted = async <Kind extends string, T extends Interpretation>(
  http: JsonClient<Kind>,
  query: Query<Kind>,
  budget: CallBudget,
  interpret: (fetched: FetchResult) => T,
): Promise<T> => {
  const interpretations = new Map<FetchResult, T>();
  const fetched = await http.get(query, budget, (response) => {
    try {
      const interpretation = interpret(response);
      interpretations.set(response, interpretation);
      // A response that is too large is the resource's fault: it would be so at every base URL.
      return interpretation.isTooLarge === true || !INCONCLUSIVE.has(interpretation.kind);
    } catch {
      return false; // a bug of the mapper, or a response made to find one; the caller logs it if no base URL does better
    }
  });
  return interpretations.get(fetched) ?? interpret(fetched);
};
