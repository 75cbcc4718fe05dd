// Calls the official API and wraps results, for all readers of the provider.
import type { Warning } from '../../model/conversation.ts';
import type { Clock } from '../../ports/system.ts';
import type { FailedOutcome, Outcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import type { ProviderOptions } from '../provider.ts';
import type { XApiParameters } from './parameters.ts';
import { parseXApiBody, type XApiBody } from './response.ts';

export interface XApiClient {
  /** @param badRequest the outcome of a 400. @default failed */
  get(
    path: string,
    parameters: XApiParameters,
    budget: CallBudget,
    badRequest?: 'refused' | 'failed',
  ): Promise<XApiBody | FailedOutcome>;
  found<T>(value: T, fetchedAt: number, warnings?: readonly Warning[]): Outcome<T>;
  readonly clock: Clock;
}

export const createXApiClient = ({ baseUrl, source, http, clock }: ProviderOptions): XApiClient => ({
  get: async (path, parameters, budget, badRequest = 'failed') =>
    parseXApiBody(await http.get(`${baseUrl}${path}?${new URLSearchParams(parameters)}`, budget), badRequest),
  found: (value, fetchedAt, warnings = []) => ({ kind: 'found', value, source, fetchedAt, warnings }),
  clock,
});
