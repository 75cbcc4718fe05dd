// Lists the routes that the load tests request: the reads of the service and two documents, with what limits a caller there.
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { type Subject, surfaces } from '../../test/support/faults/surfaces.ts';
import type { Query } from '../../test/support/send.ts';

/** `fairUse` counts in the memory of one Lambda; the others are allowances in the store. */
export type CallerLimit = 'fairUse' | 'search' | 'browse' | 'none';

export interface LoadRoute {
  readonly name: string;
  readonly lambda: LambdaName;
  readonly limit: CallerLimit;
  readonly acceptsKeys: boolean;
  /** Each subject is another answer. */
  readonly hasSubjects: boolean;
  queryOf(subject: Subject): Query;
}

const documentRoute = (name: string, target: string, accept: string): LoadRoute => ({
  name,
  lambda: 'discovery',
  limit: 'none',
  acceptsKeys: false,
  hasSubjects: false,
  queryOf: () => ({ target, headers: { accept } }),
});

export const loadRoutes: readonly LoadRoute[] = [
  ...surfaces.map(({ name, lambda, allowance, queryOf }): LoadRoute => {
    const isLimited = allowance !== undefined;
    return { name, lambda, limit: allowance ?? 'fairUse', acceptsKeys: isLimited, hasSubjects: true, queryOf };
  }),
  documentRoute('document', '/openapi.json', 'application/json'),
  documentRoute('home page', '/', 'text/html'),
];
