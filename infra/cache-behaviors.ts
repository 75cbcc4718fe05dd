// CloudFront's behaviors, derived from the contract for the distribution and for its stand-in on one
// machine. Three kinds: routes that ignore the key neither cache by nor forward Authorization; all others keep every
// key's answers apart; what is private is not cached and gets every header of the viewer.

import { ADMIN_PREFIXES } from '../shared/contract/admin-operations.ts';
import { type DocumentRow, documentRows } from '../shared/contract/documents.ts';
import { EDGE_HEADERS } from '../shared/contract/headers.ts';
import type { LifecycleName } from '../shared/contract/lifecycle.ts';
import { acceptsApiKey, operationRows, pathsOf } from '../shared/contract/operations.ts';
import { MCP_PATH } from '../shared/contract/paths.ts';
import type { UseCase } from '../shared/contract/use-cases.ts';
import { isReserved } from '../shared/model/handle.ts';

/** What a cached answer is kept apart by, besides its path and query. CloudFront forwards what it keeps apart by. */
export const CACHE_KEY_HEADERS: Readonly<Record<UseCase['apiKey'], readonly string[]>> = {
  ignored: ['Accept'],
  honoured: ['Accept', 'Authorization'],
};

/** What is passed on beside those, on every behavior. */
export const FORWARDED_HEADERS = [EDGE_HEADERS.viewerIp, EDGE_HEADERS.viewerHost] as const;

export type CacheBehaviorKind = UseCase['apiKey'] | 'private';

/** The HTTP API, or the function URL of the MCP server. */
export type OriginName = 'api' | 'mcp';

export const DEFAULT_ORIGIN = 'api' satisfies OriginName;

export interface CacheBehavior {
  readonly pattern: string;
  readonly key: CacheBehaviorKind;
  readonly lifecycle?: LifecycleName | undefined;
  /** @default DEFAULT_ORIGIN */
  readonly origin?: OriginName;
}

const patternOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '*');

/** CloudFront's `*` matches slashes as well. */
export const matchesPattern = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path);

/** `/admin` is a page as well as a folder. */
const privateBehaviors: readonly CacheBehavior[] = ADMIN_PREFIXES.map((root) => ({
  pattern: root.lastIndexOf('/') === 0 ? `${root}*` : `${root}/*`,
  key: 'private',
}));

/** Exactly that path: what stands below it are documents. It speaks for itself, to OPTIONS as well. */
const mcpBehavior: CacheBehavior = { pattern: MCP_PATH, key: 'private', origin: 'mcp' };

const operationPaths = operationRows.flatMap(([, operation]) => pathsOf(operation));

/** A folder of documents is one behavior, unless operations live in it. */
const documentPattern = (path: string): string => {
  const folder = /^\/[^/]+\/(?=.)/.exec(path)?.[0];
  return folder === undefined || operationPaths.some((other) => other.startsWith(folder)) ? path : `${folder}*`;
};

/** CloudFront takes 25 behaviors in all where nobody asked for more: files that crawlers read now and then have none. */
const isSpecial = ({ kind, rel, path }: DocumentRow): boolean =>
  kind === 'page' || rel !== undefined || documentPattern(path) !== path;

/** Whether a handle could be such that the route falls under a pattern with `*`, which matches slashes as well. */
const mayFallUnder = (route: string, pattern: string): boolean =>
  pattern
    .split('/')
    .filter((word) => word !== '' && word !== '*' && !(route.startsWith('/*') && isReserved(word)))
    .some((word) => matchesPattern(pattern, route.replaceAll('*', word)));

/**
 * What the default behavior does not suit, in CloudFront's order of precedence: whole paths before wildcards, none
 * that an earlier one covers.
 */
export const additionalBehaviors = (): readonly CacheBehavior[] => {
  const all: readonly CacheBehavior[] = [
    ...operationRows.flatMap(([, operation]) =>
      pathsOf(operation).map(
        (path): CacheBehavior => ({
          pattern: patternOf(path),
          key: acceptsApiKey(operation) ? 'honoured' : 'ignored',
          lifecycle: operation.lifecycle,
        }),
      ),
    ),
    ...documentRows
      .filter(([, document]) => isSpecial(document))
      .map(([, { path }]): CacheBehavior => ({ pattern: documentPattern(path), key: 'ignored' })),
  ];
  const isWild = ({ pattern }: CacheBehavior): boolean => pattern.includes('*');
  const ignoring = all.filter((row) => row.key === 'ignored' && isWild(row));
  const mustComeFirst = (row: CacheBehavior): boolean =>
    row.key === 'honoured' && isWild(row) && ignoring.some(({ pattern }) => mayFallUnder(row.pattern, pattern));
  const special = all
    .filter((row) => row.key === 'ignored' || row.lifecycle !== undefined || mustComeFirst(row))
    .toSorted((a, b) => Number(mustComeFirst(b)) - Number(mustComeFirst(a)));
  const uncached = [mcpBehavior, ...privateBehaviors];
  return [...uncached, ...special.filter((row) => !isWild(row)), ...special.filter(isWild)].filter(
    ({ pattern }, index, rows) => !rows.slice(0, index).some((earlier) => matchesPattern(earlier.pattern, pattern)),
  );
};
