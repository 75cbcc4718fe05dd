// Parses the envelope of the official API: `{data, includes, meta, errors}`. For a missing resource the status is 200 and
// the body has only `errors`.
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { TombstoneReason } from '../../model/post.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';
import { asArray, asText } from '../json-readers.ts';

export interface XApiBody {
  readonly kind: 'body';
  readonly body: JsonRecord;
}

/** @param badRequest the outcome of a 400: `refused` if the request has a value of the caller, such as a query */
export const parseXApiBody = (fetched: FetchResult, badRequest: 'refused' | 'failed'): XApiBody | FailedOutcome => {
  if (fetched.kind !== 'response') return fetched;
  const { status } = fetched;
  const why = `status ${status}`;
  // 402: the credits of the operator are spent.
  if (status === 402 || status === 429 || status >= 500) return { kind: 'down', why };
  if (status === 400) return { kind: badRequest, why };
  const body = asRecord(fetched.json);
  // A 401 or 403 is about the token of the operator and never about the resource.
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

export interface XApiItems {
  readonly kind: 'items';
  readonly items: readonly unknown[];
  /** The token of the next page; unset: the end. */
  readonly token?: string | undefined;
}

/** @param requested id of the owner of the list; undefined: the list has no owner, so `gone` is not possible */
export const parseXApiItems = (body: JsonRecord, requested?: string): XApiItems | FailedOutcome => {
  const { data } = body;
  const meta = asRecord(body['meta']);
  const token = asText(meta?.['next_token']);
  if (Array.isArray(data)) return { kind: 'items', items: data, token };
  const failed: FailedOutcome =
    requested === undefined ? { kind: 'failed', why: 'no data' } : outcomeWithoutData(body, requested);
  // An empty page has no data, but it has `meta`.
  return failed.kind !== 'gone' && data === undefined && meta !== undefined
    ? { kind: 'items', items: [], token }
    : failed;
};
