// Reads posts with their conversation from FxTwitter.
//
// `/2/conversation/{id}` returns the ancestors and the post in `thread`. Its `replies` are about 10 parts of the thread,
// then replies of others. The conversation of the last part returns the following parts. X limits this query more than
// the query for single posts, and it gives no reason if a post cannot be read. `/2/status/{id}` gives the reason, so it is
// requested after every failure. If it succeeds, the answer is the post without its conversation, with a warning.
import { type WarningCode, warning } from '../../contract/warnings.ts';
import { isArticlePreview } from '../../model/article.ts';
import type { Conversation } from '../../model/conversation.ts';
import type { PostOrTombstone } from '../../model/post.ts';
import { MAX_CONVERSATION_REPLIES } from '../../model/replies.ts';
import type { FailedOutcome, Outcome, PostRequest } from '../../ports/upstream.ts';
import { assembleThread } from '../assemble-thread.ts';
import { PRODUCTION_LIMITS } from '../client-limits.ts';
import { followThread, type PartialExcerpt, type QueryThread } from '../follow-thread.ts';
import type { CallBudget } from '../json-client.ts';
import { getInterpreted } from '../judge.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { interpretConversation, MIN_ID_DIGITS, type PostAnswer, sortReplies } from './conversation-response.ts';

const repliesIn = (candidates: readonly PostOrTombstone[], { replies }: PostRequest): PostOrTombstone[] =>
  replies === 'off' ? [] : sortReplies(candidates, replies).slice(0, MAX_CONVERSATION_REPLIES);

const isDefinite = ({ kind }: PostAnswer | FailedOutcome): boolean =>
  kind === 'answer' || kind === 'gone' || kind === 'refused';

/** The outcome of two failed queries. `down` wins over `failed`. */
const bothFailed = (conversation: FailedOutcome, single: FailedOutcome): FailedOutcome =>
  conversation.kind === 'down' && single.kind === 'failed' ? conversation : single;

export const createConversationReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions): NonNullable<Provider['readPost']> => {
  const call = async (path: string, id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    getInterpreted(http, `${baseUrl}${path}`, budget, (fetched) => interpretConversation(fetched, id, clock()));

  const callStatus = (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    call(`/2/status/${id}`, id, budget);

  /** Reserves the time of one call for the next provider. */
  const callStatusInstead = async (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> => {
    const reserved: CallBudget = { ...budget, deadline: budget.deadline - PRODUCTION_LIMITS.attemptMilliseconds };
    const answer = await callStatus(id, reserved);
    budget.retries = reserved.retries;
    if (reserved.isStarved) budget.isStarved = true;
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
    return { chain: [{ id, unavailable: true, reason: answer.reason }], others: [] };
  }
  const excerpt = excerptIn(answer);
  return excerpt && { ...excerpt, others: [] };
};
