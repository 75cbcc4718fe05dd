// Interprets responses of FxTwitter about a post: the post, its conversation, or the reason why it cannot be read.

import { isTombstone } from '../../model/entries.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { ReplyOrder } from '../../model/replies.ts';
import { byAge } from '../../model/snowflake.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { PartialExcerpt } from '../follow-thread.ts';
import type { FetchResult } from '../http-request.ts';
import { asArray, asText } from '../json-readers.ts';
import { createFxTwitterPostMapper, mapReason, type PostMapper } from './map-post.ts';
import { parseFxTwitterResponse } from './response.ts';

/** FxTwitter does not accept ids with one digit. The next provider reads these posts. */
export const MIN_ID_DIGITS = 2;

/** The provider returns replies in no defined order. */
export const sortReplies = <T extends PostOrTombstone>(replies: readonly T[], by: ReplyOrder): T[] => {
  const rank = (entry: PostOrTombstone): number =>
    isTombstone(entry) || by === 'recent' ? 0 : (entry.metrics.likes ?? 0);
  return [...replies].sort((a, b) => rank(b) - rank(a) || byAge(b, a));
};

/** @param focal replaces its copy among the entries */
const entriesOf = (value: unknown, mapper: PostMapper, focal: Post): PostOrTombstone[] => {
  const entries: PostOrTombstone[] = [];
  for (const raw of asArray(value)) {
    const entry = asRecord(raw)?.['id'] === focal.id ? focal : mapper.entry(raw);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
};

export interface PostAnswer {
  readonly kind: 'answer';
  readonly post: Post;
  /** Undefined: the response has only the post. */
  readonly excerpt: PartialExcerpt | undefined;
  /** The cursor of the next page of replies; undefined: no more pages, or no response of `/2/conversation`. */
  readonly next: string | undefined;
  readonly readAt: number;
}

/** Only a response of `/2/conversation` has a cursor: null or the cursor of the next page. */
export const nextRepliesOf = ({ cursor }: JsonRecord): string | undefined => asText(asRecord(cursor)?.['bottom']);

const mayHaveMore = (body: JsonRecord): boolean => body['cursor'] === undefined || nextRepliesOf(body) !== undefined;

const excerptOf = (body: JsonRecord, mapper: PostMapper, focal: Post): PartialExcerpt | undefined =>
  Array.isArray(body['thread'])
    ? {
        chain: entriesOf(body['thread'], mapper, focal),
        others: entriesOf(body['replies'], mapper, focal),
        hasMore: mayHaveMore(body),
      }
    : undefined;

const found = (status: JsonRecord, body: JsonRecord, requestedId: string, now: number): PostAnswer | FailedOutcome => {
  const mapper = createFxTwitterPostMapper(now);
  const post = mapper.post(status);
  if (post === undefined) return { kind: 'failed', why: 'post without usable content' };
  // The response to the id of a repost is the original post. Any other id is a fault of the provider.
  if (post.id !== requestedId && post.reposted_by === undefined) return { kind: 'failed', why: 'wrong post' };
  return { kind: 'answer', post, excerpt: excerptOf(body, mapper, post), next: nextRepliesOf(body), readAt: now };
};

/** A tombstone counts only for the requested post. */
const gone = (status: JsonRecord, requestedId: string): FailedOutcome =>
  (asText(status['id']) ?? requestedId) === requestedId
    ? { kind: 'gone', reason: mapReason(status) }
    : { kind: 'failed', why: 'tombstone of another post' };

/** Converts a response to an answer. A 404 without a reason is ambiguous, because an outage also causes it. */
export const interpretConversation = (
  fetched: FetchResult,
  requestedId: string,
  now: number,
): PostAnswer | FailedOutcome => {
  const response = parseFxTwitterResponse(fetched);
  if (response.kind !== 'response') return response;
  const { code, body } = response;
  const status = asRecord(body['status']);
  if (status?.['type'] === 'tombstone') return gone(status, requestedId);
  if (code === 200 && status !== undefined) return found(status, body, requestedId, now);
  if (code === 401 && body['status'] === null) return { kind: 'gone', reason: 'protected' };
  if (code === 404) return { kind: 'ambiguous' };
  if (code === 400) return { kind: 'refused', why: 'the provider refused the request' };
  return { kind: 'failed', why: `code ${code} without a post` };
};
