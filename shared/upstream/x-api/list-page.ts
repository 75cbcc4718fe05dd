// Reads one page of a list from the official API: maps the rows and passes the token of the next page on.

import type { JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import type { User } from '../../model/user.ts';
import type { Outcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import type { ProviderPage } from '../provider.ts';
import type { XApiClient, XApiQuery } from './client.ts';
import { createXApiPostMapper } from './map-post.ts';
import { mapUser } from './map-user.ts';
import type { XApiParameters } from './parameters.ts';
import { parseXApiItems } from './response.ts';

export interface ListCall<T> {
  readonly query: XApiQuery;
  readonly parameters: XApiParameters;
  /** The parameter that has the token of the page. @default `pagination_token` */
  readonly tokenParameter?: 'pagination_token' | 'next_token';
  /** Unset: the first page. */
  readonly token?: string | undefined;
  /** The id of the profile or post whose list it is; unset: a search, which is never gone. */
  readonly owner?: string;
  /** The outcome of a 400. @default refused for a page with a token, else failed */
  readonly badRequest?: 'refused';
  mapItems(items: readonly unknown[], body: JsonRecord, now: number): readonly T[];
  /** Selects the items that belong to the list. @default all */
  readonly select?: (items: readonly T[]) => Pick<ProviderPage<T>, 'items' | 'others'>;
  /** Turns the token of the next page into the cursor of this provider. @default the token */
  readonly cursorOf?: (token: string) => string;
  readonly warnings?: readonly Warning[];
}

/** X accepts a number of rows only within these bounds. */
export const rowCount = (requested: number, min: number, max: number): string =>
  String(Math.min(Math.max(requested, min), max));

export const readListPage = async <T>(
  { get, found, clock }: XApiClient,
  {
    query,
    parameters,
    tokenParameter = 'pagination_token',
    token,
    owner,
    badRequest,
    mapItems,
    select,
    cursorOf,
    warnings,
  }: ListCall<T>,
  budget: CallBudget,
): Promise<Outcome<ProviderPage<T>>> => {
  const pageParameters = token === undefined ? {} : { [tokenParameter]: token };
  const onBadRequest = badRequest ?? (token === undefined ? 'failed' : 'refused');
  const answer = await get(query, { ...parameters, ...pageParameters }, budget, onBadRequest);
  if (answer.kind !== 'body') return answer;
  const page = parseXApiItems(answer.body, owner);
  if (page.kind !== 'items') return page;
  const now = clock();
  const next = page.token === undefined ? {} : { next: cursorOf?.(page.token) ?? page.token };
  const items = mapItems(page.items, answer.body, now);
  return found({ ...(select?.(items) ?? { items }), ...next }, now, warnings);
};

export const mapPosts = (items: readonly unknown[], body: JsonRecord, now: number): Post[] => {
  const mapper = createXApiPostMapper(body['includes'], now);
  return items.flatMap((item) => mapper.post(item) ?? []);
};

export const mapUsers = (items: readonly unknown[]): User[] => items.flatMap((item) => mapUser(item) ?? []);
