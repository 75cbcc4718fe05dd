// Reads the replies to a post from FxTwitter, page by page.
//
// The first page of `/2/conversation/{id}` has the ancestors of the post and its replies, at their head about 10 parts of
// the author's own thread, which are left out. The pages of a cursor have neither, so the cursor of this provider has the
// handle of the author: what they wrote there in answer to themselves is left out. X often answers the page of a cursor
// without the post, which FxTwitter reports as a 404 without a reason, as it reports an outage. Such a page ends the list
// with a warning, but only if the query for the single post finds it.
import { queryString } from '../../contract/query-string.ts';
import { warning } from '../../contract/warnings.ts';
import { isSameHandle } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Post, PostOrTombstone } from '../../model/post.ts';
import { isTombstone } from '../../model/tombstone.ts';
import type { FailedOutcome, Outcome, RepliesRequest } from '../../ports/upstream.ts';
import { assembleThread } from '../assemble-thread.ts';
import type { FetchResult } from '../http-request.ts';
import type { CallBudget } from '../json-client.ts';
import { asArray } from '../json-readers.ts';
import { getInterpreted } from '../judge.ts';
import { NOT_A_CURSOR, type Provider, type ProviderOptions, type ProviderPage } from '../provider.ts';
import { interpretConversation, MIN_ID_DIGITS, nextRepliesOf, sortReplies } from './conversation-response.ts';
import { createFxTwitterPostMapper } from './map-post.ts';
import { parseFxTwitterResponse } from './response.ts';

interface LaterPage {
  /** The handle of the post's author; empty: not known. */
  readonly author: string;
  /** The cursor of FxTwitter. */
  readonly token: string;
}

const CURSOR = /^([A-Za-z0-9_]{0,30})\|(.+)$/s;

const parseCursor = (cursor: string): LaterPage | undefined => {
  const [, author, token] = CURSOR.exec(cursor) ?? [];
  return author === undefined || token === undefined ? undefined : { author, token };
};

const isPost = (entry: PostOrTombstone): entry is Post => !isTombstone(entry);

const pageOf = (
  replies: readonly PostOrTombstone[],
  { order }: RepliesRequest,
  author: string,
  token: string | undefined,
): ProviderPage<Post> => ({
  items: sortReplies(replies.filter(isPost), order),
  ...(token !== undefined && { next: `${author}|${token}` }),
});

const isAboutPost = ({ status }: JsonRecord, id: string): boolean => {
  const post = asRecord(status);
  return post === undefined || post['id'] === id || asRecord(post['reposted_by']) !== undefined;
};

export const createRepliesReader = ({
  baseUrl,
  source,
  http,
  clock,
}: ProviderOptions): NonNullable<Provider['listReplies']> => {
  const found = (value: ProviderPage<Post>, isIncomplete = false): Outcome<ProviderPage<Post>> => ({
    kind: 'found',
    value,
    source,
    fetchedAt: clock(),
    warnings: isIncomplete ? [warning('replies_incomplete')] : [],
  });

  const firstPage = (fetched: FetchResult, request: RepliesRequest): Outcome<ProviderPage<Post>> => {
    const answer = interpretConversation(fetched, request.id, clock());
    if (answer.kind !== 'answer') return answer;
    const { post, excerpt, next } = answer;
    if (excerpt === undefined) return { kind: 'failed', why: 'a post without its conversation' };
    return found(pageOf(assembleThread(post, [excerpt]).replies, request, post.author?.handle ?? '', next));
  };

  /** The outcome of a 404 without a reason for a page of a cursor. */
  const missingPage = async ({ id }: RepliesRequest, budget: CallBudget): Promise<Outcome<ProviderPage<Post>>> => {
    const answer = await getInterpreted(http, `${baseUrl}/2/status/${id}`, budget, (fetched) =>
      interpretConversation(fetched, id, clock()),
    );
    return answer.kind === 'answer' ? found({ items: [] }, true) : answer;
  };

  const laterPage = (
    fetched: FetchResult,
    request: RepliesRequest,
    { author, token }: LaterPage,
  ): Outcome<ProviderPage<Post>> => {
    const response = parseFxTwitterResponse(fetched);
    if (response.kind !== 'response') return response;
    const { code, body } = response;
    if (code === 404 && asRecord(body['status']) === undefined) return { kind: 'ambiguous' };
    if (code !== 200 || !Array.isArray(body['replies'])) return withoutReplies(fetched, request, clock());
    if (!isAboutPost(body, request.id)) return { kind: 'failed', why: 'wrong post' };
    const mapper = createFxTwitterPostMapper(clock());
    const isOwnPart = ({ author: writer, in_reply_to: answered }: Post): boolean =>
      isSameHandle(writer?.handle, author) && isSameHandle(answered?.handle, author);
    const replies = asArray(body['replies'])
      .flatMap((raw) => mapper.entry(raw) ?? [])
      .filter((entry) => isPost(entry) && entry.id !== request.id && !isOwnPart(entry));
    const next = nextRepliesOf(body);
    return found(pageOf(replies, request, author, next === token ? undefined : next));
  };

  return async (request, { cursor }, budget) => {
    const { id, order } = request;
    const later = cursor === undefined ? undefined : parseCursor(cursor);
    if (cursor !== undefined && later === undefined) return NOT_A_CURSOR;
    if (id.length < MIN_ID_DIGITS) return { kind: 'ambiguous' };
    const parameters = { ranking_mode: order === 'recent' ? 'recency' : 'likes', cursor: later?.token };
    const url = `${baseUrl}/2/conversation/${id}?${queryString(parameters)}`;
    const page = await getInterpreted(http, url, budget, (fetched) =>
      later === undefined ? firstPage(fetched, request) : laterPage(fetched, request, later),
    );
    return later !== undefined && page.kind === 'ambiguous' ? missingPage(request, budget) : page;
  };
};

/** @returns why a response has no replies, such as a tombstone of the post */
const withoutReplies = (fetched: FetchResult, { id }: RepliesRequest, now: number): FailedOutcome => {
  const answer = interpretConversation(fetched, id, now);
  return answer.kind === 'answer' ? { kind: 'failed', why: 'no list of replies' } : answer;
};
