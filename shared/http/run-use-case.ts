// Runs the use case of a request. REST and MCP share this order of steps:
// 1. authenticate: an unknown API key is rejected whatever else is wrong with the request
// 2. parse the input and choose the format: a wrong request charges nothing
// 3. execute: the request cache charges the caller, unless it has the answer (upstream/request-cache.ts)
// 4. present the result, and make it smaller until the response fits
// 5. settle: refund what a failed or wrong request charged
// The handler of a protocol writes the steps down from top to bottom, all but the first within `runFor`.
import { TRANSLATED_READS } from '../contract/allowances.ts';
import { EDGE_HEADERS } from '../contract/headers.ts';
import { parseInput, queryKeyOf, type RawParameters, type UseCaseInput } from '../contract/inputs.ts';
import type { DecodeCursor } from '../contract/parameters.ts';
import { Problem, problem, requestOutcome, sampleProblem } from '../contract/problems.ts';
import { type UseCase, type UseCaseName, type UseCaseOutput, useCases } from '../contract/use-cases.ts';
import { warning } from '../contract/warnings.ts';
import type { KeepRequest, KeptFile } from '../keep/keep-post.ts';
import type { Monotonic } from '../model/time.ts';
import type { AccessControl, Caller, FairUse } from '../ports/access-control.ts';
import type { HttpSettings } from '../ports/http.ts';
import type { Requester, UseCaseResult } from '../ports/upstream.ts';
import type { Html } from '../render/html/html.ts';
import type { PageService } from '../render/html/page.ts';
import type { Reading } from '../render/html/reading.ts';
import type { Presenter, View, ViewContext, Views } from '../render/presenters/view.ts';
import { type HttpEvent, type ReadFacts, type RequestState, requestHeader } from './event.ts';
import { recordCharge, recordingRequester, recordResult } from './request-log.ts';

// Authenticates the caller of a request (requirements: keys) before any parameter counts, and settles what was charged.

/** @returns undefined if nothing about the caller counts: the route ignores API keys and charges no allowance */
export const authenticate = (
  accessControl: AccessControl | undefined,
  event: HttpEvent,
  state: RequestState,
): Caller | undefined => {
  const { honoursKey = false, chargesAllowance = false } = state.route ?? {};
  if (accessControl === undefined || !(honoursKey || chargesAllowance)) return undefined;
  state.caller = accessControl.identify({
    authorization: honoursKey ? requestHeader(event, 'authorization') : undefined,
    ip: requestHeader(event, EDGE_HEADERS.viewerIp),
  });
  return state.caller;
};

type Attempt<T> = { readonly value: T } | { readonly error: unknown };

const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { value: await work() };
  } catch (error) {
    return { error }; // thrown again after the charges are settled
  }
};

/**
 * The key store is read while the work runs. A caller who is refused is rejected whatever else is wrong with the request; if
 * the refusal is known, the work does not start.
 *
 * @param caller undefined: no API key counts here, and nothing is charged
 * @param options.waitsForKey the work also charges the network, which does not wait for the API key. @default false
 * @throws the refusal of the caller, or whatever the work throws
 */
export const runAsCaller = async <T>(
  caller: Caller | undefined,
  work: () => Promise<T>,
  { waitsForKey = false } = {},
): Promise<T> => {
  if (caller === undefined) return work();
  const known = waitsForKey ? await caller.refusal : caller.refusal;
  const attempted = known instanceof Problem ? { error: known } : await attempt(work);
  const refusal = await caller.refusal;
  const result = refusal === undefined ? attempted : { error: refusal };
  await caller.settle('error' in result ? requestOutcome(result.error) : 'answered');
  if ('error' in result) throw result.error;
  return result.value;
};

type ResultOf<Name extends UseCaseName> = UseCaseResult<UseCaseOutput<Name>>;
type PresenterOf<Name extends UseCaseName> = Presenter<UseCaseOutput<Name>, Views[(typeof useCases)[Name]['resource']]>;

/** A use case and the presenter of its result. */
export interface UseCaseBinding<Name extends UseCaseName> {
  /** @param requester on whose behalf providers are called */
  execute(input: UseCaseInput<Name>, requester?: Requester): Promise<ResultOf<Name>>;
  readonly present: PresenterOf<Name>;
  /** A complete page with a form, for people who gave no input yet. */
  readonly presentForm?: (baseUrl: string, service: PageService, reading: Reading) => Html;
  /** Makes a file that readers keep. */
  keep?(request: KeepRequest<UseCaseOutput<Name>>, startedAt: Monotonic): Promise<KeptFile>;
}

/** Gives a use case its ports and its presenter. */
export const bind = <Input, Ports, Output, V extends View>(
  ports: Ports,
  useCase: (input: Input, ports: Ports, requester?: Requester) => Promise<UseCaseResult<Output>>,
  present: Presenter<Output, V>,
) => ({ execute: (input: Input, requester?: Requester) => useCase(input, ports, requester), present });

export type UseCaseBindings<Names extends UseCaseName> = {
  readonly [Name in Names]: UseCaseBinding<Name>;
};

/** The choices of a request that its forms show: the language of the reader, the threads of a feed. @param isUntranslated the service translates nothing */
export const readingOf = (
  input: UseCaseInput<UseCaseName>,
  isUntranslated = false,
): Pick<ViewContext, 'reading' | 'isMerged'> => ({
  isMerged: 'threads' in input && input.threads === 'merged',
  ...(!isUntranslated && {
    reading: {
      lang: 'lang' in input ? input.lang : undefined,
      translation: 'translation' in input ? input.translation : undefined,
    },
  }),
});

/** On whose behalf a request reads. */
export interface RequestContext {
  /** Unset: the use case charges no allowance. */
  readonly caller: Caller | undefined;
  /** The IP address of the client, as the edge saw it. */
  readonly clientIp: string | undefined;
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
  readonly settings: Pick<HttpSettings, 'isSample' | 'isUntranslated'>;
}

/** The reads that a request counts of the fair-use bound. Only of a post, a translator is asked. */
const readsOf = (input: object, { isUntranslated }: Pick<HttpSettings, 'isUntranslated'>): number =>
  'thread' in input && 'lang' in input && !isUntranslated ? TRANSLATED_READS : 1;

/** Charged before a provider is called: an allowance of the caller, or the fair-use bound. */
const requesterFor = (
  { allowance }: UseCase,
  input: object,
  { caller, clientIp, facts }: RequestContext,
  fairUse: FairUse | undefined,
  reads: number,
): Requester | undefined => {
  const isFairUse = allowance === 'fair-use';
  const requester = isFairUse
    ? fairUse?.requesterAt(clientIp, reads)
    : caller && {
        caller: caller.network,
        admit: () => caller.chargeAllowance(allowance, queryKeyOf(input)),
        admitReads: (count: number) => caller.chargeReads(allowance, queryKeyOf(input), count),
      };
  return requester && recordingRequester(requester, facts, isFairUse);
};

/** Marks sample data, so that people and models do not take it for statements about X. */
const asSample = <T>(result: UseCaseResult<T>): UseCaseResult<T> => ({
  ...result,
  warnings: [...result.warnings, warning('sample')],
});

/** The steps of every protocol. Each throws a Problem. */
export interface UseCaseRunner<Names extends UseCaseName> {
  /** Does the work of a request for its caller, and settles what it charged. */
  runFor<T>(context: RequestContext, work: () => Promise<T>): Promise<T>;
  parse<Name extends Names>(name: Name, parameters: RawParameters, baseUrl: string): UseCaseInput<Name>;
  execute<Name extends Names>(name: Name, input: UseCaseInput<Name>, context: RequestContext): Promise<ResultOf<Name>>;
  presenterOf<Name extends Names>(name: Name): PresenterOf<Name>;
  /** @param startedAt when the result was asked for @throws Problem `internal_error` if the use case has no files */
  keep<Name extends Names>(
    name: Name,
    request: KeepRequest<UseCaseOutput<Name>>,
    startedAt: Monotonic,
  ): Promise<KeptFile>;
}

export const createUseCaseRunner = <Names extends UseCaseName>({
  bindings,
  decodeCursor,
  fairUse,
  settings,
}: UseCaseDependencies<Names>): UseCaseRunner<Names> => ({
  async runFor({ caller, facts }, work) {
    try {
      return await runAsCaller(caller, work);
    } catch (error) {
      throw settings.isSample ? sampleProblem(error) : error;
    } finally {
      recordCharge(facts, caller);
    }
  },
  parse: <Name extends Names>(name: Name, parameters: RawParameters, baseUrl: string) =>
    parseInput(name, parameters, { baseUrl, decodeCursor }),
  async execute(name, input, context) {
    const reads = readsOf(input, settings);
    const result = await bindings[name].execute(input, requesterFor(useCases[name], input, context, fairUse, reads));
    recordResult(context.facts, result);
    return result;
  },
  presenterOf: <Name extends Names>(name: Name): PresenterOf<Name> => {
    const { present } = bindings[name];
    return settings.isSample ? (result, urls) => present(asSample(result), urls) : present;
  },
  async keep(name, request, startedAt) {
    const file = await bindings[name].keep?.(request, startedAt);
    if (file === undefined) throw problem('internal_error', { cause: `${name} has no files` });
    return file;
  },
});
