// Reads the replies to a post from FxTwitter, page by page: first the pages of the conversation, then those of a search.
//
// The first page of `/2/conversation/{id}` has the ancestors of the post and its replies, at their head about 10 parts of
// the author's own thread, which are left out, as is what does not belong to the conversation (membership.ts). Its cursor
// rarely leads to all other replies: it can be the one of a single module, whose page has no further cursor, and X answers
// most pages of a cursor without the post, which FxTwitter reports as a 404 without a reason. So if the post has more answers
// than the conversation has shown, or an unknown number, the list goes on with a search for the conversation, latest first,
// without the posts that the conversation has shown. The cursor of this provider has all that takes (replies-position.ts).
// A list that ends with fewer answers than the post counts has a warning.
import { queryString } from '../../contract/query-string.ts';
import { warning } from '../../contract/warnings.ts';
import { answeredBy, isPost } from '../../model/conversation.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import type { FailedOutcome, Outcome, RepliesRequest } from '../../ports/upstream.ts';
import { assembleThread } from '../assemble-thread.ts';
import type { FetchResult } from '../http-request.ts';
import type { CallBudget } from '../json-client.ts';
import { asArray, asId } from '../json-readers.ts';
import { isOwnPart, isReply, nodesById, standingsIn } from '../membership.ts';
import { NOT_A_CURSOR, type ProviderOptions, type ProviderPage, type ReadList } from '../provider.ts';
import { createFxTwitterPostMapper } from './map-post.ts';
import {
  type AfterPage,
  afterConversation,
  afterSearch,
  formatPosition,
  parsePosition,
  type RepliesPosition,
} from './replies-position.ts';
import { providerCode } from './requests.ts';
import {
  interpretConversation,
  MIN_ID_DIGITS,
  nextRepliesOf,
  parseFxTwitterResponse,
  searchLatest,
  sortReplies,
} from './responses.ts';

const isAboutPost = ({ status }: JsonRecord, id: string): boolean => {
  const post = asRecord(status);
  return post === undefined || post['id'] === id || asRecord(post['reposted_by']) !== undefined;
};

/** The first post of the conversation, as far as the ancestors show it. */
const rootOf = (ancestors: readonly PostOrTombstone[], post: Post): string => {
  const first = ancestors[0] ?? post;
  return answeredBy(first) ?? first.id;
};

const startOf = (id: string, post: Post, ancestors: readonly PostOrTombstone[]): RepliesPosition => ({
  id,
  phase: 'conversation',
  author: post.author?.handle ?? '',
  root: rootOf(ancestors, post),
  expected: post.metrics.replies ?? undefined,
  shown: 0,
  idlePages: 0,
  seen: [],
  found: [],
});

export const createRepliesReader = (options: ProviderOptions<'fxtwitter'>): ReadList<RepliesRequest, Post> => {
  const { baseUrl, source, http, clock } = options;

  const found = (
    page: Omit<ProviderPage<Post>, 'next'>,
    { next, isIncomplete }: AfterPage,
  ): Outcome<ProviderPage<Post>> => ({
    kind: 'found',
    value: { ...page, ...(next && { next: formatPosition(next) }) },
    source,
    fetchedAt: clock(),
    warnings: isIncomplete ? [warning('replies_incomplete')] : [],
  });

  /** @param entries the posts of the page that belong to the conversation @param replies those that belong to the list */
  const conversationPage = (
    position: RepliesPosition,
    { order }: RepliesRequest,
    entries: readonly PostOrTombstone[],
    replies: readonly PostOrTombstone[],
    token: string | undefined,
  ): Outcome<ProviderPage<Post>> => {
    const after = afterConversation(position, entries.filter(isPost), token);
    return found({ items: sortReplies(replies.filter(isPost), order) }, after);
  };

  const firstPage = (fetched: FetchResult, request: RepliesRequest): Outcome<ProviderPage<Post>> => {
    const answer = interpretConversation(fetched, request.id, clock());
    if (answer.kind !== 'answer') return answer;
    const { post, excerpt, next } = answer;
    if (excerpt === undefined) return { kind: 'failed', why: 'a post without its conversation' };
    const { ancestors, thread, replies } = assembleThread(post, [excerpt]);
    return conversationPage(startOf(post.id, post, ancestors), request, [...thread, ...replies], replies, next);
  };

  const laterPage = (
    fetched: FetchResult,
    request: RepliesRequest,
    position: RepliesPosition,
  ): Outcome<ProviderPage<Post>> => {
    const response = parseFxTwitterResponse(fetched);
    if (response.kind !== 'response') return response;
    const { code, body } = response;
    if (code === 404 && asRecord(body['status']) === undefined) return { kind: 'ambiguous' };
    if (code !== 200 || !Array.isArray(body['replies'])) return withoutReplies(fetched, request, clock());
    if (!isAboutPost(body, request.id)) return { kind: 'failed', why: 'wrong post' };
    const mapper = createFxTwitterPostMapper(clock());
    const entries = asArray(body['replies']).flatMap((raw) => mapper.entry(raw) ?? []);
    const { author, seen } = position;
    // The id can be that of a repost, whose replies answer the original.
    const id = asId(asRecord(body['status'])?.['id']) ?? position.id;
    const standingOf = standingsIn({ id }, new Set(seen), nodesById(entries));
    const members = entries
      .filter((entry) => entry.id !== id)
      .filter((entry) => isReply(entry, standingOf(entry), author));
    const replies = members.filter((entry) => isPost(entry) && !isOwnPart(entry, author));
    return conversationPage(position, request, members, replies, nextRepliesOf(body));
  };

  const searchPage = async (
    position: RepliesPosition,
    { order, lang }: RepliesRequest,
    size: number,
    budget: CallBudget,
  ): Promise<Outcome<ProviderPage<Post>>> => {
    const { root, token } = position;
    const page = await searchLatest(options, `conversation_id:${root}`, { size, token, lang }, budget);
    if (page.kind !== 'found') return page;
    const after = afterSearch(position, page.value.items, page.value.next);
    return found({ items: sortReplies(after.replies, order), others: after.others }, after);
  };

  return async (request, { cursor, size }, budget) => {
    const { id, order, lang } = request;
    const position = cursor === undefined ? undefined : parsePosition(cursor, id);
    if (cursor !== undefined && position === undefined) return NOT_A_CURSOR;
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    if (position?.phase === 'search') return searchPage(position, request, size, budget);
    const parameters = { ranking_mode: order === 'recent' ? 'recency' : 'likes', cursor: position?.token };
    const readConversation = async (limits: CallBudget, language?: string): Promise<Outcome<ProviderPage<Post>>> => {
      const url = `${baseUrl}/2/conversation/${id}?${queryString({ ...parameters, lang: language })}`;
      const fetched = await http.get({ kind: 'conversation', url }, limits);
      return position === undefined ? firstPage(fetched, request) : laterPage(fetched, request, position);
    };
    const language = lang && providerCode(lang);
    const page = await readConversation({ ...budget, isLast: false }, language);
    if (budget.hasNextBaseUrl) return page;
    if (position === undefined) return isDefinite(page) ? page : readConversation(budget);
    // The translation can be what failed.
    if (page.kind === 'failed' || page.kind === 'down') return language === undefined ? page : readConversation(budget);
    if (page.kind !== 'ambiguous') return page;
    // The search has the replies of this page, too.
    const after = afterConversation(position, [], undefined);
    return after.next === undefined ? found({ items: [] }, after) : searchPage(after.next, request, size, budget);
  };
};

const isDefinite = ({ kind }: Outcome<unknown>): boolean => kind === 'found' || kind === 'gone' || kind === 'refused';

/** @returns why a response has no replies, such as a tombstone of the post */
const withoutReplies = (fetched: FetchResult, { id }: RepliesRequest, now: number): FailedOutcome => {
  const answer = interpretConversation(fetched, id, now);
  return answer.kind === 'answer' ? { kind: 'failed', why: 'no list of replies' } : answer;
};
