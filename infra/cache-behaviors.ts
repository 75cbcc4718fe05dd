// Derives the cache behaviors from the contract, for the CloudFront distribution and for the local service. There are
// three kinds. Routes that ignore the API key have Authorization neither in the cache key nor in the forwarded headers.
// All other public routes have it in both. Private routes are not cached and get every header of the viewer.

import { ADMIN_PREFIXES, adminOperations } from '../shared/contract/admin-operations.ts';
import { type DocumentRow, documentRows } from '../shared/contract/documents.ts';
import { CANARY_HEADER, EDGE_HEADERS } from '../shared/contract/headers.ts';
import type { LifecycleName } from '../shared/contract/lifecycle.ts';
import { acceptsApiKey, operationRows, pathsOf } from '../shared/contract/operations.ts';
import { MCP_PATH } from '../shared/contract/paths.ts';
import type { UseCase } from '../shared/contract/use-cases.ts';
import { isReserved } from '../shared/model/handle.ts';

/** The headers of the cache key, beside path and query. CloudFront forwards every header of the cache key. */
export const CACHE_KEY_HEADERS: Readonly<Record<UseCase['apiKey'], readonly string[]>> = {
  ignored: ['Accept'],
  honoured: ['Accept', 'Authorization'],
};

/** Headers that every public behavior forwards in addition to those of the cache key. */
export const FORWARDED_HEADERS = [
  EDGE_HEADERS.viewerIp,
  EDGE_HEADERS.viewerHost,
  EDGE_HEADERS.edgeError,
  CANARY_HEADER,
] as const;

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
  /** Rejects HTTP instead of redirecting it. @default false */
  readonly isHttpsOnly?: boolean;
}

/** The versioned routes below a kind of resource are one behavior, because CloudFront allows 75 of them for a distribution. */
const VERSIONED_FOLDER = /^(\/api\/v[0-9]+\/[^/]+)\/.+$/;

const patternOf = (path: string): string => path.replace(VERSIONED_FOLDER, '$1/*').replaceAll(/\{[^}]+\}/g, '*');

/** CloudFront's `*` matches slashes as well. */
export const patternExpression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);

export const matchesPattern = (pattern: string, path: string): boolean => patternExpression(pattern).test(path);

const isPrivatePage = (path: string): boolean => Object.values(adminOperations).some((row) => row.path === path);

/** `/admin` is a page and a folder. One pattern for both, `/admin*`, would match the handles that begin with this word. */
const privateBehaviors: readonly CacheBehavior[] = ADMIN_PREFIXES.flatMap((prefix): readonly CacheBehavior[] =>
  [...(isPrivatePage(prefix) ? [prefix] : []), `${prefix}/*`].map((pattern) => ({
    pattern,
    key: 'private',
    isHttpsOnly: true,
  })),
);

/** Not the paths below it, which are documents. The edge function removes the slash. The MCP server also answers OPTIONS. */
const mcpBehaviors: readonly CacheBehavior[] = [MCP_PATH, `${MCP_PATH}/`].map((pattern) => ({
  pattern,
  key: 'private',
  origin: 'mcp',
  isHttpsOnly: true,
}));

/** Everything below this path is for programs, which send credentials. People follow links to the other paths. */
const API_PREFIX = '/api/';

const isApi = ({ pattern }: CacheBehavior): boolean => pattern.startsWith(API_PREFIX);

/** The routes of the API that differ from the default behavior only in that they reject HTTP. */
const apiBehavior: CacheBehavior = { pattern: `${API_PREFIX}*`, key: 'honoured' };

const operationPaths = operationRows.flatMap(([, operation]) => pathsOf(operation));

/** A folder of documents is one behavior, unless it also contains operations. */
const documentPattern = (path: string): string => {
  const folder = /^\/[^/]+\/(?=.)/.exec(path)?.[0];
  return folder === undefined || operationPaths.some((other) => other.startsWith(folder)) ? path : `${folder}*`;
};

/** Files that only crawlers read use the default behavior. */
const isSpecial = ({ kind, rel, path }: DocumentRow): boolean =>
  kind === 'page' || rel !== undefined || documentPattern(path) !== path;

const HANDLE = /^\w{1,15}$/;

/** The patterns of paths with a handle, which can be a word of another pattern. An id is digits and cannot. */
const handlePatterns = new Set(operationPaths.filter((path) => path.includes('{handle}')).map(patternOf));

/**
 * The route `/api/v1/profiles/*` may match the pattern of permalinks: in `/api/v1/profiles/status/posts`, the handle is a word
 * of it.
 *
 * @returns whether some handle makes the route match the pattern, whose `*` also matches slashes
 */
const mayMatch = (route: string, pattern: string): boolean =>
  pattern
    .split('/')
    .filter((word) => HANDLE.test(word) && !(route.startsWith('/*') && isReserved(word)))
    .flatMap((word) => [word, `${word}/-`])
    .some((words) => matchesPattern(pattern, route.replaceAll('*', words)));

/**
 * The behaviors that differ from the default behavior, in CloudFront's order of precedence: exact paths before
 * wildcards, the API before paths with handles, without behaviors that an earlier behavior covers.
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
    row.key === 'honoured' &&
    handlePatterns.has(row.pattern) &&
    ignoring.some(({ pattern }) => mayMatch(row.pattern, pattern));
  const special = all
    .filter((row) => row.key === 'ignored' || row.lifecycle !== undefined || mustComeFirst(row))
    .toSorted((a, b) => Number(mustComeFirst(b)) - Number(mustComeFirst(a)));
  const wild = special.filter(isWild);
  return [
    ...mcpBehaviors,
    ...privateBehaviors,
    ...[
      ...special.filter((row) => !isWild(row)),
      ...wild.filter(isApi),
      apiBehavior,
      ...wild.filter((row) => !isApi(row)),
    ].map((row) => (isApi(row) ? { ...row, isHttpsOnly: true } : row)),
  ].filter(
    ({ pattern }, index, rows) => !rows.slice(0, index).some((earlier) => matchesPattern(earlier.pattern, pattern)),
  );
};
