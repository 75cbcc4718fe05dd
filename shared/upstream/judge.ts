// Judges a response by the outcome that the provider's mapper makes of it. Only a pool of addresses uses the judgement: it
// can ask another address. A response is mapped once.
import type { FailedOutcome } from '../ports/upstream.ts';
import type { Verdict } from './address-notes.ts';
import type { FetchResult } from './http-request.ts';
import type { CallBudget, JsonClient } from './json-client.ts';

/** An outcome, or what a mapper has instead of `found`. */
interface Interpretation {
  readonly kind: string;
  readonly isTooLarge?: true;
}

const verdicts: ReadonlyMap<string, Verdict> = new Map<FailedOutcome['kind'], Verdict>([
  ['ambiguous', 'doubtful'],
  ['absent', 'doubtful'],
  ['refused', 'doubtful'],
  ['failed', 'unusable'],
  ['down', 'unusable'],
]);

/** A response that is too large is the subject's fault: it would be so at every address. */
const verdictOf = ({ kind, isTooLarge }: Interpretation): Verdict =>
  isTooLarge === true ? 'usable' : (verdicts.get(kind) ?? 'usable');

/** @returns the interpretation of the response; rejects only if `interpret` throws */
export const getInterpreted = async <T extends Interpretation>(
  http: JsonClient,
  url: string,
  budget: CallBudget,
  interpret: (fetched: FetchResult) => T,
): Promise<T> => {
  const judged = new Map<FetchResult, T>();
  const fetched = await http.get(url, budget, (response) => {
    const interpretation = interpret(response);
    judged.set(response, interpretation);
    return verdictOf(interpretation);
  });
  return judged.get(fetched) ?? interpret(fetched);
};
