// Creates the handlers of the Lambdas that serve operations.
import { EDGE_HEADERS } from '../contract/headers.ts';
import type { RawParameters, UseCaseInput } from '../contract/inputs.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import type { ListInput } from '../contract/list-inputs.ts';
import { type Format, isFeedFormat, type KeptForm } from '../contract/media-types.ts';
import type { UseCasesOfLambda } from '../contract/operations.ts';
import {
  DOWNLOAD_IS_FOR_PAGES,
  LAYOUT_NOT_FOR_JSON,
  type ParameterName,
  THREADS_FOR_FEEDS,
} from '../contract/parameters.ts';
import { type Problem, problem } from '../contract/problems.ts';
import { type UseCase, type UseCaseName, useCases } from '../contract/use-cases.ts';
import { canonicalHandles, HANDLE_LIST } from '../model/handle.ts';
import { definedMembers } from '../model/json.ts';
import { isLoopback } from '../model/loopback.ts';
import type { AccessControlPorts, FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import { pageOf } from '../render/presenters/serialize.ts';
import type { ViewContext } from '../render/presenters/view.ts';
import { negotiateFormat } from './content-negotiation.ts';
import type { HandlerContext } from './event.ts';
import { type HttpEvent, type HttpResult, queryOf, requestHeader, requireFormat } from './event.ts';
import { fitResponse, responseBytes } from './fit-response.ts';
import type { FindErrorPage } from './middleware/problem-responses.ts';
import type { ExtraHeaders } from './middleware/response-headers.ts';
import {
  createRouteFinder,
  lifecycleHeaders,
  type OperationRoute,
  pageUrl,
  partUrl,
  rateLimitHeaders,
  resolveUseCase,
  versionedUrl,
} from './operation-routes.ts';
import { pageHeaders } from './page-headers.ts';
import { createPipeline, type LambdaHandler, withLambdaTimeout } from './pipeline.ts';
import { type RedirectRoute, redirectTo, redirectToId } from './redirect.ts';
import { createRepresentation, keptRepresentation, type Representation, respond } from './representation.ts';
import { requestedReading } from './requested-reading.ts';
import {
  authenticate,
  createUseCaseRunner,
  type RequestContext,
  readingOf,
  type UseCaseBinding,
  type UseCaseBindings,
} from './run-use-case.ts';

// Answers people who open a page without the parameter that it needs: with a form instead of a problem. The page is the
// same for everyone, so it is cached like a document, charges nothing and calls no provider.

/** @returns true if the parameter is absent or blank, `format` is absent, and Accept selects HTML */
const asksForForm = (event: HttpEvent, { operation: { formFor }, negotiationOf }: OperationRoute): boolean => {
  if (formFor === undefined) return false;
  const query = queryOf(event);
  const values = query.get(formFor) ?? [];
  return (
    values.length <= 1 &&
    values.every((value) => value.trim() === '') &&
    !query.has('format') &&
    negotiateFormat(requestHeader(event, 'accept'), negotiationOf(event)) === 'html'
  );
};

const isHandleList = ([, first]: readonly string[]): boolean => first === HANDLE_LIST;

/** URLs of pages have the parameters, so each set of handles has one spelling. */
const rawParameters = (event: HttpEvent, { operation, queryNames: names, segments }: OperationRoute): RawParameters => {
  const query = queryOf(event);
  const parameters = new Map<string, readonly string[]>();
  for (const name of names) {
    const values = query.get(name);
    if (values !== undefined) parameters.set(name, values);
  }
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value !== undefined && name !== 'number') parameters.set(isHandleList(segments) ? 'handles' : name, [value]);
  }
  const [handles = '', ...more] = parameters.get('handles') ?? [];
  const canonical = more.length === 0 ? canonicalHandles(handles) : '';
  if (canonical !== '') parameters.set('handles', [canonical]);
  for (const [name, value] of Object.entries(operation.fixed ?? {})) parameters.set(name, [value]);
  return parameters;
};

/** The charges of a Lambda's use cases. */
type ChargesOf<Name extends LambdaName> = (typeof useCases)[UseCasesOfLambda<Name>]['allowance'];

/** The ports of a Lambda. Cursors, access control and fair use are required only if one of its use cases needs them. */
export type OperationPorts<Name extends LambdaName> = HttpPorts &
  (Extract<UseCaseInput<UseCasesOfLambda<Name>>, ListInput> extends never ? unknown : CursorPorts) &
  (ChargesOf<Name> extends 'fair-use' ? unknown : AccessControlPorts) &
  ('fair-use' extends ChargesOf<Name> ? FairUsePorts : unknown);

/** Accept or `format` chose another format than the parameter is for. Parameters are parsed without Accept. */
const notForFormat = (parameter: ParameterName, message: string): Problem =>
  problem('invalid_parameter', { errors: [{ parameter, message }], detail: `${parameter} ${message}.` });

/** @returns the number in an address such as `/jack/status/20/photo/2` */
const photoOf = ({ pathParameters }: HttpEvent, { segments }: OperationRoute): number | undefined =>
  segments.includes('photo') ? Number(pathParameters?.['number']) : undefined;

type ReadInput = UseCaseInput<UseCaseName>;

/** The options of serializers that inputs have. */
const optionsOf = (input: ReadInput) => ({
  maxTokens: 'maxTokens' in input ? input.maxTokens : undefined,
  layout: 'layout' in input ? input.layout : undefined,
  part: 'part' in input ? input.part : undefined,
  metrics: 'metrics' in input ? input.metrics : undefined,
});

/** @throws Problem `not_acceptable`, or `invalid_parameter` if the layout, the threads or the download have no such format */
const formatFor = (event: HttpEvent, { negotiationOf }: OperationRoute, row: UseCase, input: ReadInput): Format => {
  const format = row.representation === 'json' ? 'json' : (input.format ?? requireFormat(event, negotiationOf(event)));
  if (format === 'json' && 'layout' in input && input.layout === 'unrolled')
    throw notForFormat('layout', LAYOUT_NOT_FOR_JSON);
  if (!isFeedFormat(format) && 'threads' in input && input.threads === 'merged')
    throw notForFormat('threads', THREADS_FOR_FEEDS);
  if (format !== 'html' && 'download' in input) throw notForFormat('download', DOWNLOAD_IS_FOR_PAGES);
  return format;
};

/** @returns undefined: the answer is no file that readers keep */
const keptFormOf = (format: Format, input: ReadInput): KeptForm | undefined => {
  if (format === 'epub' || format === 'csl') return format;
  return format === 'html' && 'download' in input ? format : undefined;
};

/** A file that is kept outlives a service on the machine itself, and is read on others. A part of a note leads to the others. */
const isKept = (format: Format, input: ReadInput): boolean => {
  const { maxTokens, part } = optionsOf(input);
  return (
    keptFormOf(format, input) !== undefined || (format === 'obsidian' && maxTokens === undefined && part === undefined)
  );
};

/** What a page says of its list. @param first the URL of the first page */
const listRequest = (input: ReadInput, first: () => string): Pick<ViewContext, 'request'> =>
  'limit' in input
    ? {
        request: {
          limit: input.limit,
          first: input.position === undefined ? undefined : first(),
          hasReposts: 'reposts' in input && input.reposts === 'include',
          order: 'order' in input ? input.order : undefined,
          handle: 'handle' in input ? input.handle : undefined,
        },
      }
    : {};

const urlsFor = (
  name: UseCaseName,
  input: ReadInput,
  { operation, queryNames: names }: OperationRoute,
  { baseUrl, parameters }: { readonly baseUrl: string; readonly parameters: RawParameters },
): ViewContext => {
  const location = { baseUrl, path: operation.path, names, parameters };
  const itself = { format: undefined, layout: undefined };
  return {
    baseUrl,
    pageUrl: (cursor) => pageUrl(location, cursor === undefined ? itself : { cursor }),
    ...listRequest(input, () => pageUrl(location, { ...itself, cursor: undefined })),
    selfUrl: () => pageUrl(location, {}),
    ...('thread' in input && { partUrl: (number, format) => partUrl(baseUrl, input, number, format) }),
    nextUrl: (cursor) => versionedUrl(name, { baseUrl, parameters }, { cursor, format: undefined }),
  };
};

/** The URLs of a document that is read where no service is: those of its pages are paths, which lead to X. */
const withoutService = ({ baseUrl, pageUrl: urlOf, reading, isMerged, service }: ViewContext): ViewContext => ({
  ...definedMembers({ reading, isMerged, service }),
  baseUrl,
  isAlone: true,
  pageUrl: () => urlOf().slice(baseUrl.length),
});

/**
 * Creates the handler of a Lambda that serves operations.
 *
 * @param bindings one per use case of the Lambda; a missing or an additional one does not compile
 * @param findErrorPage unset: no person opens the routes
 */
export const createOperationHandler = <Name extends LambdaName>(
  name: Name,
  ports: OperationPorts<Name>,
  bindings: UseCaseBindings<UseCasesOfLambda<Name>>,
  findErrorPage?: FindErrorPage,
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
  const runner = createUseCaseRunner({ bindings, decodeCursor: cursors?.decode, fairUse, settings });

  const answer = async (
    event: HttpEvent,
    route: OperationRoute,
    context: HandlerContext,
    requestContext: RequestContext,
  ): Promise<Representation> => {
    const { baseUrl, facts } = requestContext;
    const name = requireBound(resolveUseCase(route.operation, event));
    const { presentForm }: Pick<UseCaseBinding<UseCaseName>, 'presentForm'> = bindings[name];
    if (presentForm !== undefined && asksForForm(event, route)) {
      facts.form = 'html';
      const body = String(presentForm(baseUrl, settings, settings.isUntranslated ? {} : requestedReading(event)));
      return { format: 'html', body, cache: 'document', headers: pageHeaders(settings) };
    }
    const row: UseCase = useCases[name];
    const parameters = rawParameters(event, route);
    const input = runner.parse(name, parameters, baseUrl);
    const format = formatFor(event, route, row, input);
    facts.form = row.resource === 'oembed' ? 'oembed' : format;
    // A feed names itself with its format, also where Accept chose it.
    const named = isFeedFormat(format) ? new Map([...parameters, ['format', [format]]]) : parameters;
    const urls = {
      ...urlsFor(name, input, route, { baseUrl, parameters: named }),
      ...readingOf(input, settings.isUntranslated),
      photo: photoOf(event, route),
      service: settings,
    };
    const isAlone = settings.isAlone ?? (isKept(format, input) && isLoopback(baseUrl));
    const shownUrls = isAlone ? withoutService(urls) : urls;
    const present = runner.presenterOf(name);
    const startedAt = ports.clock();
    const result = await withLambdaTimeout(runner.execute(name, input, requestContext), context);
    const keptForm = keptFormOf(format, input);
    if (keptForm !== undefined) {
      const { proxyPath } = settings;
      const file = await runner.keep(
        name,
        {
          form: keptForm,
          fitted: (render, bytesOf) => fitResponse(result, { render, bytesOf }),
          page: (shown) => pageOf(present(shown, { ...shownUrls, isKept: true })),
          urls: shownUrls,
          proxyPath,
          ...(fairUse && { admit: () => fairUse.requesterAt(requestContext.clientIp).admit() }),
        },
        startedAt,
      );
      return keptRepresentation(format, file, present(result, shownUrls), {
        useCase: row,
        now: ports.wall.now(),
        proxyPath,
      });
    }
    return fitResponse(result, {
      render: (shown) =>
        createRepresentation(row, present(shown, shownUrls), {
          ...optionsOf(input),
          now: ports.wall.now(),
          format,
          urls,
          list: 'list' in input ? input.list : undefined,
          proxyPath: settings.proxyPath,
          isPermalink: route.isPermalink ?? false,
        }),
      bytesOf: ({ body }) => responseBytes(body),
    });
  };

  const handleRequest = async (
    event: HttpEvent,
    route: OperationRoute | RedirectRoute,
    context: HandlerContext,
  ): Promise<HttpResult> => {
    if ('location' in route) return redirectTo(route.statusCode, route.location);
    const { baseUrl, facts } = context.state;
    const caller = authenticate(accessControl, event, context.state);
    const requestContext = { caller, clientIp: requestHeader(event, EDGE_HEADERS.viewerIp), baseUrl, facts };
    const representation = await runner.runFor(requestContext, () => answer(event, route, context, requestContext));
    return respond(event, representation, { cacheTtlSeconds: settings.cacheTtlSeconds, facts });
  };
  const extraHeaders: ExtraHeaders = (state, event, { status }) => ({
    ...lifecycleHeaders(state.route, event, state.baseUrl),
    ...(accessControl && rateLimitHeaders(state, event, status, accessControl)),
  });
  const findRouteOrRedirect = (event: HttpEvent): OperationRoute | RedirectRoute | undefined => {
    const route = findRoute(event);
    return route?.isPermalink ? (redirectToId(event, route.segments) ?? route) : route;
  };
  return createPipeline<OperationRoute | RedirectRoute>(ports, {
    lambda: name,
    ...(findErrorPage && { findErrorPage }),
    findRoute: findRouteOrRedirect,
    handleRequest,
    extraHeaders,
  });
};
