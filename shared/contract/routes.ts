// Lists all routes of API Gateway, derived from operations and documents. API Gateway, the edge function and the local
// service use the list.

import { ADMIN_PREFIXES } from './admin-operations.ts';
import { documentRows } from './documents.ts';
import type { LambdaName } from './lambdas.ts';
import { formatsOf, isNegotiated, type Operation, operationRows, pathsOf, queryNames } from './operations.ts';
import { gatewayPath, isVariable } from './paths.ts';
import { routedXPages } from './x-pages.ts';

export interface RouteRow {
  readonly path: string;
  readonly segments: readonly string[];
  readonly lambda: LambdaName;
  /** `single`: the route has one format. `unknown`: a path of X, which only has a redirect or a 404. */
  readonly kind: Operation['surface'] | 'page' | 'single' | 'private' | 'unknown';
  readonly queryNames: readonly string[];
  /** The values of `format` that select a representation. */
  readonly formats: readonly string[];
}

/** Serves the documents and answers requests that match no route. */
export const DEFAULT_LAMBDA = 'discovery' satisfies LambdaName;

const row = (
  path: string,
  lambda: LambdaName,
  kind: RouteRow['kind'],
  names: readonly string[],
  formats: readonly string[] = [],
): RouteRow => ({ path, segments: path.split('/'), lambda, kind, queryNames: names, formats });

/** `{name+}` matches one or more segments (API Gateway). */
export const isGreedy = ({ path }: Pick<RouteRow, 'path'>): boolean => path.endsWith('+}');

const wildcardRank = (row: RouteRow): number => (isGreedy(row) ? Number.POSITIVE_INFINITY : variables(row));

const variables = ({ segments }: RouteRow): number => segments.filter(isVariable).length;

/** Sorted by the number of variables, the precedence of API Gateway. */
export const routeRows: readonly RouteRow[] = [
  // These rows precede the templates of a profile that have as many variables.
  ...routedXPages.map((path) => row(path, DEFAULT_LAMBDA, 'unknown', ['f'])),
  ...operationRows.flatMap(([, operation]) =>
    pathsOf(operation).map((path) =>
      row(
        path,
        operation.lambda,
        isNegotiated(operation) ? operation.surface : 'single',
        queryNames(operation),
        formatsOf(operation),
      ),
    ),
  ),
  ...documentRows.map(([, { path, kind, query = [] }]) =>
    row(path, DEFAULT_LAMBDA, kind === 'page' ? kind : 'single', query),
  ),
  ...ADMIN_PREFIXES.flatMap((root) => [root, `${root}/{proxy+}`]).map((path) => row(path, 'admin', 'private', [])),
].toSorted((a, b) => (wildcardRank(a) < wildcardRank(b) ? -1 : Number(wildcardRank(a) > wildcardRank(b))));

/** A variable matches no empty segment. */
const canMatch = (part: string, segment: string): boolean => part === segment || (isVariable(part) && segment !== '');

/** @returns true if a path has both templates */
const overlap = ({ segments }: RouteRow, other: RouteRow): boolean =>
  segments.length === other.segments.length &&
  segments.every((part, index) => {
    const otherPart = other.segments[index] ?? '';
    return canMatch(part, otherPart) || canMatch(otherPart, part);
  });

/** Without a route of its own, a path that no route of another function takes has `$default`. */
const isDefault = (row: RouteRow): boolean =>
  row.lambda === DEFAULT_LAMBDA && !routeRows.some((other) => other.lambda !== DEFAULT_LAMBDA && overlap(row, other));

/** Without the rows that another row or `$default` stands for at API Gateway. */
export const gatewayRows: readonly RouteRow[] = routeRows.filter(
  (row) => gatewayPath(row.path) === row.path && !isDefault(row),
);
