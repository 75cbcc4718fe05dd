// Finds the operation of a request and its use case. There is no router: API Gateway has matched the route, and the route key
// names it. The use case is in the row of the operation, or a parameter chooses it.
import type { LambdaName } from '../contract/lambdas.ts';
import { negotiations } from '../contract/media-types.ts';
import {
  acceptsApiKey,
  formatsOf,
  isNegotiated,
  type Operation,
  operationRows,
  pathsOf,
  queryNames,
  usesAllowance,
} from '../contract/operations.ts';
import { hasRoutableVariables, routeKey } from '../contract/path-template.ts';
import { type Problem, problem } from '../contract/problems.ts';
import type { UseCaseName } from '../contract/use-cases.ts';
import { isReserved } from '../model/handle.ts';
import { type HttpEvent, type PageRoute, queryOf, type Route, singleQueryValue } from './event.ts';

export interface OperationRoute extends Route {
  readonly operation: Operation;
  /** The path must match exactly. API Gateway matches decoded text, and ignores a trailing slash. */
  readonly pattern: RegExp;
  readonly queryNames: readonly string[];
  /** The path template, split at slashes. */
  readonly segments: readonly string[];
}

const errorPagesOf = (operation: Operation): PageRoute | undefined =>
  operation.surface === 'permalink' && isNegotiated(operation)
    ? {
        negotiation: negotiations.permalink,
        formats: formatsOf(operation),
        queryNames: queryNames(operation),
      }
    : undefined;

const compile = (id: string, operation: Operation, path: string): OperationRoute => ({
  id,
  operation,
  ...(operation.lifecycle && { lifecycle: operation.lifecycle }),
  honoursKey: acceptsApiKey(operation),
  chargesAllowance: usesAllowance(operation),
  negotiated: isNegotiated(operation),
  errorPages: errorPagesOf(operation),
  pattern: new RegExp(`^${path.replace(/\{[a-z]+\}/g, '[^/]+')}$`),
  queryNames: queryNames(operation),
  segments: path.split('/'),
});

const routesOf = (name: LambdaName): ReadonlyMap<string, OperationRoute> =>
  new Map(
    operationRows
      .filter(([, operation]) => operation.lambda === name)
      .flatMap(([id, operation]) => pathsOf(operation).map((path) => [routeKey(path), compile(id, operation, path)])),
  );

/** @returns a function that returns undefined if the Lambda has no such route */
export const createRouteFinder = (name: LambdaName): ((event: HttpEvent) => OperationRoute | undefined) => {
  const routes = routesOf(name);
  return ({ routeKey: key, rawPath }) => {
    const route = routes.get(key);
    return route?.pattern.test(rawPath) && hasRoutableVariables(route.segments, rawPath.split('/'), isReserved)
      ? route
      : undefined;
  };
};

type UseCaseChoice = Exclude<Operation['useCase'], string>;

/** @returns undefined: the parameter chooses none */
const chosen = ({ parameter, choices }: UseCaseChoice, event: HttpEvent): UseCaseName | undefined => {
  const value = singleQueryValue(event, parameter);
  return value !== undefined && Object.hasOwn(choices, value) ? choices[value] : undefined;
};

export const findUseCase = ({ useCase }: Operation, event: HttpEvent): UseCaseName | undefined =>
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
