// Runs one use case for one request. REST and MCP share this order of steps:
// 1. authenticate: an unknown API key is rejected whatever else is wrong with the request
// 2. parse the input and choose the format: a wrong request charges nothing
// 3. execute: the use case charges the caller before it calls a provider
// 4. present the result, and make it smaller until the response fits
// 5. settle: refund what a failed or wrong request charged
import type { RawParameters } from '../contract/inputs.ts';
import type { DecodeCursor } from '../contract/parameters.ts';
import { parseInput } from '../contract/parse-input.ts';
import { sampleProblem } from '../contract/problems.ts';
import { type UseCaseInput, type UseCaseName, type UseCaseOutput, useCases } from '../contract/use-cases.ts';
import type { Caller, FairUse } from '../ports/access-control.ts';
import type { HttpSettings } from '../ports/http.ts';
import type { Requester, UseCaseResult } from '../ports/upstream.ts';
import type { Presenter, Views, ViewUrls } from '../render/presenters/view.ts';
import { runAsCaller } from './as-caller.ts';
import { presentSample } from './present-sample.ts';
import { type ReadFacts, recordCharge, recordResult } from './read-facts.ts';
import { requesterFor } from './requester.ts';

type ResultOf<Name extends UseCaseName> = UseCaseResult<UseCaseOutput<Name>>;
type ViewOf<Name extends UseCaseName> = Views[(typeof useCases)[Name]['resource']];

/** A use case and the presenter of its result. */
export interface UseCaseBinding<Name extends UseCaseName> {
  /** @param requester on whose behalf providers are called */
  execute(input: UseCaseInput<Name>, requester?: Requester): Promise<ResultOf<Name>>;
  readonly present: Presenter<UseCaseOutput<Name>, ViewOf<Name>>;
  /** A complete HTML page with a form, for people who gave no input yet. */
  readonly presentForm?: (baseUrl: string) => string;
}

export type UseCaseBindings<Names extends UseCaseName> = {
  readonly [Name in Names]: UseCaseBinding<Name>;
};

/** How a protocol writes the result of one request. */
export interface ResponseWriter<Name extends UseCaseName, Response> {
  readonly urls: ViewUrls;
  /**
   * Writes the whole result or, if the response would be too large, a part of it.
   *
   * @param present pure
   */
  write(result: ResultOf<Name>, present: (part: ResultOf<Name>) => ViewOf<Name>): Response;
}

/** One request, as its protocol states it. The methods throw a Problem if the request is wrong. */
export interface UseCaseRequest<Name extends UseCaseName, Response> {
  /** Unset: the route ignores API keys. */
  readonly caller: Caller | undefined;
  /** The IP address of the client, as the edge saw it. */
  readonly clientAddress: string | undefined;
  readonly baseUrl: string;
  /** Records what happens. */
  readonly facts: ReadFacts;
  resolveUseCase(): Name;
  parameters(name: Name): RawParameters;
  createWriter(name: Name, input: UseCaseInput<Name>): ResponseWriter<Name, Response>;
  /** Waits for the execution of the use case, such as with a time limit. @default only waits */
  readonly awaitExecution?: <T>(execution: Promise<T>) => Promise<T>;
}

export interface UseCaseDependencies<Names extends UseCaseName> {
  readonly bindings: UseCaseBindings<Names>;
  /** Unset: no use case takes a cursor. */
  readonly decodeCursor: DecodeCursor | undefined;
  /** Unset: every use case charges an allowance. */
  readonly fairUse: FairUse | undefined;
  readonly settings: Pick<HttpSettings, 'isSample'>;
}

/** @throws Problem */
export const runUseCase = async <Name extends UseCaseName, Response>(
  { bindings, decodeCursor, fairUse, settings }: UseCaseDependencies<Name>,
  request: UseCaseRequest<Name, Response>,
): Promise<Response> => {
  const { caller, clientAddress, baseUrl, facts, awaitExecution = (execution) => execution } = request;
  const run = async (): Promise<Response> => {
    const name = request.resolveUseCase();
    const row: (typeof useCases)[Name] = useCases[name];
    const binding: UseCaseBinding<Name> = bindings[name];
    const input = parseInput<(typeof useCases)[Name]['input']>(row.input, request.parameters(name), {
      baseUrl,
      decodeCursor,
    });
    const { urls, write } = request.createWriter(name, input);
    const requester = requesterFor(row, input, { fairUse, caller, clientAddress, facts });
    const result = await awaitExecution(binding.execute(input, requester));
    recordResult(facts, result);
    const { present } = binding;
    const presenter = settings.isSample ? presentSample(present) : present;
    return write(result, (part) => presenter(part, urls));
  };
  try {
    return await runAsCaller(caller, run);
  } catch (error) {
    throw settings.isSample ? sampleProblem(error) : error;
  } finally {
    recordCharge(facts, caller);
  }
};
