// Every route in one list, derived from operations and documents: what the gateway, the edge and the local service
// are made from.
import { ADMIN_PREFIXES } from './admin-operations.ts';
import { documentRows } from './documents.ts';
import type { LambdaName } from './lambdas.ts';
import { isNegotiated, type Operation, operationRows, pathsOf, queryNames } from './operations.ts';
import { isVariable } from './path-template.ts';

export interface RouteRow {
  readonly path: string;
  readonly segments: readonly string[];
  readonly lambda: LambdaName;
  /** `single`: one form, whatever is accepted. */
  readonly kind: Operation['surface'] | 'page' | 'single' | 'private';
  /** Query names that mean something there. */
  readonly queryNames: readonly string[];
}

/** Serves the documents, and answers what no route matches. */
export const DEFAULT_LAMBDA = 'discovery' satisfies LambdaName;

const row = (path: string, surface: LambdaName, kind: RouteRow['kind'], names: readonly string[]): RouteRow => ({
  path,
  segments: path.split('/'),
  lambda: surface,
  kind,
  queryNames: names,
});

/** `{name+}`: API Gateway's for one segment or more. */
export const isGreedy = ({ path }: Pick<RouteRow, 'path'>): boolean => path.endsWith('+}');

const wildcardRank = (row: RouteRow): number => (isGreedy(row) ? Number.POSITIVE_INFINITY : variables(row));

const variables = ({ segments }: RouteRow): number => segments.filter(isVariable).length;

/** The most literal first, as API Gateway ranks them. */
export const routeRows: readonly RouteRow[] = [
  ...operationRows.flatMap(([, operation]) =>
    pathsOf(operation).map((path) =>
      row(path, operation.lambda, isNegotiated(operation) ? operation.surface : 'single', queryNames(operation)),
    ),
  ),
  ...documentRows.map(([, { path, kind }]) => row(path, DEFAULT_LAMBDA, kind === 'page' ? kind : 'single', [])),
  ...ADMIN_PREFIXES.flatMap((root) => [root, `${root}/{proxy+}`]).map((path) => row(path, 'admin', 'private', [])),
].toSorted((a, b) => (wildcardRank(a) < wildcardRank(b) ? -1 : Number(wildcardRank(a) > wildcardRank(b))));
