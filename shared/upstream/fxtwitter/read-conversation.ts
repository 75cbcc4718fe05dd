// Reads posts with their conversation from FxTwitter.
//
// `/2/conversation/{id}` returns the ancestors and the post in `thread`. Its `replies` are about 10 parts of the thread,
// then replies of others. The conversation of the last part returns the following parts. X limits this query more than
// the query for single posts, and it gives no reason if a post cannot be read. `/2/status/{id}` gives the reason, so it is
// requested after every failure. If it succeeds, the answer is the post without its conversation, with a warning.
import { type WarningCode, warning } from '../../contract/warnings.ts';
import { isArticlePreview } from '../../model/article.ts';
import type { Conversation } from '../../model/conversation.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { FailedOutcome, Outcome, PostRequest } from '../../ports/upstream.ts';
import { assembleThread } from '../assemble-thread.ts';
import { PRODUCTION_LIMITS } from '../client-limits.ts';
import { followThread, type PartialExcerpt, type QueryThread } from '../follow-thread.ts';
import type { FetchResult } from '../http-request.ts';
import type { CallBudget } from '../json-client.ts';
import { asArray, asText } from '../json-readers.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { byAge } from '../thread-tree.ts';
import { createFxTwitterPostMapper, mapReason, type PostMapper } from './map-post.ts';
import { parseFxTwitterResponse } from './response.ts';

const MAX_REPLIES = 20;

/** The provider returns replies in no defined order. */
const sortReplies = (replies: readonly PostOrTombstone[], by: 'top' | 'recent'): PostOrTombstone[] => {
  const rank = (entry: PostOrTombstone): number =>
    isTombstone(entry) || by === 'recent' ? 0 : (entry.metrics.likes ?? 0);
  return [...replies].sort((a, b) => rank(b) - rank(a) || byAge(b, a));
};

const repliesIn = (candidates: readonly PostOrTombstone[], { replies }: PostRequest): PostOrTombstone[] =>
  replies === 'off' ? [] : sortReplies(candidates, replies).slice(0, MAX_REPLIES);

/** @param focal replaces its copy among the entries */
const entriesOf = (value: unknown, mapper: PostMapper, focal: Post): PostOrTombstone[] => {
  const entries: PostOrTombstone[] = [];
  for (const raw of asArray(value)) {
    const entry = asRecord(raw)?.['id'] === focal.id ? focal : mapper.entry(raw);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
};

interface PostAnswer {
  readonly kind: 'answer';
  readonly post: Post;
  /** Undefined: the response has only the post. */
  readonly excerpt: PartialExcerpt | undefined;
  readonly readAt: number;
}

/** Only a response of `/2/conversation` has a cursor: null or the cursor of the next page. */
const mayHaveMore = ({ cursor }: JsonRecord): boolean =>
  cursor === undefined || asText(asRecord(cursor)?.['bottom']) !== undefined;

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
  return { kind: 'answer', post, excerpt: excerptOf(body, mapper, post), readAt: now };
};

/** A tombstone counts only for the requested post. */
const gone = (status: JsonRecord, requestedId: string): FailedOutcome =>
  (asText(status['id']) ?? requestedId) === requestedId
    ? { kind: 'gone', reason: mapReason(status) }
    : { kind: 'failed', why: 'tombstone of another post' };

/** Converts a response to an answer. A 404 without a reason is ambiguous, because an outage also causes it. */
const interpretResponse = (fetched: FetchResult, requestedId: string, now: number): PostAnswer | FailedOutcome => {
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

const isDefinite = ({ kind }: PostAnswer | FailedOutcome): boolean =>
  kind === 'answer' || kind === 'gone' || kind === 'refused';

/** The outcome of two failed queries. `down` wins over `failed`. */
const bothFailed = (conversation: FailedOutcome, single: FailedOutcome): FailedOutcome =>
  conversation.kind === 'down' && single.kind === 'failed' ? conversation : single;

/** FxTwitter does not accept ids with one digit. The next provider reads these posts. */
const MIN_ID_DIGITS = 2;

export const createConversationReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions): NonNullable<Provider['readPost']> => {
  const call = async (path: string, id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    interpretResponse(await http.get(`${baseUrl}${path}`, budget), id, clock());

  const callStatus = (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    call(`/2/status/${id}`, id, budget);

  /** Reserves the time of one call for the next provider. */
  const callStatusInstead = async (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> => {
    const reserved = { ...budget, deadline: budget.deadline - PRODUCTION_LIMITS.attemptMilliseconds };
    const answer = await callStatus(id, reserved);
    budget.retries = reserved.retries;
    return answer;
  };

  const callConversation = (
    id: string,
    replies: PostRequest['replies'],
    budget: CallBudget,
  ): Promise<PostAnswer | FailedOutcome> =>
    call(`/2/conversation/${id}?ranking_mode=${replies === 'recent' ? 'recency' : 'likes'}`, id, budget);

  const callThread = (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    call(`/2/thread/${id}`, id, budget);

  /**
   * Queries further parts with `/2/conversation/{id}`. After a failure, `/2/thread/{id}` replaces it for all parts, which
   * returns fewer posts around a part. After an outcome `down` no further call is made, because the caller waits.
   */
  const createThreadQuery = (replies: PostRequest['replies'], budget: CallBudget): QueryThread => {
    let isDown = false;
    let usesThread = false;
    const observe = (answer: PostAnswer | FailedOutcome): PostAnswer | FailedOutcome => {
      isDown ||= answer.kind === 'down';
      return answer;
    };
    return async ({ about, id }, maxCalls) => {
      if (isDown) return { excerpt: undefined, calls: 0 };
      if (usesThread && about === 'part')
        return { excerpt: excerptIn(observe(await callThread(id, budget))), calls: 1 };
      const answer = observe(await callConversation(id, replies, budget));
      if (about === 'ancestor') return { excerpt: ancestorExcerpt(id, answer), calls: 1 };
      if (answer.kind === 'answer' || isDown || maxCalls < 2) return { excerpt: excerptIn(answer), calls: 1 };
      const excerpt = excerptIn(observe(await callThread(id, budget)));
      usesThread = excerpt !== undefined;
      return { excerpt, calls: 2 };
    };
  };

  const outcomeOf = (
    { post, readAt }: PostAnswer,
    parts: Omit<Conversation, 'post'>,
    codes: readonly WarningCode[],
  ) => {
    const warnings = [...codes, ...(isArticlePreview(post) ? (['article_incomplete'] as const) : [])];
    const value: Conversation = { post, ...parts };
    return {
      kind: 'found',
      value,
      source,
      fetchedAt: readAt,
      warnings: warnings.map((code) => warning(code)),
    } as const;
  };

  const postOnly = (answer: PostAnswer, codes: readonly WarningCode[]): Outcome<Conversation> =>
    outcomeOf(answer, { ancestors: [], thread: [], replies: [] }, codes);

  const withConversation = async (
    answer: PostAnswer,
    request: PostRequest,
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> => {
    const { post, excerpt } = answer;
    if (excerpt === undefined) return postOnly(answer, ['conversation_unavailable']);
    if (request.thread === 'off') {
      const { replies } = assembleThread(post, [excerpt]);
      return outcomeOf(answer, { ancestors: [], thread: [], replies: repliesIn(replies, request) }, []);
    }
    const start = { post, excerpt, showsContinuation: true };
    const { ancestors, thread, replies, isWhole } = await followThread(
      start,
      createThreadQuery(request.replies, budget),
    );
    const parts = { ancestors, thread, replies: repliesIn(replies, request) };
    return outcomeOf(answer, parts, isWhole ? [] : ['thread_incomplete']);
  };

  return async (request, budget) => {
    const { id } = request;
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    if (request.thread === 'off' && request.replies === 'off') {
      const answer = await callStatus(id, budget);
      return answer.kind === 'answer' ? postOnly(answer, []) : answer;
    }
    const first = await callConversation(id, request.replies, budget);
    if (first.kind === 'answer') return withConversation(first, request, budget);
    if (isDefinite(first)) return first;
    const single = await callStatusInstead(id, budget);
    if (single.kind === 'answer') return postOnly(single, ['conversation_unavailable']);
    return isDefinite(single) || single.kind === 'ambiguous' ? single : bothFailed(first, single);
  };
};

const excerptIn = (answer: PostAnswer | FailedOutcome): PartialExcerpt | undefined =>
  answer.kind === 'answer' ? answer.excerpt : undefined;

/** @returns a chain that ends with the ancestor or with its tombstone */
const ancestorExcerpt = (id: string, answer: PostAnswer | FailedOutcome): PartialExcerpt | undefined => {
  if (answer.kind === 'gone') {
    return { chain: [{ id, unavailable: true, reason: answer.reason }], others: [], hasMore: false };
  }
  const excerpt = excerptIn(answer);
  return excerpt && { ...excerpt, others: [] };
};
