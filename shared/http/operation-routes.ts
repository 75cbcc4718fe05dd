// Finds the operation of a request. There is no router: API Gateway has matched the route, and the route key names it.
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
import { isReserved } from '../model/handle.ts';
import type { HttpEvent, PageRoute, Route } from './event.ts';

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
