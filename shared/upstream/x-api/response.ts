// What an answer of the official API amounts to before anything in it is mapped. Its envelope is
// `{data, includes, meta, errors}`, and a missing resource is status 200 with `errors` alone.

import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { TombstoneReason } from '../../model/post.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { FetchResult } from '../http-request.ts';
import { asArray, asText } from '../json-readers.ts';

export interface XApiBody {
  readonly kind: 'body';
  readonly body: JsonRecord;
}

/** @param badRequest whose fault a 400 is: `refused` where the caller's own words are part of the request */
export const parseXApiBody = (fetched: FetchResult, badRequest: 'refused' | 'failed'): XApiBody | FailedOutcome => {
  if (fetched.kind !== 'response') return fetched;
  const { status } = fetched;
  const why = `status ${status}`;
  // 402: the operator's credits are used up.
  if (status === 402 || status === 429 || status >= 500) return { kind: 'down', why };
  if (status === 400) return { kind: badRequest, why };
  const body = asRecord(fetched.json);
  // 401 and 403 of the whole call are about our token, never about the resource.
  return status === 200 && body !== undefined ? { kind: 'body', body } : { kind: 'failed', why };
};

const reasons: readonly (readonly [RegExp, TombstoneReason])[] = [
  [/\/not-authorized-for-resource$/, 'protected'],
  [/\/resource-not-found$/, 'unknown'],
];

/** Suspension has no type of its own; only the words of the problem tell. */
const reasonOf = (error: JsonRecord): TombstoneReason | undefined => {
  if (/\bsuspended\b/i.test(asText(error['detail']) ?? '')) return 'suspended';
  const type = asText(error['type']) ?? '';
  return reasons.find(([pattern]) => pattern.test(type))?.[1];
};

/** Errors mostly name their resource; one that names another is none of ours. */
const isAbout = (error: JsonRecord, asked: string): boolean => {
  const named = asText(error['resource_id']) ?? asText(error['value']);
  return named === undefined || named.toLowerCase() === asked.toLowerCase();
};

/** Why there is no data. The official API is definite: what it does not find is not there. */
export const outcomeWithoutData = (body: JsonRecord, asked: string): FailedOutcome => {
  for (const entry of asArray(body['errors'])) {
    const error = asRecord(entry);
    const reason = error !== undefined && isAbout(error, asked) ? reasonOf(error) : undefined;
    if (reason !== undefined) return { kind: 'gone', reason };
  }
  return { kind: 'failed', why: 'no data' };
};

export interface XApiItems {
  readonly kind: 'items';
  readonly items: readonly unknown[];
  /** Of the next page; unset: the end. */
  readonly token?: string | undefined;
}

/** @param asked whose list it is; unset: nobody's, so that nobody can be gone */
export const parseXApiItems = (body: JsonRecord, asked?: string): XApiItems | FailedOutcome => {
  const { data } = body;
  const meta = asRecord(body['meta']);
  const token = asText(meta?.['next_token']);
  if (Array.isArray(data)) return { kind: 'items', items: data, token };
  const miss: FailedOutcome =
    asked === undefined ? { kind: 'failed', why: 'no data' } : outcomeWithoutData(body, asked);
  // An empty page has no data, but says that it counted.
  return miss.kind !== 'gone' && data === undefined && meta !== undefined ? { kind: 'items', items: [], token } : miss;
};
