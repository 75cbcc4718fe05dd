// Calls the official API and wraps results, for all readers of the provider.
import type { QueryKind } from '../../contract/query-kinds.ts';
import type { Warning } from '../../model/resources.ts';
import type { Clock } from '../../ports/system.ts';
import type { FailedOutcome, Outcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import type { ProviderOptions } from '../provider.ts';
import { mostRows } from './metered-sender.ts';
import type { XApiParameters } from './parameters.ts';
import { parseXApiBody, type XApiBody } from './response.ts';

/** An endpoint, and the id or name in its path. */
export interface XApiQuery {
  readonly kind: QueryKind<'x_api'>;
  /** @default the path has none */
  readonly subject?: string;
}

export interface XApiClient {
  /** @param badRequest the outcome of a 400. @default failed */
  get(
    query: XApiQuery,
    parameters: XApiParameters,
    budget: CallBudget,
    badRequest?: 'refused' | 'failed',
  ): Promise<XApiBody | FailedOutcome>;
  found<T>(value: T, fetchedAt: number, warnings?: readonly Warning[]): Outcome<T>;
  readonly clock: Clock;
}

export const createXApiClient = ({ baseUrl, source, http, clock, paidRows }: ProviderOptions<'x_api'>): XApiClient => ({
  async get({ kind, subject = '' }, parameters, budget, badRequest = 'failed') {
    const path = kind.replace(/\{\w+\}/, () => subject);
    const url = `${baseUrl}${path}?${new URLSearchParams(parameters)}`;
    if (paidRows?.isSpent(mostRows(url))) return { kind: 'down', why: 'daily ceiling of rows', isSkipped: true };
    return parseXApiBody(await http.get({ kind, url }, budget), badRequest);
  },
  found: (value, fetchedAt, warnings = []) => ({ kind: 'found', value, source, fetchedAt, warnings }),
  clock,
});
