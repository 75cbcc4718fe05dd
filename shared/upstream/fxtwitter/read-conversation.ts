// Reads posts with their conversation. What an answer means is in interpret().
//
// `/2/conversation/{id}` shows the ancestors and the post as `thread`, and as `replies` about 10 parts of what the
// author goes on with, then replies of others. The parts after those are shown by the conversation of the last part.
// X limits this query more than the one for single posts, and it hides why a post cannot be read. `/2/status/{id}`
// knows, so that it is asked after every failure.
import { type WarningCode, warning } from '../../contract/warnings.ts';
import { isArticlePreview } from '../../model/article.ts';
import type { Conversation } from '../../model/conversation.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { FailedOutcome, Outcome, PostRequest } from '../../ports/upstream.ts';
import { assembleThread, byAge } from '../assemble-thread.ts';
import { followThread, type PartialExcerpt, type QueryThread } from '../follow-thread.ts';
import type { FetchResult } from '../http-request.ts';
import { type CallBudget, PRODUCTION_LIMITS } from '../json-client.ts';
import { asArray, asText } from '../json-readers.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { createFxTwitterPostMapper, mapReason, type PostMapper } from './map-post.ts';
import { parseFxTwitterResponse } from './response.ts';

const MAX_REPLIES = 20;

/** The provider sends replies in no particular order. */
const sortReplies = (replies: readonly PostOrTombstone[], by: 'top' | 'recent'): PostOrTombstone[] => {
  const rank = (entry: PostOrTombstone): number =>
    isTombstone(entry) || by === 'recent' ? 0 : (entry.metrics.likes ?? 0);
  return [...replies].sort((a, b) => rank(b) - rank(a) || byAge(b, a));
};

const repliesIn = (candidates: readonly PostOrTombstone[], { replies }: PostRequest): PostOrTombstone[] =>
  replies === 'off' ? [] : sortReplies(candidates, replies).slice(0, MAX_REPLIES);

/** @param focal stands among the entries once more */
const entriesOf = (value: unknown, mapper: PostMapper, focal: Post): PostOrTombstone[] => {
  const entries: PostOrTombstone[] = [];
  for (const raw of asArray(value)) {
    const entry = asRecord(raw)?.['id'] === focal.id ? focal : mapper.entry(raw);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
};

interface Answer {
  readonly kind: 'answer';
  readonly post: Post;
  /** Undefined: the provider read the post alone. */
  readonly excerpt: PartialExcerpt | undefined;
  readonly readAt: number;
}

/** Only the answer of `/2/conversation` has a cursor: null, or that of the next page. */
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

const found = (status: JsonRecord, body: JsonRecord, asked: string, now: number): Answer | FailedOutcome => {
  const mapper = createFxTwitterPostMapper(now);
  const post = mapper.post(status);
  if (post === undefined) return { kind: 'failed', why: 'post without usable content' };
  // A repost is answered with the original; anything else under another id is a mix-up.
  if (post.id !== asked && post.reposted_by === undefined) return { kind: 'failed', why: 'wrong post' };
  return { kind: 'answer', post, excerpt: excerptOf(body, mapper, post), readAt: now };
};

/** A tombstone is believed for the post that was asked for. */
const gone = (status: JsonRecord, asked: string): FailedOutcome =>
  (asText(status['id']) ?? asked) === asked
    ? { kind: 'gone', reason: mapReason(status) }
    : { kind: 'failed', why: 'tombstone of another post' };

/** Interprets an answer to a post request; a bare 404 may be an outage. */
const interpretResponse = (fetched: FetchResult, asked: string, now: number): Answer | FailedOutcome => {
  const reply = parseFxTwitterResponse(fetched);
  if (reply.kind !== 'response') return reply;
  const { code, body } = reply;
  const status = asRecord(body['status']);
  if (status?.['type'] === 'tombstone') return gone(status, asked);
  if (code === 200 && status !== undefined) return found(status, body, asked, now);
  if (code === 401 && body['status'] === null) return { kind: 'gone', reason: 'protected' };
  if (code === 404) return { kind: 'ambiguous' };
  if (code === 400) return { kind: 'refused', why: 'the provider refused the request' };
  return { kind: 'failed', why: `code ${code} without a post` };
};

const isDefinite = ({ kind }: Answer | FailedOutcome): boolean =>
  kind === 'answer' || kind === 'gone' || kind === 'refused';

/** The outcome of two failed queries: unusable only if both were. */
const bothFailed = (conversation: FailedOutcome, single: FailedOutcome): FailedOutcome =>
  conversation.kind === 'down' && single.kind === 'failed' ? conversation : single;

/** It takes ids of two digits and more for ids. The few older posts are for the next source to find. */
const LEAST_DIGITS = 2;

export const createConversationReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions): NonNullable<Provider['readPost']> => {
  const ask = async (path: string, id: string, budget: CallBudget): Promise<Answer | FailedOutcome> =>
    interpretResponse(await http.get(`${baseUrl}${path}`, budget), id, clock());

  const askStatus = (id: string, budget: CallBudget): Promise<Answer | FailedOutcome> =>
    ask(`/2/status/${id}`, id, budget);

  /** Leaves the next provider the time of one call. */
  const askStatusInstead = async (id: string, budget: CallBudget): Promise<Answer | FailedOutcome> => {
    const reserved = { ...budget, deadline: budget.deadline - PRODUCTION_LIMITS.attemptMilliseconds };
    const answer = await askStatus(id, reserved);
    budget.retries = reserved.retries;
    return answer;
  };

  const askConversation = (
    id: string,
    replies: PostRequest['replies'],
    budget: CallBudget,
  ): Promise<Answer | FailedOutcome> =>
    ask(`/2/conversation/${id}?ranking_mode=${replies === 'recent' ? 'recency' : 'likes'}`, id, budget);

  const askThread = (id: string, budget: CallBudget): Promise<Answer | FailedOutcome> =>
    ask(`/2/thread/${id}`, id, budget);

  /**
   * `/2/thread/{id}` knows less of what is around a part. It stands in when conversations fail, and from then on. A
   * provider that is down is not asked further: the caller waits.
   */
  const furtherAsker = (replies: PostRequest['replies'], budget: CallBudget): QueryThread => {
    let isDown = false;
    let hasStoodIn = false;
    const heard = (answer: Answer | FailedOutcome): Answer | FailedOutcome => {
      isDown ||= answer.kind === 'down';
      return answer;
    };
    return async ({ about, id }, maxCalls) => {
      if (isDown) return { excerpt: undefined, calls: 0 };
      if (hasStoodIn && about === 'part') return { excerpt: excerptIn(heard(await askThread(id, budget))), calls: 1 };
      const answer = heard(await askConversation(id, replies, budget));
      if (about === 'ancestor') return { excerpt: ancestorExcerpt(id, answer), calls: 1 };
      if (answer.kind === 'answer' || isDown || maxCalls < 2) return { excerpt: excerptIn(answer), calls: 1 };
      const excerpt = excerptIn(heard(await askThread(id, budget)));
      hasStoodIn = excerpt !== undefined;
      return { excerpt, calls: 2 };
    };
  };

  const outcomeOf = ({ post, readAt }: Answer, parts: Omit<Conversation, 'post'>, codes: readonly WarningCode[]) => {
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

  const alone = (answer: Answer, codes: readonly WarningCode[]): Outcome<Conversation> =>
    outcomeOf(answer, { ancestors: [], thread: [], replies: [] }, codes);

  const withConversation = async (
    answer: Answer,
    request: PostRequest,
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> => {
    const { post, excerpt } = answer;
    if (excerpt === undefined) return alone(answer, ['conversation_unavailable']);
    if (request.thread === 'off') {
      const { replies } = assembleThread(post, [excerpt]);
      return outcomeOf(answer, { ancestors: [], thread: [], replies: repliesIn(replies, request) }, []);
    }
    const start = { post, excerpt, showsContinuation: true };
    const { ancestors, thread, replies, isWhole } = await followThread(start, furtherAsker(request.replies, budget));
    const parts = { ancestors, thread, replies: repliesIn(replies, request) };
    return outcomeOf(answer, parts, isWhole ? [] : ['thread_incomplete']);
  };

  return async (request, budget) => {
    const { id } = request;
    if (id.length < LEAST_DIGITS) return { kind: 'ambiguous' };
    if (request.thread === 'off' && request.replies === 'off') {
      const answer = await askStatus(id, budget);
      return answer.kind === 'answer' ? alone(answer, []) : answer;
    }
    const first = await askConversation(id, request.replies, budget);
    if (first.kind === 'answer') return withConversation(first, request, budget);
    if (isDefinite(first)) return first;
    const single = await askStatusInstead(id, budget);
    if (single.kind === 'answer') return alone(single, ['conversation_unavailable']);
    return isDefinite(single) || single.kind === 'ambiguous' ? single : bothFailed(first, single);
  };
};

const excerptIn = (answer: Answer | FailedOutcome): PartialExcerpt | undefined =>
  answer.kind === 'answer' ? answer.excerpt : undefined;

/** A chain that ends with the ancestor, or with its tombstone. */
const ancestorExcerpt = (id: string, answer: Answer | FailedOutcome): PartialExcerpt | undefined => {
  if (answer.kind === 'gone') {
    return { chain: [{ id, unavailable: true, reason: answer.reason }], others: [], hasMore: false };
  }
  const excerpt = excerptIn(answer);
  return excerpt && { ...excerpt, others: [] };
};
