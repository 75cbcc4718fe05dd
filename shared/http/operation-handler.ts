// Creates the handlers of the Lambdas that serve operations.
import { EDGE_HEADERS } from '../contract/headers.ts';
import type { RawParameters } from '../contract/inputs.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import type { ListInput } from '../contract/list-inputs.ts';
import { negotiations } from '../contract/media-types.ts';
import type { UseCasesOfLambda } from '../contract/operations.ts';
import { LAYOUT_NOT_FOR_JSON } from '../contract/parameters.ts';
import { type Problem, problem } from '../contract/problems.ts';
import { type UseCase, type UseCaseInput, type UseCaseName, useCases } from '../contract/use-cases.ts';
import type { AccessControlPorts, Caller, FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Clock } from '../ports/system.ts';
import type { ViewUrls } from '../render/presenters/view.ts';
import { runAsCaller } from './as-caller.ts';
import { authenticate } from './authenticate.ts';
import { type HttpEvent, type HttpResult, headerOf, queryOf } from './event.ts';
import { fitResponse, responseBytes } from './fit-response.ts';
import { asksForForm, createFormPage } from './form-page.ts';
import { lifecycleHeaders } from './lifecycle-headers.ts';
import type { ExtraHeaders } from './middleware/response-headers.ts';
import { createRouteFinder, type OperationRoute } from './operation-routes.ts';
import { pageUrl, partUrl, versionedUrl } from './page-url.ts';
import { createPipeline, type LambdaHandler } from './pipeline.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { createRepresentation, type Representation } from './representation.ts';
import type { HandlerContext, RequestState } from './request-state.ts';
import { requireFormat } from './require-format.ts';
import { findUseCase, resolveUseCase } from './resolve-use-case.ts';
import { respond } from './respond.ts';
import { runUseCase, type UseCaseBinding, type UseCaseBindings, type UseCaseRequest } from './run-use-case.ts';
import { withSampleBar } from './sample-bar.ts';
import { withLambdaTimeout } from './with-timeout.ts';

const rawParameters = (event: HttpEvent, { operation, queryNames: names }: OperationRoute): RawParameters => {
  const query = queryOf(event);
  const parameters = new Map<string, readonly string[]>();
  for (const name of names) {
    const values = query.get(name);
    if (values !== undefined) parameters.set(name, values);
  }
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value !== undefined && name !== 'number') parameters.set(name, [value]);
  }
  for (const [name, value] of Object.entries(operation.fixed ?? {})) parameters.set(name, [value]);
  return parameters;
};

/** The use cases of a Lambda that charge an allowance. Those that accept API keys are among them. */
type ChargingUseCasesOf<Name extends LambdaName> = {
  [Key in UseCasesOfLambda<Name>]: (typeof useCases)[Key]['allowance'] extends 'fair-use' ? never : Key;
}[UseCasesOfLambda<Name>];

/** The use cases of a Lambda that charge no allowance. */
type FairUseUseCasesOf<Name extends LambdaName> = {
  [Key in UseCasesOfLambda<Name>]: (typeof useCases)[Key]['allowance'] extends 'fair-use' ? Key : never;
}[UseCasesOfLambda<Name>];

/** The ports of a Lambda. Cursors, access control and fair use are required only if one of its use cases needs them. */
export type OperationPorts<Name extends LambdaName> = HttpPorts &
  (Extract<UseCaseInput<UseCasesOfLambda<Name>>, ListInput> extends never ? unknown : CursorPorts) &
  (ChargingUseCasesOf<Name> extends never ? unknown : AccessControlPorts) &
  (FairUseUseCasesOf<Name> extends never ? unknown : FairUsePorts);

interface OperationRequest {
  readonly event: HttpEvent;
  readonly route: OperationRoute;
  readonly context: HandlerContext;
  readonly caller: Caller | undefined;
}

/** The Accept header chose JSON. Parameters are parsed without it. */
const layoutNotForJson = (): Problem =>
  problem('invalid_parameter', {
    errors: [{ parameter: 'layout', message: LAYOUT_NOT_FOR_JSON }],
    detail: `layout ${LAYOUT_NOT_FOR_JSON}.`,
  });

const createRequest = <Name extends UseCaseName>(
  requireBound: (name: UseCaseName) => Name,
  clock: Clock,
  { event, route, context, caller }: OperationRequest,
): UseCaseRequest<Name, Representation> => {
  const { operation, queryNames: names } = route;
  const { baseUrl, facts } = context.state;
  const parameters = rawParameters(event, route);
  const location = { baseUrl, path: operation.path, names, parameters };
  return {
    caller,
    clientAddress: headerOf(event, EDGE_HEADERS.viewerIp),
    baseUrl,
    facts,
    resolveUseCase: () => requireBound(resolveUseCase(operation, event)),
    parameters: () => parameters,
    createWriter(name, input) {
      const row: UseCase = useCases[name];
      const format =
        row.representation === 'json'
          ? 'json'
          : (input.format ?? requireFormat(event, negotiations[operation.surface]));
      const maxTokens = 'maxTokens' in input ? input.maxTokens : undefined;
      const layout = 'layout' in input ? input.layout : undefined;
      const part = 'part' in input ? input.part : undefined;
      const metrics = 'metrics' in input ? input.metrics : undefined;
      if (format === 'json' && layout === 'unrolled') throw layoutNotForJson();
      facts.form = row.resource === 'oembed' ? 'oembed' : format;
      const urls: ViewUrls = {
        baseUrl,
        pageUrl: (cursor) =>
          pageUrl(location, cursor === undefined ? { format: undefined, layout: undefined } : { cursor }),
        selfUrl: () => pageUrl(location, {}),
        ...('thread' in input && { partUrl: (number, partFormat) => partUrl(baseUrl, input, number, partFormat) }),
        nextUrl: (cursor) => versionedUrl(name, { baseUrl, parameters }, { cursor, format: undefined }),
      };
      return {
        urls,
        write: (result, present) =>
          fitResponse(result, {
            render: (shown) =>
              createRepresentation(row, present(shown), {
                now: clock(),
                format,
                maxTokens,
                layout,
                part,
                metrics,
                urls,
                isPermalink: operation.surface === 'permalink',
              }),
            bytesOf: ({ body }) => responseBytes(body),
          }),
      };
    },
    awaitExecution: (execution) => withLambdaTimeout(execution, context),
  };
};

/**
 * Creates the handler of a Lambda that serves operations.
 *
 * @param bindings one per use case of the Lambda; a missing or an additional one does not compile
 */
export const createOperationHandler = <Name extends LambdaName>(
  name: Name,
  ports: OperationPorts<Name>,
  bindings: UseCaseBindings<UseCasesOfLambda<Name>>,
): LambdaHandler => {
  const findRoute = createRouteFinder(name);
  const {
    settings,
    cursors,
    accessControl,
    fairUse,
  }: HttpPorts & Partial<CursorPorts & AccessControlPorts & FairUsePorts> = ports;
  const isBound = (useCase: UseCaseName): useCase is UseCasesOfLambda<Name> => Object.hasOwn(bindings, useCase);
  const requireBound = (useCase: UseCaseName): UseCasesOfLambda<Name> => {
    if (!isBound(useCase)) throw problem('internal_error', { cause: `${name} does not answer ${useCase}` });
    return useCase;
  };
  const dependencies = { bindings, decodeCursor: cursors?.decode, fairUse, settings };
  const formOf = (event: HttpEvent, { operation }: OperationRoute): ((baseUrl: string) => string) | undefined => {
    const useCase = asksForForm(event, operation) ? findUseCase(operation, event) : undefined;
    if (useCase === undefined) return undefined;
    const { presentForm }: Pick<UseCaseBinding<UseCaseName>, 'presentForm'> = bindings[requireBound(useCase)];
    return presentForm;
  };
  const answerWithForm = (html: string, { facts }: RequestState): Representation => {
    facts.form = 'html';
    return createFormPage(settings.isSample ? withSampleBar(html) : html);
  };
  const handleRequest = async (
    event: HttpEvent,
    route: OperationRoute,
    context: HandlerContext,
  ): Promise<HttpResult> => {
    const caller = authenticate(accessControl, event, context.state);
    const form = formOf(event, route);
    const representation =
      form === undefined
        ? await runUseCase(dependencies, createRequest(requireBound, ports.clock, { event, route, context, caller }))
        : await runAsCaller(caller, async () => answerWithForm(form(context.state.baseUrl), context.state));
    return respond(event, representation, {
      cacheTtlSeconds: settings.cacheTtlSeconds,
      facts: context.state.facts,
    });
  };
  const extraHeaders: ExtraHeaders = (state, event, { status }) => ({
    ...lifecycleHeaders(state.route, event, state.baseUrl),
    ...(accessControl && rateLimitHeaders(state, event, status, accessControl)),
  });
  return createPipeline(ports, { surface: name, findRoute, handleRequest, extraHeaders });
};
