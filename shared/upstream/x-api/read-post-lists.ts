// Reads the lists of a post from the official API: its replies, quotes and reposts.
//
// X has no list of replies. A search finds the posts of the conversation, but only those of the last seven days. The
// conversation of a reply has the id of its first post, so the first page reads the post; later pages have that id and
// the author's handle in their cursor. Of the posts found, the answers to the post are kept; X bills the others too.
// A post that the author wrote in answer to themselves is a part of their thread.
import { warning } from '../../contract/warnings.ts';
import { isSameHandle, parseId } from '../../model/handle.ts';
import type { Post } from '../../model/post.ts';
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';
import { NOT_A_CURSOR, type Provider } from '../provider.ts';
import type { XApiClient } from './client.ts';
import { mapPosts, mapUsers, readListPage, rowCount } from './list-page.ts';
import { POST_PARAMETERS, USER_PARAMETERS } from './parameters.ts';
import { readPostBody } from './read-post.ts';

/** The cursor of replies after the first page: `{conversation id}:{handle}:{token}`. */
interface ConversationPage {
  readonly kind: 'conversation';
  readonly id: string;
  /** The handle of the post's author; empty: not known. */
  readonly author: string;
  /** The page token of X; unset: the first page. */
  readonly token?: string;
}

const CURSOR = /^([0-9]+):([A-Za-z0-9_]{0,30}):(.+)$/s;

const readCursor = (cursor: string): ConversationPage | FailedOutcome => {
  const [, conversation = '', author, token] = CURSOR.exec(cursor) ?? [];
  const id = parseId(conversation);
  return id === undefined || author === undefined || token === undefined
    ? NOT_A_CURSOR
    : { kind: 'conversation', id, author, token };
};

const PAGE = { tokenParameter: 'pagination_token' } as const;

type PostLists = Required<Pick<Provider, 'listReplies' | 'listQuotes' | 'listReposts'>>;

export const createPostListReaders = (client: XApiClient): PostLists => {
  const findConversation = async (id: string, budget: CallBudget): Promise<ConversationPage | FailedOutcome> => {
    const answer = await client.get(`/2/tweets/${id}`, POST_PARAMETERS, budget);
    const read = answer.kind === 'body' ? readPostBody(answer.body, id, client.clock()) : answer;
    if (read.kind !== 'read') return read;
    const { conversation_id: conversation = id, author } = read.post;
    return { kind: 'conversation', id: conversation, author: author?.handle ?? '' };
  };

  return {
    async listReplies({ id, order }, { cursor, size }, budget) {
      const conversation = cursor === undefined ? await findConversation(id, budget) : readCursor(cursor);
      if (conversation.kind !== 'conversation') return conversation;
      const { id: conversationId, author, token } = conversation;
      const isReply = ({ author: writer, in_reply_to: answered }: Post): boolean =>
        answered?.id === id && !isSameHandle(writer?.handle, author);
      return readListPage(
        client,
        {
          path: '/2/tweets/search/recent',
          parameters: {
            ...POST_PARAMETERS,
            query: `conversation_id:${conversationId}`,
            sort_order: order === 'top' ? 'relevancy' : 'recency',
            max_results: rowCount(size, 10, 100),
          },
          tokenParameter: 'next_token',
          token,
          mapItems: mapPosts,
          select: (posts) => ({
            items: posts.filter(isReply),
            others: posts.filter((post) => !isReply(post)).map((post) => post.id),
          }),
          cursorOf: (next) => `${conversationId}:${author}:${next}`,
          warnings: [warning('recent_only')],
        },
        budget,
      );
    },
    listQuotes({ id }, { cursor: token, size }, budget) {
      const parameters = { ...POST_PARAMETERS, max_results: rowCount(size, 10, 100) };
      const path = `/2/tweets/${id}/quote_tweets`;
      return readListPage(client, { ...PAGE, path, parameters, token, owner: id, mapItems: mapPosts }, budget);
    },
    listReposts({ id }, { cursor: token, size }, budget) {
      const parameters = { ...USER_PARAMETERS, max_results: rowCount(size, 1, 100) };
      const path = `/2/tweets/${id}/retweeted_by`;
      return readListPage(client, { ...PAGE, path, parameters, token, owner: id, mapItems: mapUsers }, budget);
    },
  };
};
