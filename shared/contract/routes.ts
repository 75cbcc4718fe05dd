// Every route in one list, derived from operations and documents: what the gateway, the edge and the local service
// are made from.
import { ADMIN_ROOTS } from './admin.ts';
import { documentRows } from './documents.ts';
import { isNegotiated, type Operation, operationRows, pathsOf, queryNames } from './operations.ts';
import { isVariable } from './path-template.ts';
import type { SurfaceName } from './surfaces.ts';

export interface RouteRow {
  readonly path: string;
  readonly segments: readonly string[];
  readonly surface: SurfaceName;
  /** `single`: one form, whatever is accepted. */
  readonly kind: Operation['kind'] | 'page' | 'single' | 'private';
  /** Query names that mean something there. */
  readonly queryNames: readonly string[];
}

/** Serves the documents, and answers what no route matches. */
export const DEFAULT_SURFACE = 'discovery' satisfies SurfaceName;

const row = (path: string, surface: SurfaceName, kind: RouteRow['kind'], names: readonly string[]): RouteRow => ({
  path,
  segments: path.split('/'),
  surface,
  kind,
  queryNames: names,
});

/** `{name+}`: API Gateway's for one segment or more. */
export const isGreedy = ({ path }: Pick<RouteRow, 'path'>): boolean => path.endsWith('+}');

const vagueness = (row: RouteRow): number => (isGreedy(row) ? Number.POSITIVE_INFINITY : variables(row));

const variables = ({ segments }: RouteRow): number => segments.filter(isVariable).length;

/** The most literal first, as API Gateway ranks them. */
export const routeRows: readonly RouteRow[] = [
  ...operationRows.flatMap(([, operation]) =>
    pathsOf(operation).map((path) =>
      row(path, operation.surface, isNegotiated(operation) ? operation.kind : 'single', queryNames(operation)),
    ),
  ),
  ...documentRows.map(([, { path, kind }]) => row(path, DEFAULT_SURFACE, kind === 'page' ? kind : 'single', [])),
  ...ADMIN_ROOTS.flatMap((root) => [root, `${root}/{proxy+}`]).map((path) => row(path, 'admin', 'private', [])),
].toSorted((a, b) => (vagueness(a) < vagueness(b) ? -1 : Number(vagueness(a) > vagueness(b))));
