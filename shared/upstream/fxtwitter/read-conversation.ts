// Reads posts with their conversation from FxTwitter.
//
// `/2/conversation/{id}` returns the ancestors and the post in `thread`. Its `replies` are about 10 parts of the thread,
// then replies of others. The conversation of the last part returns the following parts. X limits this query more than
// the query for single posts, and it gives no reason if a post cannot be read. `/2/thread/{id}` asks for single posts too:
// it gives the reason, and the author's thread at the cost of the post. So it is requested after every failure. If it
// succeeds, the answer is the thread without replies, with a warning.
//
// Posts that FxTwitter may have cut take the calls that are left (cut-posts.ts), and hold up the others for a short time only.
//
// With `lang`, `/2/conversation/{id}` adds the translations that X has. `/2/status/{id}` and `/2/thread/{id}` ask a translator,
// which can be slow or out of order for weeks, so only translatePost asks one, for one post, as a kind of query of its own. A
// conversation that fails with `lang` is requested without it.
import { type WarningCode, warning } from '../../contract/warnings.ts';
import { ancestorGap, isArticlePreview, isTombstone } from '../../model/conversation.ts';
import { MAX_CONVERSATION_REPLIES } from '../../model/lists.ts';
import type { Post, PostOrTombstone, Translation } from '../../model/post.ts';
import type { Conversation } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { FailedOutcome, Outcome, PostRequest, TranslationRequest } from '../../ports/upstream.ts';
import { assembleThread } from '../assemble-thread.ts';
import { NEXT_PROVIDER_MILLISECONDS } from '../client-limits.ts';
import { followThread, MAX_CALLS_WITHOUT_THREAD, type PartialExcerpt, type QueryThread } from '../follow-thread.ts';
import type { CallBudget } from '../json-client.ts';
import { nodesById, standingsIn } from '../membership.ts';
import type { Provider, ProviderOptions } from '../provider.ts';
import { within } from '../wait.ts';
import { completePosts } from './cut-posts.ts';
import { asksSecondWay } from './failures.ts';
import { providerCode } from './requests.ts';
import { interpretConversation, MIN_ID_DIGITS, type PostAnswer, sortReplies } from './responses.ts';

/** A conversation that was read waits this long for the rest of the other posts that are cut. */
const COMPLETION_MILLISECONDS = 2000;

const repliesIn = (candidates: readonly PostOrTombstone[], { replies, isExcerpt }: PostRequest): PostOrTombstone[] =>
  replies === 'off' ? [] : sortReplies(candidates, replies).slice(0, isExcerpt ? undefined : MAX_CONVERSATION_REPLIES);

const isDefinite = (outcome: PostAnswer | FailedOutcome, budget: CallBudget): boolean =>
  !asksSecondWay('conversation', outcome, budget);

/** The outcome of two failed queries. `down` wins over `failed`. */
const bothFailed = (conversation: FailedOutcome, thread: FailedOutcome): FailedOutcome =>
  conversation.kind === 'down' && thread.kind === 'failed' ? conversation : thread;

type CallForPost = (
  kind: 'status' | 'conversation' | 'translation',
  path: string,
  id: string,
  budget: CallBudget,
) => Promise<PostAnswer | FailedOutcome>;

const createCall =
  ({ baseUrl, http, clock }: ProviderOptions<'fxtwitter'>): CallForPost =>
  async (kind, path, id, budget) =>
    interpretConversation(await http.get({ kind, url: `${baseUrl}${path}` }, budget), id, clock(), kind);

export const createTranslator = (
  options: ProviderOptions<'fxtwitter'>,
): ((request: TranslationRequest, budget: CallBudget) => Promise<Outcome<Translation>>) => {
  const call = createCall(options);
  return async ({ id, lang }, budget) => {
    if (id.length < MIN_ID_DIGITS) return { kind: 'absent' };
    const answer = await call('translation', `/2/status/${id}?lang=${providerCode(lang)}`, id, budget);
    if (answer.kind !== 'answer') return answer;
    const { translation } = answer.post;
    return translation === undefined
      ? { kind: 'absent' }
      : { kind: 'found', value: translation, source: options.source, fetchedAt: answer.readAt, warnings: [] };
  };
};

export const createConversationReader = (options: ProviderOptions<'fxtwitter'>): NonNullable<Provider['readPost']> => {
  const { source } = options;
  const call = createCall(options);

  /** Its query of X is the one of a conversation. */
  const callThread = (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> =>
    call('conversation', `/2/thread/${id}`, id, budget);

  /** Leaves time to the next provider. */
  const callThreadInstead = (id: string, budget: CallBudget): Promise<PostAnswer | FailedOutcome> => {
    const deadline = budget.isLast ? budget.deadline : later(budget.deadline, -NEXT_PROVIDER_MILLISECONDS);
    return callThread(id, { ...budget, deadline });
  };

  const callConversation = (
    id: string,
    { replies, lang }: Omit<PostRequest, 'id'>,
    budget: CallBudget,
  ): Promise<PostAnswer | FailedOutcome> => {
    const mode = replies === 'recent' ? 'recency' : 'likes';
    const language = lang === undefined ? '' : `&lang=${providerCode(lang)}`;
    return call('conversation', `/2/conversation/${id}?ranking_mode=${mode}${language}`, id, budget);
  };

  /**
   * Queries further parts with `/2/conversation/{id}`. After a failure, `/2/thread/{id}` replaces it for all parts, which
   * returns fewer posts around a part. After an outcome `down` no further call is made, because the caller waits.
   *
   * @param hasFailed the conversation of the post has failed
   */
  const createThreadQuery = (request: PostRequest, hasFailed: boolean, budget: CallBudget): QueryThread => {
    let isDown = false;
    let usesThread = hasFailed;
    const observe = (answer: PostAnswer | FailedOutcome): PostAnswer | FailedOutcome => {
      isDown ||= answer.kind === 'down';
      return answer;
    };
    return async ({ about, id }, maxCalls) => {
      if (isDown) return { excerpt: undefined, calls: 0 };
      if (usesThread && about === 'part')
        return { excerpt: excerptIn(observe(await callThread(id, budget))), calls: 1 };
      const answer = observe(await callConversation(id, request, budget));
      if (about === 'ancestor') return { excerpt: ancestorExcerpt(id, answer), calls: 1 };
      if (answer.kind === 'answer' || isDown || maxCalls < 2) return { excerpt: excerptIn(answer), calls: 1 };
      const excerpt = excerptIn(observe(await callThread(id, budget)));
      usesThread = excerpt !== undefined;
      return { excerpt, calls: 2 };
    };
  };

  /** @param callsLeft for posts that may be cut */
  const outcomeOf = async (
    { post: read, readAt }: PostAnswer,
    around: Omit<Conversation, 'post'>,
    codes: readonly WarningCode[],
    callsLeft: number,
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> => {
    const value = await completePosts({ post: read, ...around }, callsLeft, async (id) => {
      const called = callThread(id, { ...budget, isLast: false });
      // Without its own text, the answer is worth little.
      const answer = id === read.id ? await called : await within(COMPLETION_MILLISECONDS, called);
      return answer?.kind === 'answer' ? answer.post : undefined;
    });
    const { post } = value;
    const all: readonly WarningCode[] = isArticlePreview(post) ? [...codes, 'article_incomplete'] : codes;
    const warnings = all.map((code) => warning(code));
    return { kind: 'found', value, source, fetchedAt: readAt, warnings };
  };

  const postOnly = (
    answer: PostAnswer,
    codes: readonly WarningCode[],
    calls: number,
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> =>
    outcomeOf(answer, { ancestors: [], thread: [], replies: [] }, codes, MAX_CALLS_WITHOUT_THREAD - calls, budget);

  /** @param calls the number of calls so far @param hasFailed the conversation has failed, and the thread replaces it */
  const withConversation = async (
    answer: PostAnswer,
    request: PostRequest,
    { calls, hasFailed }: { readonly calls: number; readonly hasFailed: boolean },
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> => {
    const { post, excerpt } = answer;
    if (excerpt === undefined) return postOnly(answer, ['conversation_unavailable'], calls, budget);
    const codes: readonly WarningCode[] = hasFailed ? ['conversation_unavailable'] : [];
    if (request.isExcerpt || request.thread === 'off') {
      // The use case leaves the thread out. Its first part is one of the replies that the post counts.
      const { ancestors, thread, replies } = assembleThread(post, [excerpt]);
      const parts = { ancestors, thread, replies: repliesIn(replies, request) };
      nameConversation(post, parts);
      return request.isExcerpt
        ? outcomeOf(answer, parts, codes, 0, budget)
        : outcomeOf(answer, { ...parts, ancestors: [] }, codes, MAX_CALLS_WITHOUT_THREAD - calls, budget);
    }
    const start = { post, excerpt, showsContinuation: true, calls };
    const { ancestors, thread, replies, isWhole, callsLeft } = await followThread(
      start,
      createThreadQuery(request, hasFailed, budget),
    );
    const parts = { ancestors, thread, replies: repliesIn(replies, request) };
    nameConversation(post, parts);
    return outcomeOf(answer, parts, isWhole ? codes : [...codes, 'thread_incomplete'], callsLeft, budget);
  };

  return async (request, budget) => {
    const { id } = request;
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    // No other base URL follows a found post.
    const budgetOfRest: CallBudget = { ...budget, hasNextBaseUrl: false };
    if (request.thread === 'off' && request.replies === 'off') {
      const answer = await call('status', `/2/status/${id}`, id, budget);
      return answer.kind === 'answer' ? postOnly(answer, [], 1, budgetOfRest) : answer;
    }
    const { lang, ...plain } = request;
    const callFirst = (asked: PostRequest): Promise<PostAnswer | FailedOutcome> =>
      callConversation(id, asked, { ...budget, isLast: false });
    const translated = lang === undefined ? undefined : await callFirst(request);
    // Any other outcome can be a failure of the translation.
    const isConclusive =
      translated?.kind === 'answer' || translated?.kind === 'gone' || translated?.kind === 'ambiguous';
    const first =
      translated !== undefined && (isConclusive || budget.hasNextBaseUrl) ? translated : await callFirst(plain);
    const calls = first === translated || translated === undefined ? 1 : 2;
    if (first.kind === 'answer')
      return withConversation(first, isConclusive ? request : plain, { calls, hasFailed: false }, budgetOfRest);
    if (isDefinite(first, budget)) return first;
    const second = await callThreadInstead(id, budget);
    if (second.kind === 'answer') {
      if (second.excerpt !== undefined)
        return withConversation(second, request, { calls: calls + 1, hasFailed: true }, budget);
      // The thread failed as well. X has two queries for it, of which the provider takes one at random.
      const third = await callThreadInstead(id, budget);
      const known = third.kind === 'answer' ? third : second;
      return withConversation(known, request, { calls: calls + 2, hasFailed: true }, budget);
    }
    return isDefinite(second, budget) || second.kind === 'ambiguous' ? second : bothFailed(first, second);
  };
};

/** @returns the first post of the conversation; undefined: the ancestors do not reach it */
const rootOf = (post: Post, ancestors: readonly PostOrTombstone[]): string | undefined => {
  const first = ancestors[0] ?? post;
  return isTombstone(first) || ancestorGap(post, ancestors) !== undefined ? undefined : first.conversation_id;
};

/** Fills the id of the conversation of the posts that certainly belong to it. */
const nameConversation = (post: Post, { ancestors, thread, replies }: Omit<Conversation, 'post'>): void => {
  const root = rootOf(post, ancestors);
  const below = [...thread, ...replies];
  const standingOf = standingsIn(post, new Set(), nodesById(below));
  for (const entry of [post, ...ancestors, ...below.filter((other) => standingOf(other) === 'below')])
    if (!isTombstone(entry)) entry.conversation_id ??= root;
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
