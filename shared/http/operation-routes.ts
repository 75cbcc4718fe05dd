// Finds the operation of a request and its use case, and what follows from them: header fields and URLs. There is no router:
// API Gateway has matched the route, and the route key names it. The use case is in the row of the operation, or a parameter
// chooses it.
import type { PostInput, RawParameters } from '../contract/inputs.ts';
import type { LambdaName } from '../contract/lambdas.ts';
import { deprecationField, lifecycleLinks, lifecycles, sunsetField } from '../contract/lifecycle.ts';
import { type Negotiation, negotiations, withFeeds } from '../contract/media-types.ts';
import {
  acceptsApiKey,
  formatsOf,
  isNegotiated,
  type Operation,
  operationRows,
  operations,
  pathsOf,
  queryNames,
  usesAllowance,
  versionedOperation,
  versionedPath,
} from '../contract/operations.ts';
import { type ParameterName, parameters as parameterRows } from '../contract/parameters.ts';
import { hasRoutableVariables, routeKey } from '../contract/paths.ts';
import { type Problem, problem } from '../contract/problems.ts';
import { queryString } from '../contract/query-string.ts';
import { type UseCase, type UseCaseName, useCases } from '../contract/use-cases.ts';
import { HANDLE_LIST, handleListSegment, isReserved, parseHandle } from '../model/handle.ts';
import type { AccessControl } from '../ports/access-control.ts';
import type { RequestState } from './event.ts';
import { type HttpEvent, type PageRoute, presentsBearer, queryOf, type Route, singleQueryValue } from './event.ts';

export interface OperationRoute extends Route {
  readonly operation: Operation;
  /** The offers for a request, among which Accept chooses. */
  negotiationOf(event: HttpEvent): Negotiation;
  /** The path must match exactly. API Gateway matches decoded text, and ignores a trailing slash. */
  readonly pattern: RegExp;
  readonly queryNames: readonly string[];
  /** The path template, split at slashes. */
  readonly segments: readonly string[];
}

const SEARCHED: ParameterName = 'feed';

const pagesOf = (operation: Operation): PageRoute => {
  const formats = formatsOf(operation);
  const names = queryNames(operation);
  const searchedOf = (event: HttpEvent): string | undefined =>
    names.includes(SEARCHED) ? queryOf(event).get(SEARCHED)?.[0] : undefined;
  return {
    negotiationOf: (event) => withFeeds(negotiations[operation.surface], formats, searchedOf(event)),
    formats,
    queryNames: names,
  };
};

const compile = (id: string, operation: Operation, path: string): OperationRoute => {
  const pages = pagesOf(operation);
  const isPermalink = operation.surface === 'permalink';
  const negotiated = isNegotiated(operation);
  return {
    id,
    operation,
    isPermalink,
    honoursKey: acceptsApiKey(operation),
    chargesAllowance: usesAllowance(operation),
    negotiated,
    negotiationOf: pages.negotiationOf,
    errorPages: isPermalink && negotiated ? pages : undefined,
    pattern: new RegExp(`^${path.replace(HANDLE_LIST, '{handle}').replace(/\{[a-z]+\}/g, '[^/]+')}$`),
    queryNames: pages.queryNames,
    segments: path.split('/'),
  };
};

const routesOf = (name: LambdaName): ReadonlyMap<string, readonly OperationRoute[]> =>
  Map.groupBy(
    operationRows
      .filter(([, operation]) => operation.lambda === name)
      .flatMap(([id, operation]) => pathsOf(operation).map((path) => compile(id, operation, path))),
    ({ segments }) => routeKey(segments.join('/')),
  );

/** @returns a function that returns undefined if the Lambda has no such route */
export const createRouteFinder = (name: LambdaName): ((event: HttpEvent) => OperationRoute | undefined) => {
  const routes = routesOf(name);
  return ({ routeKey: key, rawPath }) =>
    routes
      .get(key)
      ?.find(
        ({ pattern, segments }) =>
          pattern.test(rawPath) && hasRoutableVariables(segments, rawPath.split('/'), isReserved),
      );
};

type UseCaseChoice = Exclude<Operation['useCase'], string>;

/** @returns undefined: the parameter chooses none */
const chosen = ({ parameter, choices }: UseCaseChoice, event: HttpEvent): UseCaseName | undefined => {
  const value = singleQueryValue(event, parameter);
  return value !== undefined && Object.hasOwn(choices, value) ? choices[value] : undefined;
};

const findUseCase = ({ useCase }: Operation, event: HttpEvent): UseCaseName | undefined =>
  typeof useCase === 'string' ? useCase : chosen(useCase, event);

const unresolved = ({ parameter, choices }: UseCaseChoice, event: HttpEvent): Problem => {
  const isRepeated = (queryOf(event).get(parameter)?.length ?? 0) > 1;
  const message = isRepeated ? 'was given more than once' : `must be one of ${Object.keys(choices).join(', ')}`;
  return problem(isRepeated ? 'repeated_parameter' : 'invalid_resource', {
    errors: [{ parameter, message }],
    detail: `${parameter} ${message}.`,
  });
};

/** @throws Problem `invalid_resource` or `repeated_parameter` if the parameter chooses none */
export const resolveUseCase = ({ useCase }: Operation, event: HttpEvent): UseCaseName => {
  if (typeof useCase === 'string') return useCase;
  const name = chosen(useCase, event);
  if (name === undefined) throw unresolved(useCase, event);
  return name;
};

// Builds the header fields that the route of an operation adds to every response, also to one whose parameters were never
// parsed: Deprecation, Sunset and Link of the aliases (requirements: lifecycle), RateLimit-Policy and RateLimit. The policy is
// the same for equal requests, so caches may store it. The remaining units are sent only if no shared cache stores the
// response.

/** The path of the successor. @returns undefined: the handle of its template is missing */
const successorPath = (operation: Operation, event: HttpEvent): string | undefined => {
  const useCase = findUseCase(operation, event);
  const template = useCase && versionedPath(useCase);
  if (!template?.includes('{handle}')) return template;
  const handle = parseHandle(singleQueryValue(event, 'handle') ?? '');
  return handle && template.replace('{handle}', encodeURIComponent(handle));
};

export const lifecycleHeaders = (
  route: Route | undefined,
  event: HttpEvent,
  baseUrl: string,
): Readonly<Record<string, string>> => {
  if (route?.operation?.lifecycle === undefined) return {};
  const row = lifecycles[route.operation.lifecycle];
  const successor = successorPath(route.operation, event);
  return {
    Deprecation: deprecationField(row),
    Sunset: sunsetField(row),
    // RFC 8288: all relations in one field line.
    Link: [
      ...(successor === undefined ? [] : [`<${baseUrl}${successor}>; rel="successor-version"`]),
      ...lifecycleLinks(baseUrl),
    ].join(', '),
  };
};

const TOO_MANY_REQUESTS = 429;

export const rateLimitHeaders = (
  { route, caller }: RequestState,
  event: HttpEvent,
  status: number,
  accessControl: AccessControl,
): Readonly<Record<string, string>> => {
  const name = route?.operation && findUseCase(route.operation, event);
  const row: UseCase | undefined = name && useCases[name];
  if (row === undefined || row.allowance === 'fair-use') return {};
  const { policy, limit } = caller?.allowanceState(row.allowance) ?? {
    policy: accessControl.anonymousPolicy(row.allowance),
  };
  const isStored = !(route?.honoursKey && presentsBearer(event)) && status !== TOO_MANY_REQUESTS;
  return { 'RateLimit-Policy': policy, ...(limit !== undefined && !isStored && { RateLimit: limit }) };
};

// Builds the URL of a requested page, of the other pages of its list and of the parts of a post.

export interface PageUrlContext {
  readonly baseUrl: string;
  /** The path template of the route. */
  readonly path: string;
  /** The query parameters that the route accepts. */
  readonly names: readonly string[];
  /** Validated parameters, so each has one value. */
  readonly parameters: RawParameters;
}

/** Keeps the caller's parameters except the changed ones. @param changes undefined: the parameter is omitted */
export const pageUrl = (
  { baseUrl, path, names, parameters }: PageUrlContext,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const valueOfParameter = (name: string): string | undefined => parameters.get(name)?.[0];
  const filled = path
    .replace(HANDLE_LIST, handleListSegment(valueOfParameter('handles') ?? ''))
    .replace(/\{([a-z]+)\}/g, (_, name: string) => encodeURIComponent(valueOfParameter(name) ?? ''));
  const unchanged = Object.fromEntries(names.map((name) => [name, valueOfParameter(name)]));
  const query = queryString({ ...unchanged, ...changes });
  return `${baseUrl}${filled}${query === '' ? '' : `?${query}`}`;
};

/** It is the same for all routes of the post, because their Markdown is. */
export const partUrl = (
  baseUrl: string,
  { ref, thread, replies, layout, maxTokens, metrics, lang, translation }: PostInput,
  part: number,
  format: 'markdown' | 'json' | 'obsidian',
): string =>
  `${baseUrl}${operations.readPost.path}?${queryString({
    handle: 'i',
    id: ref.id,
    format: format === 'markdown' ? undefined : format,
    thread: thread === 'full' ? undefined : thread,
    replies,
    layout: format === 'json' || layout === 'conversation' ? undefined : layout,
    max_tokens: maxTokens,
    metrics: metrics === 'off' ? metrics : undefined,
    lang,
    translation: translation === 'only' ? translation : undefined,
    part,
  })}`;

/**
 * Leaves out empty parameters, the @ of a handle, and the default kind of posts, which some routes fix, so that each route of a
 * read has the same URL.
 *
 * @returns the URL of the read on its v1 route
 */
export const versionedUrl = (
  name: UseCaseName,
  { parameters, ...context }: Pick<PageUrlContext, 'baseUrl' | 'parameters'>,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const operation = versionedOperation(name);
  const isDefault = (parameter: string, value: string): boolean =>
    parameter === 'kind' && value === parameterRows.kind.schema.default;
  const sent = new Map(
    [...parameters].flatMap(([parameter, [value = '']]) =>
      value === '' || isDefault(parameter, value)
        ? []
        : [[parameter, [parameter === 'handle' ? value.replace(/^@/, '') : value]] as const],
    ),
  );
  return pageUrl({ ...context, path: operation.path, names: queryNames(operation), parameters: sent }, changes);
};
