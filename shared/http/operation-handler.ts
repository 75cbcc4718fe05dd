// A surface of reads: API Gateway has matched the route already, so its key finds the operation; there is no router.
import { EDGE_HEADERS } from '../contract/headers.ts';
import { type ListInput, parseInput, type RawParameters } from '../contract/inputs.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import { negotiations } from '../contract/media-types.ts';
import {
  acceptsApiKey,
  isNegotiated,
  type Operation,
  operationRows,
  pathsOf,
  queryNames,
  type UseCasesOfLambda,
} from '../contract/operations.ts';
import type { DecodeCursor } from '../contract/parameters.ts';
import { hasRoutableHandle, routeKey } from '../contract/path-template.ts';
import { problem } from '../contract/problems.ts';
import { type UseCaseInput, type UseCaseName, type UseCaseOutput, useCases } from '../contract/use-cases.ts';
import { isReserved } from '../model/handle.ts';
import type { AccessControlPorts, FairUse, FairUsePorts } from '../ports/access-control.ts';
import type { CursorPorts } from '../ports/cursors.ts';
import type { HttpPorts } from '../ports/http.ts';
import type { Requester, UseCaseResult } from '../ports/upstream.ts';
import type { Presenter, RenderOptions, Representation } from '../render/presenters/presenter.ts';
import { type HttpEvent, type HttpResult, headerOf, queryOf, type Route } from './event.ts';
import { fitResponse, responseBytes } from './fit-response.ts';
import { lifecycleHeaders } from './lifecycle-headers.ts';
import { authenticate } from './middleware/authenticate.ts';
import type { ExtraHeaders } from './middleware/response-headers.ts';
import { pageUrl } from './page-url.ts';
import { createPipeline, type LambdaHandler } from './pipeline.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { HandlerContext } from './request-state.ts';
import { requesterFor } from './requester.ts';
import { requireFormat } from './require-format.ts';
import { resolveUseCase } from './resolve-use-case.ts';
import { respond } from './respond.ts';
import { withLambdaTimeout } from './with-timeout.ts';

interface UseCaseBinding<Input, Value> {
  /** @param requester on whose behalf */
  execute(input: Input, requester?: Requester): Promise<UseCaseResult<Value>>;
  readonly present: Presenter<Value>;
}

/** How reads are answered: what does each, and what makes its result a representation. */
export type UseCaseBindings<Names extends UseCaseName> = {
  readonly [Name in Names]: UseCaseBinding<UseCaseInput<Name>, UseCaseOutput<Name>>;
};

interface OperationRoute extends Route {
  readonly operation: Operation;
  /** Paths are exact; API Gateway alone decides on decoded text and a trailing slash. */
  readonly pattern: RegExp;
  readonly queryNames: readonly string[];
  /** The template, split at slashes. */
  readonly segments: readonly string[];
}

const compile = (id: string, operation: Operation, path: string): OperationRoute => ({
  id,
  operation,
  ...(operation.lifecycle && { lifecycle: operation.lifecycle }),
  honoursKey: acceptsApiKey(operation),
  negotiated: isNegotiated(operation),
  pattern: new RegExp(`^${path.replace('{number}', '[1-9][0-9]?').replace(/\{[a-z]+\}/g, '[^/]+')}$`),
  queryNames: queryNames(operation),
  segments: path.split('/'),
});

const routesOf = (name: LambdaName): ReadonlyMap<string, OperationRoute> =>
  new Map(
    operationRows
      .filter(([, operation]) => operation.lambda === name)
      .flatMap(([id, operation]) => pathsOf(operation).map((path) => [routeKey(path), compile(id, operation, path)])),
  );

const rawParameters = (event: HttpEvent, names: readonly string[]): RawParameters => {
  const query = queryOf(event);
  const known = new Map<string, readonly string[]>();
  for (const name of names) {
    const values = query.get(name);
    if (values !== undefined) known.set(name, values);
  }
  for (const [name, value] of Object.entries(event.pathParameters ?? {})) {
    if (value !== undefined && name !== 'number') known.set(name, [value]);
  }
  return known;
};

/** The reads of a surface that honour keys. */
type KeyedUseCasesOf<Name extends LambdaName> = {
  [Read in UseCasesOfLambda<Name>]: (typeof useCases)[Read]['apiKey'] extends 'honoured' ? Read : never;
}[UseCasesOfLambda<Name>];

/** The reads of a surface that spend no allowance. */
type FairUseUseCasesOf<Name extends LambdaName> = {
  [Read in UseCasesOfLambda<Name>]: (typeof useCases)[Read]['allowance'] extends 'fair-use' ? Read : never;
}[UseCasesOfLambda<Name>];

/** What a surface is given: what seals cursors and who may ask only where a read of its has them. */
export type OperationPorts<Name extends LambdaName> = HttpPorts &
  (Extract<UseCaseInput<UseCasesOfLambda<Name>>, ListInput> extends never ? unknown : CursorPorts) &
  (KeyedUseCasesOf<Name> extends never ? unknown : AccessControlPorts) &
  (FairUseUseCasesOf<Name> extends never ? unknown : FairUsePorts);

interface OperationRequest {
  readonly event: HttpEvent;
  readonly route: OperationRoute;
  readonly context: HandlerContext;
  readonly openCursor: DecodeCursor | undefined;
  readonly fairUse: FairUse | undefined;
}

/** A list that goes on says where (RFC 8288). */
const withNextLink = (
  representation: Representation,
  value: object,
  urlOf: RenderOptions['pageUrl'],
): Representation => {
  const cursor = 'next_cursor' in value ? value.next_cursor : undefined;
  if (typeof cursor !== 'string') return representation;
  return { ...representation, headers: { ...representation.headers, Link: `<${urlOf(cursor)}>; rel="next"` } };
};

const runUseCase = async <Name extends UseCaseName>(
  name: Name,
  { execute, present }: UseCaseBindings<UseCaseName>[Name],
  { event, route, context, openCursor, fairUse }: OperationRequest,
): Promise<Representation> => {
  const { baseUrl } = context.state;
  const { operation, queryNames: names } = route;
  const row: (typeof useCases)[Name] = useCases[name];
  const parameters = rawParameters(event, names);
  const input = parseInput<(typeof useCases)[Name]['input']>(row.input, parameters, {
    baseUrl,
    decodeCursor: openCursor,
  });
  const format =
    row.representation === 'json' ? 'json' : (input.format ?? requireFormat(event, negotiations[operation.surface]));
  const own = { baseUrl, path: operation.path, names, parameters };
  const urlOf = (cursor?: string): string => pageUrl(own, cursor === undefined ? { format: undefined } : { cursor });
  const address = headerOf(event, EDGE_HEADERS.viewerIp);
  const requester = requesterFor(row, input, { fairUse, caller: context.state.caller, address });
  const whole = await withLambdaTimeout(execute(input, requester), context);
  const maxTokens = 'maxTokens' in input ? input.maxTokens : undefined;
  const wanted = { format, maxTokens, baseUrl, pageUrl: urlOf };
  const { result, response } = fitResponse(whole, {
    render: (part) => present(row, part, wanted),
    bytesOf: ({ body }) => responseBytes(body),
  });
  return withNextLink(response, result.value, urlOf);
};

/**
 * A Lambda handler for the operations of one surface.
 *
 * @param answers one per read; leaving one out, or giving one too many, does not compile
 */
export const createOperationHandler = <Name extends LambdaName>(
  name: Name,
  ports: OperationPorts<Name>,
  answers: UseCaseBindings<UseCasesOfLambda<Name>>,
): LambdaHandler => {
  const routes = routesOf(name);
  const find = (event: HttpEvent): OperationRoute | undefined => {
    const route = routes.get(event.routeKey);
    const path = event.rawPath;
    return route?.pattern.test(path) && hasRoutableHandle(route.segments, path.split('/'), isReserved)
      ? route
      : undefined;
  };
  const byName: Partial<UseCaseBindings<UseCaseName>> = answers;
  const {
    settings,
    cursors,
    accessControl,
    fairUse,
  }: HttpPorts & Partial<CursorPorts & AccessControlPorts & FairUsePorts> = ports;
  const answer = async (event: HttpEvent, route: OperationRoute, context: HandlerContext): Promise<HttpResult> => {
    const read = resolveUseCase(route.operation, event);
    const own = byName[read];
    if (own === undefined) throw problem('internal_error', { cause: `${name} does not answer ${read}` });
    const representation = await runUseCase(read, own, {
      event,
      route,
      context,
      openCursor: cursors?.decode,
      fairUse,
    });
    return respond(event, representation, settings.cacheTtlSeconds);
  };
  // Where no key is honoured there is nothing to wait for, and no allowance to tell of.
  const owed: ExtraHeaders = (call, event, status) => ({
    ...lifecycleHeaders(call.route, event, call.baseUrl),
    ...(accessControl && rateLimitHeaders(call, event, status, accessControl)),
  });
  return createPipeline(ports, {
    findRoute: find,
    handleRequest: answer,
    extraHeaders: owed,
    middleware: accessControl === undefined ? [] : [authenticate(accessControl)],
  });
};
