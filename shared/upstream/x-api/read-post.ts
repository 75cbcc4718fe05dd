// Reads a post with its thread from the official API.
//
// The response has the post and the post that it answers. A search finds the posts of the author in the same conversation;
// it covers the last 7 days. Other ancestors are requested one by one, each with the post that it answers. Replies of other
// accounts are not requested, because X bills every row. Single posts that a caller requests at the same moment are read with
// one call.
import { type WarningCode, warning } from '../../contract/warnings.ts';
import { ancestorGap, answeredBy } from '../../model/conversation.ts';
import { DAY_MILLISECONDS } from '../../model/instant-text.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post } from '../../model/post.ts';
import type { Conversation, Warning } from '../../model/resources.ts';
import { earlierOf } from '../../model/time.ts';
import type { FailedOutcome, Outcome, PostRequest } from '../../ports/upstream.ts';
import { followThread, type QueryThread, type ThreadQueryResult } from '../follow-thread.ts';
import type { CallBudget } from '../json-client.ts';
import { asArray, asRecords } from '../json-readers.ts';
import type { Provider, ProviderPage } from '../provider.ts';
import { outcomeWithoutData, POSTS, readListPage, searchOf, type XApiClient, type XApiPage } from './client.ts';
import { createXApiPostMapper, type PostMapper } from './map-post.ts';
import { memberOf } from './words.ts';

// Reads several posts with one call. The official API returns up to 100 posts per call, so single posts that one caller
// requests in the same turn of the event loop are coalesced: their ids are collected, and a call is sent when the turn
// ends. A caller that requests one post waits no longer than for the end of the turn.
//
// Each post has its own outcome. A failed call is the outcome of all of its posts. Reads of different callers are not
// coalesced, so that one caller's call does not fail because of another.

/** The maximum of ids in one call. */
const MAX_IDS = 100;

interface PendingRead<T> {
  readonly id: string;
  readonly budget: CallBudget;
  resolve(outcome: T | FailedOutcome): void;
  reject(error: unknown): void;
}

/** Reads distinct ids. @returns the outcome of each id, or the failed outcome of all of them */
export type ReadBatch<T> = (
  ids: readonly string[],
  budget: CallBudget,
) => Promise<((id: string) => T | FailedOutcome) | FailedOutcome>;

/** The budget of a call for several reads. The call ends before the earliest deadline. */
const sharedBudget = (budgets: readonly CallBudget[]): CallBudget => ({
  deadline: earlierOf(...budgets.map(({ deadline }) => deadline)),
  calls: {
    retries: Math.min(...budgets.map(({ calls }) => calls.retries)),
    caller: budgets[0]?.calls.caller,
    record: budgets[0]?.calls.record,
  },
});

const send = async <T>(reads: readonly PendingRead<T>[], readBatch: ReadBatch<T>): Promise<void> => {
  const budget = sharedBudget(reads.map((read) => read.budget));
  const { retries } = budget.calls;
  const result = await readBatch([...new Set(reads.map(({ id }) => id))], budget);
  for (const read of reads) {
    read.budget.calls.retries -= retries - budget.calls.retries;
    if (budget.calls.isStarved) read.budget.calls.isStarved = true;
    read.resolve(typeof result === 'function' ? result(read.id) : result);
  }
};

/** @returns a reader of one post that rejects only if `readBatch` does */
export const createBatchReader = <T>(
  readBatch: ReadBatch<T>,
): ((id: string, budget: CallBudget) => Promise<T | FailedOutcome>) => {
  const pending = new Map<string, PendingRead<T>[]>();

  const flush = (caller: string): void => {
    const byId = [...Map.groupBy(pending.get(caller) ?? [], ({ id }) => id).values()];
    pending.delete(caller);
    for (let start = 0; start < byId.length; start += MAX_IDS) {
      const reads = byId.slice(start, start + MAX_IDS).flat();
      send(reads, readBatch).catch((error: unknown) => {
        for (const { reject } of reads) reject(error);
      });
    }
  };

  return (id, budget) =>
    new Promise((resolve, reject) => {
      const read = { id, budget, resolve, reject };
      const { caller } = budget.calls;
      if (caller === undefined) {
        send([read], readBatch).catch(reject);
        return;
      }
      const waiting = pending.get(caller);
      if (waiting === undefined) {
        pending.set(caller, [read]);
        setImmediate(flush, caller);
      } else waiting.push(read);
    });
};

/** The recent search covers the last 7 days. */
const RECENT_SEARCH_MILLISECONDS = 7 * DAY_MILLISECONDS;
const MAX_PAGE_SIZE = 100;

/** X can return a later edit of the post. Its edit history has the requested id. */
const isRequested = (data: JsonRecord, id: string): boolean =>
  data['id'] === id || asArray(memberOf(data, 'edits')).includes(id);

interface PostAnswer {
  readonly kind: 'read';
  readonly post: Post;
  /** The answered post; empty if the response does not have it. */
  readonly parent: readonly Post[];
  readonly readAt: number;
}

const readPostData = (data: JsonRecord, mapper: PostMapper, readAt: number): PostAnswer | FailedOutcome => {
  const post = mapper.post(data);
  if (post === undefined) return { kind: 'failed', why: 'post without usable content' };
  const parentId = answeredBy(post);
  const parent = parentId === undefined ? undefined : mapper.included(parentId);
  return { kind: 'read', post, parent: parent === undefined ? [] : [parent], readAt };
};

const readPostBody = (body: JsonRecord, id: string, now: number): PostAnswer | FailedOutcome => {
  const data = asRecord(body['data']);
  if (data === undefined) return outcomeWithoutData(body, id);
  if (!isRequested(data, id)) return { kind: 'failed', why: 'wrong post' };
  return readPostData(data, createXApiPostMapper(body['includes'], now), now);
};

/** Reads one post with the post that it answers. */
export const readPost = async (
  { get, clock }: XApiClient,
  id: string,
  budget: CallBudget,
): Promise<PostAnswer | FailedOutcome> => {
  const answer = await get({ kind: '/2/tweets/{id}', id }, POSTS, {}, budget);
  return answer.kind === 'body' ? readPostBody(answer.body, id, clock()) : answer;
};

/** Reads a response about several posts. @returns the outcome of a post by its id */
const readPostsBody = (body: JsonRecord, now: number): ((id: string) => PostAnswer | FailedOutcome) => {
  const mapper = createXApiPostMapper(body['includes'], now);
  const dataOf = new Map<unknown, JsonRecord>();
  for (const data of asRecords(body['data']))
    for (const id of [data['id'], ...asArray(memberOf(data, 'edits'))]) dataOf.set(id, data);
  return (id) => {
    const data = dataOf.get(id);
    return data === undefined ? outcomeWithoutData(body, id, 'named') : readPostData(data, mapper, now);
  };
};

/** @returns the chain of posts that ends with this post */
const chainTo = (id: string | undefined, posts: ReadonlyMap<string, Post>): readonly Post[] => {
  const chain = new Set<Post>();
  for (let post = posts.get(id ?? ''); post !== undefined && !chain.has(post); post = posts.get(answeredBy(post) ?? ''))
    chain.add(post);
  return [...chain].reverse();
};

const isSearchable = ({ post, readAt }: PostAnswer): boolean =>
  post.created_at === undefined || readAt - Date.parse(post.created_at) < RECENT_SEARCH_MILLISECONDS;

/** @returns true if the author can have answered the post or have written missing ancestors */
const mayHaveMore = (answer: PostAnswer): boolean => {
  const { post, parent } = answer;
  const isOwnParent = parent.some(({ author }) => author !== undefined && author.handle === post.author?.handle);
  return post.metrics.replies !== 0 || (isOwnParent && isSearchable(answer) && ancestorGap(post, parent) !== undefined);
};

const warningsOf = ({ replies }: PostRequest, post: Post, isWhole: boolean): Warning[] => {
  const codes: WarningCode[] = [];
  if (!isWhole) codes.push('thread_incomplete');
  if (replies !== 'off' && post.metrics.replies !== 0) codes.push('replies_unavailable');
  if (post.article !== undefined) codes.push('article_incomplete');
  return codes.map((code) => warning(code));
};

interface Continuation {
  readonly read: (maxCalls: number) => Promise<ThreadQueryResult>;
  /** Every page was read. */
  readonly isWhole: () => boolean;
}

export const createPostReader = (client: XApiClient): NonNullable<Provider['readPost']> => {
  const { get, found, clock } = client;
  const readSingle = createBatchReader<PostAnswer>(async (ids, budget) => {
    const [id] = ids;
    if (ids.length === 1 && id !== undefined) {
      const only = await readPost(client, id, budget);
      return () => only;
    }
    const answer = await get({ kind: '/2/tweets' }, POSTS, { ids: ids.join(',') }, budget);
    return answer.kind === 'body' ? readPostsBody(answer.body, clock()) : answer;
  });

  const readAncestor = async (id: string, budget: CallBudget): Promise<ThreadQueryResult> => {
    const answer = await readPost(client, id, budget);
    const chain =
      answer.kind === 'gone'
        ? [{ id, unavailable: true as const, reason: answer.reason }]
        : answer.kind === 'read'
          ? [...answer.parent, answer.post]
          : undefined;
    return { excerpt: chain && { chain, others: [] }, calls: 1 };
  };

  /** Reads the posts of the author in the conversation page by page, newest first. */
  const continuationOf = (answer: PostAnswer, budget: CallBudget): Continuation => {
    const { post, parent } = answer;
    const { author, conversation_id: conversationId = post.id } = post;
    const search =
      author && isSearchable(answer)
        ? searchOf(`conversation_id:${conversationId} from:${author.handle}`, 'recency')
        : undefined;
    const gap = ancestorGap(post, parent)?.id;
    const posts = new Map<string, Post>();
    let next: XApiPage | undefined = { size: MAX_PAGE_SIZE };
    return {
      isWhole: () => next === undefined,
      async read(maxCalls) {
        let calls = 0;
        while (search !== undefined && next !== undefined && calls < maxCalls) {
          calls += 1;
          const page: Outcome<ProviderPage<Post>> = await readListPage(client, search, next, budget);
          if (page.kind !== 'found') break;
          for (const other of page.value.items) posts.set(other.id, other);
          next = page.value.next === undefined ? undefined : { size: MAX_PAGE_SIZE, token: page.value.next };
        }
        const excerpt = { chain: chainTo(gap, posts), others: [...posts.values()], hasMore: next !== undefined };
        return { excerpt: calls === 0 ? undefined : excerpt, calls };
      },
    };
  };

  const withThread = async (
    answer: PostAnswer,
    request: PostRequest,
    budget: CallBudget,
  ): Promise<Outcome<Conversation>> => {
    const { post, parent, readAt } = answer;
    const hasMore = mayHaveMore(answer);
    const excerpt = { chain: [...parent, post], others: [], hasMore };
    const continuation = continuationOf(answer, budget);
    const queryThread: QueryThread = ({ about, id }, maxCalls) =>
      about === 'part' ? continuation.read(maxCalls) : readAncestor(id, budget);
    const followed = await followThread({ post, excerpt, showsContinuation: false }, queryThread);
    const { ancestors, thread } = followed;
    const isWhole = followed.isWhole && (!hasMore || continuation.isWhole());
    const value: Conversation = { post, ancestors, thread, replies: [] };
    return found(value, readAt, warningsOf(request, post, isWhole));
  };

  return async (request, budget) => {
    const isSingle = request.thread === 'off' && request.replies === 'off';
    const answer = isSingle ? await readSingle(request.id, budget) : await readPost(client, request.id, budget);
    if (answer.kind !== 'read') return answer;
    if (request.thread !== 'off') return withThread(answer, request, budget);
    const { post, readAt } = answer;
    return found({ post, ancestors: [], thread: [], replies: [] }, readAt, warningsOf(request, post, true));
  };
};
