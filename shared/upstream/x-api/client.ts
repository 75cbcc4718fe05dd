// Calls the official API, for all readers of the provider: the fields to request, the canaries, the rows that X bills, the
// envelope of responses, and the pages of lists.
import type { QueryKind } from '../../contract/providers.ts';
import { warning } from '../../contract/warnings.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, TombstoneReason } from '../../model/post.ts';
import type { Warning } from '../../model/resources.ts';
import { elapsed, type Instant, later } from '../../model/time.ts';
import type { User } from '../../model/user.ts';
import type { PaidRows } from '../../ports/stores.ts';
import type { Clock } from '../../ports/system.ts';
import type { FailedOutcome, Outcome } from '../../ports/upstream.ts';
import { PRODUCTION_LIMITS } from '../client-limits.ts';
import type { AttemptResult, FetchResult, SendRequest } from '../http-request.ts';
import type { CallBudget, QueryKinds } from '../json-client.ts';
import { asArray, asRecords, asText } from '../json-readers.ts';
import type { Canaries, ProviderOptions, ProviderPage } from '../provider.ts';
import { createXApiPostMapper, mapUser } from './map-post.ts';
import { createWordChoice, nameIn, type Understanding, type Words } from './words.ts';

/** Parameters with the fields to request. Without them X returns only ids and texts. */
export type XApiParameters = Readonly<Record<string, string>>;

const USER_PARAMETERS: XApiParameters = {
  'user.fields':
    'created_at,description,entities,location,profile_image_url,profile_banner_url,protected,public_metrics,url,verified,verified_type',
};

const postParameters = (words: Words): XApiParameters => {
  const references = nameIn(words, 'references');
  const members = [nameIn(words, 'note'), references, nameIn(words, 'edits')];
  // The OpenAPI description has the first one, and the guides the others.
  const expansions = [
    ...(words === 'documented' ? [references] : []),
    ...['id', 'id.author_id', 'id.attachments.media_keys'].map((member) => `${references}.${member}`),
  ];
  return {
    [nameIn(words, 'fields')]:
      `created_at,author_id,conversation_id,lang,public_metrics,entities,attachments,article,possibly_sensitive,in_reply_to_user_id,community_id,source,${members}`,
    ...USER_PARAMETERS,
    'media.fields': 'url,preview_image_url,alt_text,variants,width,height,duration_ms,type',
    'poll.fields': 'options,end_datetime,voting_status',
    expansions: `author_id,attachments.media_keys,attachments.poll_ids,${expansions}`,
  };
};

// Names the canary of each kind of query of the official API. Each endpoint is a kind, because X limits it separately. Most
// lists have no canary, because X bills every row.

type Kind = QueryKind<'x_api'>;

export const xApiQueryKinds = (baseUrl: string, { post, profile }: Canaries): QueryKinds<Kind> => {
  const canaryPaths: Partial<Readonly<Record<Kind, string>>> = {
    '/2/tweets/{id}': `/2/tweets/${post}`,
    '/2/tweets': `/2/tweets?ids=${post}`,
    '/2/tweets/search/recent': `/2/tweets/search/recent?query=from%3A${profile}&max_results=10`,
    '/2/users/by/username/{username}': `/2/users/by/username/${profile}`,
  };
  return {
    canaryUrlOf(kind) {
      const path = canaryPaths[kind];
      return path === undefined ? undefined : `${baseUrl}${path}`;
    },
  };
};

// Counts the rows of every request to the official API, canaries included. X bills the rows in `data`: posts or accounts,
// also those that are not shown, and no row of an error.

/** @returns the most rows that a request returns: those that it names or the size of its page */
export const mostRows = (url: string): number => {
  const { searchParams } = new URL(url);
  const ids = searchParams.get('ids');
  return ids === null ? Number(searchParams.get('max_results') ?? '1') : ids.split(',').length;
};

/** @returns undefined if the request may have been billed, but its rows are not known */
const billedRows = ({ fetched, health, status }: AttemptResult): number | undefined => {
  if (health === 'failure' || status !== undefined) return 0; // no connection, or a 429 or 5xx
  if (fetched.kind !== 'response') return undefined;
  if (fetched.status >= 400) return 0;
  const body = asRecord(fetched.json);
  if (body === undefined) return undefined;
  const { data } = body;
  return Array.isArray(data) ? data.length : Number(data !== undefined);
};

const SKIPPED: AttemptResult = {
  fetched: { kind: 'down', why: 'daily ceiling of rows', isSkipped: true },
  health: 'inconclusive',
  mayRetry: false,
};

const NO_TIME: AttemptResult = {
  fetched: { kind: 'down', why: 'no time left after the reservation of rows' },
  health: 'inconclusive',
  mayRetry: false,
};

/** A reservation that takes longer shortens the call so much that its time-out says nothing about X. */
const MAX_RESERVATION_MILLISECONDS = 500;

/** Reserves the rows that a request can be billed for, within the time of the request. */
export const meterRows =
  (rows: PaidRows, clock: Clock) =>
  (send: SendRequest): SendRequest =>
  async (url, limits) => {
    const startedAt = clock();
    const reservation = await rows.reserve(mostRows(url), later(startedAt, limits.milliseconds));
    if (reservation === undefined) return SKIPPED;
    const spent = elapsed(startedAt, clock());
    const milliseconds = limits.milliseconds - spent;
    if (milliseconds < PRODUCTION_LIMITS.minMilliseconds) {
      await reservation.settle(0);
      return NO_TIME;
    }
    const isReduced = limits.isReduced || spent > MAX_RESERVATION_MILLISECONDS;
    const attempt = await send(url, { ...limits, milliseconds, isReduced });
    const billed = billedRows(attempt);
    if (billed !== undefined) await reservation.settle(billed);
    return attempt;
  };

// Parses the envelope of the official API: `{data, includes, meta, errors}`. For a missing resource the status is 200 and
// the body has only `errors`.

interface XApiBody {
  readonly kind: 'body';
  readonly body: JsonRecord;
}

/** @param refusals the statuses that are about a value of the caller, such as a query: `refused` */
const parseXApiBody = (fetched: FetchResult, refusals: readonly number[]): XApiBody | FailedOutcome => {
  if (fetched.kind !== 'response') return fetched;
  const { status } = fetched;
  const why = `status ${status}`;
  // 402: the credits of the operator are spent.
  if (status === 402 || status === 429 || status >= 500) return { kind: 'down', why };
  if (refusals.includes(status)) return { kind: 'refused', why };
  const body = asRecord(fetched.json);
  // Otherwise, a 401 or 403 is about the token of the operator and never about the resource.
  return status === 200 && body !== undefined ? { kind: 'body', body } : { kind: 'failed', why };
};

const reasons: readonly (readonly [RegExp, TombstoneReason])[] = [
  [/\/not-authorized-for-resource$/, 'protected'],
  [/\/resource-not-found$/, 'unknown'],
];

/** A suspension has no problem type, so the detail is searched. */
const reasonOf = (error: JsonRecord): TombstoneReason | undefined => {
  if (/\bsuspended\b/i.test(asText(error['detail']) ?? '')) return 'suspended';
  const type = asText(error['type']) ?? '';
  return reasons.find(([pattern]) => pattern.test(type))?.[1];
};

type ErrorScope = 'named' | 'any';

/** An error without a resource id counts for the only requested resource, but for none of several. */
const isAbout = (error: JsonRecord, requested: string, scope: ErrorScope): boolean => {
  const resource = asText(error['resource_id']) ?? asText(error['value']);
  if (resource === undefined) return scope === 'any';
  return resource.toLowerCase() === requested.toLowerCase();
};

/**
 * The reason for a missing resource. A "not found" of the official API is definite.
 *
 * @param scope `named`: the response is about several resources @default any
 */
export const outcomeWithoutData = (body: JsonRecord, requested: string, scope: ErrorScope = 'any'): FailedOutcome => {
  for (const entry of asArray(body['errors'])) {
    const error = asRecord(entry);
    const reason = error !== undefined && isAbout(error, requested, scope) ? reasonOf(error) : undefined;
    if (reason !== undefined) return { kind: 'gone', reason };
  }
  return { kind: 'failed', why: 'no data' };
};

interface XApiItems {
  readonly kind: 'items';
  readonly items: readonly unknown[];
  /** The token of the next page; unset: the end. */
  readonly token?: string | undefined;
}

/** @param owner id of the owner of the list; undefined: the list has no owner, so `gone` is not possible */
const parseItems = (body: JsonRecord, owner?: string): XApiItems | FailedOutcome => {
  const { data } = body;
  const meta = asRecord(body['meta']);
  const token = asText(meta?.['next_token']);
  if (Array.isArray(data)) return { kind: 'items', items: data, token };
  const failed: FailedOutcome =
    owner === undefined ? { kind: 'failed', why: 'no data' } : outcomeWithoutData(body, owner);
  // An empty page has no data, but it has `meta`.
  return failed.kind !== 'gone' && data === undefined && meta !== undefined
    ? { kind: 'items', items: [], token }
    : failed;
};

/** An endpoint, and the id or name in its path. */
export interface XApiQuery {
  readonly kind: Kind;
  /** @default the path has none */
  readonly id?: string;
}

/** What is requested: posts or accounts. */
interface ItemKind<T> {
  fields(words: Words): XApiParameters;
  /** The members with what every item has if its fields were understood; X gives id and text unasked. @default none */
  readonly asked?: readonly string[];
  map(items: readonly unknown[], body: JsonRecord, now: number): readonly T[];
}

export const POSTS: ItemKind<Post> = {
  fields: postParameters,
  asked: ['created_at', 'author_id', 'public_metrics'],
  map(items, body, now) {
    const mapper = createXApiPostMapper(body['includes'], now);
    return items.flatMap((item) => mapper.post(item) ?? []);
  },
};

export const USERS: ItemKind<User> = {
  fields: () => USER_PARAMETERS,
  map: (items) => items.flatMap((item) => mapUser(item) ?? []),
};

export interface XApiClient {
  /** @param refusals the statuses that are `refused` @default none: they are `failed` */
  get(
    query: XApiQuery,
    items: Pick<ItemKind<unknown>, 'fields' | 'asked'>,
    parameters: XApiParameters,
    budget: CallBudget,
    refusals?: readonly number[],
  ): Promise<XApiBody | FailedOutcome>;
  found<T>(value: T, fetchedAt: number, warnings?: readonly Warning[]): Outcome<T>;
  readonly clock: () => Instant;
}

/** @returns undefined if the response says nothing about the words */
const understandingOf = (fetched: FetchResult, asked: readonly string[]): Understanding | undefined => {
  if (fetched.kind !== 'response') return undefined;
  if (fetched.status === 400) return 'rejected';
  const data = asRecord(fetched.json)?.['data'];
  const items = asRecords(Array.isArray(data) ? data : [data]);
  if (items.length === 0) return undefined;
  return items.some((item) => asked.some((member) => item[member] !== undefined)) ? 'understood' : 'bare';
};

export const createXApiClient = ({ baseUrl, source, http, clock, paidRows }: ProviderOptions<'x_api'>): XApiClient => {
  const askInWords = createWordChoice();
  return {
    async get({ kind, id = '' }, { fields, asked }, parameters, budget, refusals = []) {
      const path = kind.replace(/\{\w+\}/, () => id);
      const ask = async (words: Words): Promise<FetchResult> => {
        const url = `${baseUrl}${path}?${new URLSearchParams({ ...fields(words), ...parameters })}`;
        if (paidRows?.isSpent(mostRows(url))) return { kind: 'down', why: 'daily ceiling of rows', isSkipped: true };
        return http.get({ kind, url }, budget);
      };
      const fetched =
        asked === undefined
          ? await ask('documented')
          : await askInWords(ask, (answer) => understandingOf(answer, asked));
      return parseXApiBody(fetched, refusals);
    },
    found: (value, fetchedAt, warnings = []) => ({ kind: 'found', value, source, fetchedAt, warnings }),
    clock,
  };
};

export interface XApiList<T> {
  readonly items: ItemKind<T>;
  /** With the id of the owner of the list; a search has no owner, so it is never gone. */
  readonly query: XApiQuery;
  /** X accepts a number of rows only within these bounds. */
  readonly rows: readonly [min: number, max: number];
  readonly parameters?: XApiParameters;
  /** The parameters with the bounds of a timeline. */
  readonly period?: XApiParameters;
  /** The parameter that has the token of the page. @default `pagination_token` */
  readonly tokenParameter?: 'pagination_token' | 'next_token';
  /** The statuses of the first page that are about a value of the caller. @default none */
  readonly refusals?: readonly number[];
  /** Selects the items that belong to the list. @default all */
  readonly select?: (items: readonly T[]) => Pick<ProviderPage<T>, 'items' | 'others'>;
  /** Turns the token of the next page into the cursor of this provider. @default the token */
  readonly cursorOf?: (token: string) => string;
  readonly warnings?: readonly Warning[];
}

/** The page token of X; unset: the first page. */
export interface XApiPage {
  readonly size: number;
  readonly token?: string | undefined;
}

export const readListPage = async <T>(
  { get, found, clock }: XApiClient,
  { items: kind, query, rows: [min, max], tokenParameter = 'pagination_token', ...list }: XApiList<T>,
  { size, token }: XApiPage,
  budget: CallBudget,
): Promise<Outcome<ProviderPage<T>>> => {
  const parameters = {
    ...list.parameters,
    max_results: String(Math.min(Math.max(size, min), max)),
    ...list.period,
    ...(token !== undefined && { [tokenParameter]: token }),
  };
  // A page with a token has a value of the caller.
  const answer = await get(query, kind, parameters, budget, token === undefined ? list.refusals : [400]);
  if (answer.kind !== 'body') return answer;
  const page = parseItems(answer.body, query.id);
  if (page.kind !== 'items') return page;
  const now = clock();
  const next = page.token === undefined ? {} : { next: list.cursorOf?.(page.token) ?? page.token };
  const items = kind.map(page.items, answer.body, now);
  return found({ ...(list.select?.(items) ?? { items }), ...next }, now, list.warnings);
};

/** @param list the rows that the search needs beside its text */
export const searchOf = (
  query: string,
  order: 'relevancy' | 'recency',
  list: Pick<XApiList<Post>, 'refusals' | 'select' | 'cursorOf'> = {},
): XApiList<Post> => ({
  items: POSTS,
  query: { kind: '/2/tweets/search/recent' },
  rows: [10, 100],
  parameters: { query, sort_order: order },
  tokenParameter: 'next_token',
  warnings: [warning('recent_only')],
  ...list,
});
