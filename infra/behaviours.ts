// CloudFront's behaviours, derived from the contract for the distribution and for its stand-in on one
// machine. Two kinds: routes that ignore the key neither cache by nor forward Authorization; all others keep every
// key's answers apart.
import { EDGE_HEADERS } from '../shared/contract/headers.ts';
import type { LifecycleName } from '../shared/contract/lifecycle.ts';
import {
  documentRows,
  type Operation,
  operationRows,
  pathsOf,
  type Read,
  reads,
  readsOf,
} from '../shared/contract/operations.ts';

/** What a cached answer is kept apart by, besides its path and query. CloudFront forwards what it keeps apart by. */
export const KEYED_HEADERS: Readonly<Record<Read['key'], readonly string[]>> = {
  ignored: ['Accept'],
  honoured: ['Accept', 'Authorization'],
};

/** What is passed on beside those, on every behaviour. */
export const FORWARDED_HEADERS = [EDGE_HEADERS.viewerIp, EDGE_HEADERS.viewerHost] as const;

interface Behaviour {
  readonly pattern: string;
  readonly key: Read['key'];
  readonly lifecycle?: LifecycleName | undefined;
}

const honoursKey = (operation: Operation): boolean =>
  readsOf(operation).some((name) => {
    const read: Read = reads[name];
    return read.key === 'honoured';
  });

const patternOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '*');

/** CloudFront's `*` matches slashes as well. */
export const matchesPattern = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path);

const operationPaths = operationRows.flatMap(([, operation]) => pathsOf(operation));

/** A folder of documents is one behaviour, unless operations live in it. */
const documentPattern = (path: string): string => {
  const folder = /^\/[^/]+\/(?=.)/.exec(path)?.[0];
  return folder === undefined || operationPaths.some((other) => other.startsWith(folder)) ? path : `${folder}*`;
};

/**
 * What the default behaviour does not suit, in CloudFront's order of precedence: whole paths before wildcards, none
 * that an earlier one covers.
 */
export const specialBehaviours = (): readonly Behaviour[] => {
  const all: readonly Behaviour[] = [
    ...operationRows.flatMap(([, operation]) =>
      pathsOf(operation).map(
        (path): Behaviour => ({
          pattern: patternOf(path),
          key: honoursKey(operation) ? 'honoured' : 'ignored',
          lifecycle: operation.lifecycle,
        }),
      ),
    ),
    ...documentRows.map(([, { path }]): Behaviour => ({ pattern: documentPattern(path), key: 'ignored' })),
  ];
  const special = all.filter(({ key, lifecycle }) => key === 'ignored' || lifecycle !== undefined);
  const isWild = ({ pattern }: Behaviour): boolean => pattern.includes('*');
  return [...special.filter((row) => !isWild(row)), ...special.filter(isWild)].filter(
    ({ pattern }, index, rows) => !rows.slice(0, index).some((earlier) => matchesPattern(earlier.pattern, pattern)),
  );
};
