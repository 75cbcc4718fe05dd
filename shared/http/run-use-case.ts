// Runs the use case of a request. REST and MCP share this order of steps:
// 1. authenticate: an unknown API key is rejected whatever else is wrong with the request
// 2. parse the input and choose the format: a wrong request charges nothing
// 3. execute: the use case charges the caller before it calls a provider
// 4. present the result, and make it smaller until the response fits
// 5. settle: refund what a failed or wrong request charged
// The handler of a protocol writes the steps down from top to bottom, within `runFor`.
import { type RawParameters, subjectOf } from '../contract/inputs.ts';
import type { DecodeCursor } from '../contract/parameters.ts';
import { parseInput } from '../contract/parse-input.ts';
import { sampleProblem } from '../contract/problems.ts';
import {
  type UseCase,
  type UseCaseInput,
  type UseCaseName,
  type UseCaseOutput,
  useCases,
} from '../contract/use-cases.ts';
import type { Caller, FairUse } from '../ports/access-control.ts';
import type { HttpSettings } from '../ports/http.ts';
import type { Requester, UseCaseResult } from '../ports/upstream.ts';
import type { Presenter, Views } from '../render/presenters/view.ts';
import { runAsCaller } from './caller.ts';
import { presentSample } from './present-sample.ts';
import { type ReadFacts, recordCharge, recordingRequester, recordResult } from './read-facts.ts';

type ResultOf<Name extends UseCaseName> = UseCaseResult<UseCaseOutput<Name>>;
type PresenterOf<Name extends UseCaseName> = Presenter<UseCaseOutput<Name>, Views[(typeof useCases)[Name]['resource']]>;

/** A use case and the presenter of its result. */
export interface UseCaseBinding<Name extends UseCaseName> {
  /** @param requester on whose behalf providers are called */
  execute(input: UseCaseInput<Name>, requester?: Requester): Promise<ResultOf<Name>>;
  readonly present: PresenterOf<Name>;
  /** A complete HTML page with a form, for people who gave no input yet. */
  readonly presentForm?: (baseUrl: string) => string;
}

export type UseCaseBindings<Names extends UseCaseName> = {
  readonly [Name in Names]: UseCaseBinding<Name>;
};

/** On whose behalf a request reads. */
export interface RequestContext {
  /** Unset: the route ignores API keys. */
  readonly caller: Caller | undefined;
  /** The IP address of the client, as the edge saw it. */
  readonly clientAddress: string | undefined;
  readonly baseUrl: string;
  /** Records what happens. */
  readonly facts: ReadFacts;
}

export interface UseCaseDependencies<Names extends UseCaseName> {
  readonly bindings: UseCaseBindings<Names>;
  /** Unset: no use case takes a cursor. */
  readonly decodeCursor: DecodeCursor | undefined;
  /** Unset: every use case charges an allowance. */
  readonly fairUse: FairUse | undefined;
  readonly settings: Pick<HttpSettings, 'isSample'>;
}

/** Charged before a provider is called: an allowance of the caller, or the fair-use bound. */
const requesterFor = (
  { allowance }: UseCase,
  input: object,
  { caller, clientAddress, facts }: RequestContext,
  fairUse: FairUse | undefined,
): Requester | undefined => {
  const isFairUse = allowance === 'fair-use';
  const requester = isFairUse
    ? fairUse?.requesterAt(clientAddress)
    : caller && { caller: caller.network, admit: () => caller.chargeAllowance(allowance, subjectOf(input)) };
  return requester && recordingRequester(requester, facts, isFairUse);
};

/** The steps of every protocol. Each throws a Problem. */
export interface UseCaseRunner<Names extends UseCaseName> {
  /** Does the work of a request for its caller, and settles what it charged. */
  runFor<T>(context: RequestContext, work: () => Promise<T>): Promise<T>;
  parse<Name extends Names>(name: Name, parameters: RawParameters, baseUrl: string): UseCaseInput<Name>;
  execute<Name extends Names>(name: Name, input: UseCaseInput<Name>, context: RequestContext): Promise<ResultOf<Name>>;
  presenterOf<Name extends Names>(name: Name): PresenterOf<Name>;
}

export const createUseCaseRunner = <Names extends UseCaseName>({
  bindings,
  decodeCursor,
  fairUse,
  settings: { isSample },
}: UseCaseDependencies<Names>): UseCaseRunner<Names> => ({
  async runFor({ caller, facts }, work) {
    try {
      return await runAsCaller(caller, work);
    } catch (error) {
      throw isSample ? sampleProblem(error) : error;
    } finally {
      recordCharge(facts, caller);
    }
  },
  parse: <Name extends Names>(name: Name, parameters: RawParameters, baseUrl: string) =>
    parseInput<(typeof useCases)[Name]['input']>(useCases[name].input, parameters, { baseUrl, decodeCursor }),
  async execute(name, input, context) {
    const result = await bindings[name].execute(input, requesterFor(useCases[name], input, context, fairUse));
    recordResult(context.facts, result);
    return result;
  },
  presenterOf: (name) => (isSample ? presentSample(bindings[name].present) : bindings[name].present),
});
