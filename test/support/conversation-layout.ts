// Builds the answers of the FxTwitter API about one conversation from its posts, in the layout of the real service.
//
// Origin: the FxEmbed worker (MIT, packages/atmosphere/src/providers/twitter/conversation.ts) and its recorded answers
// about a thread of 25 parts. The tests compare the layout with those recordings.
//
// - `/2/conversation/{id}`: `thread` has the ancestors and the post. `replies` is flat: first at most 10 entries of the
//   author's continuation, then each reply of others with the author's answers to it, 15 replies per page. It has no
//   tombstones. `cursor` is null or the first of X's cursors: that of a continuation which is cut, whose page has the rest
//   of it and no further cursor, or that of the next page. The service often answers the pages of a cursor with 404. That
//   is the default; `hasLaterPages` changes it.
// - `/2/search?q=conversation_id:{id}&feed=latest`: all posts of the conversation, latest first.
// - `/2/thread/{id}`: the reason for a missing post as `/2/status/{id}`, or the chain of posts of the same author around the post, within the same limits.
// - `/2/status/{id}`: only the post.

import { isRecord, type JsonRecord } from '../../shared/model/json.ts';

export type RawPost = JsonRecord;

/** Entries of one module of X. */
const MODULE_ENTRIES = 10;
const MODULES_PER_PAGE = 15;
/** Posts of one page of a search. */
const SEARCH_RESULTS = 30;

export interface LayoutOptions {
  /** Entries of a continuation in one answer. @default 10 */
  readonly moduleEntries?: number;
  /** @default 15 */
  readonly modulesPerPage?: number;
  /** @default false: the pages of a cursor are 404 */
  readonly hasLaterPages?: boolean;
}

export interface LaidOut {
  readonly status: number;
  readonly body: RawPost;
}

const idOf = (post: RawPost): string => String(post['id']);
const isTombstone = (post: RawPost): boolean => post['type'] === 'tombstone';

const authorOf = (post: RawPost): string | undefined => {
  const author = post['author'];
  return isRecord(author) ? String(author['screen_name']).toLowerCase() : undefined;
};

/** A tombstone does not name its parent; the caller of `layoutOf` may add `parent`. */
const parentOf = (post: RawPost): string | undefined => {
  const replying = post['replying_to'];
  const parent = isRecord(replying) ? replying['status'] : post['parent'];
  return typeof parent === 'string' ? parent : undefined;
};

/** Later posts have larger ids. */
const byAge = (a: RawPost, b: RawPost): number => (BigInt(idOf(a)) < BigInt(idOf(b)) ? -1 : 1);

const bare = (members: RawPost = {}): LaidOut => ({
  status: 404,
  body: { status: null, thread: null, ...members, author: null, code: 404 },
});

/** Removes `parent` from a tombstone: the service does not send it. */
const shown = (post: RawPost): RawPost => {
  const { parent: _, ...members } = post;
  return isTombstone(post) ? members : post;
};

/** Within a module, the service sends a tombstone without its id and URL. */
const inModule = (post: RawPost): RawPost => {
  const { id: _, url: __, ...members } = post;
  return isTombstone(post) ? members : post;
};

export interface ConversationLayout {
  /** @param query the query of the URL */
  answer(route: string, id: string, query: URLSearchParams): LaidOut;
  /** @returns the answer to a search; undefined: the search is not for a conversation */
  search(query: URLSearchParams): LaidOut | undefined;
  has(id: string): boolean;
}

/** @param posts in the format of the service, in any order; a tombstone names its parent with `parent` */
export const layoutOf = (posts: Iterable<RawPost>, options: LayoutOptions = {}): ConversationLayout => {
  const { moduleEntries = MODULE_ENTRIES, modulesPerPage = MODULES_PER_PAGE, hasLaterPages = false } = options;
  const byId = new Map<string, RawPost>();
  for (const post of posts) {
    const previous = byId.get(idOf(post));
    if (previous === undefined || isTombstone(previous)) byId.set(idOf(post), post);
  }
  const children = new Map<string, RawPost[]>();
  for (const post of byId.values()) {
    const parent = parentOf(post);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), post]);
  }
  for (const siblings of children.values()) siblings.sort(byAge);

  const ancestorsOf = (post: RawPost): RawPost[] => {
    const ancestors: RawPost[] = [];
    const seen = new Set([idOf(post)]);
    for (
      let at = byId.get(parentOf(post) ?? '');
      at !== undefined && !seen.has(idOf(at));
      at = byId.get(parentOf(at) ?? '')
    ) {
      seen.add(idOf(at));
      ancestors.unshift(at);
    }
    return ancestors;
  };

  /**
   * The continuation below a post: the author's oldest reply, then the oldest reply to it, and so on, with tombstones.
   */
  const continuationOf = (post: RawPost, author: string | undefined): RawPost[] => {
    const parts: RawPost[] = [];
    const next = (id: string): RawPost | undefined =>
      children.get(id)?.find((child) => authorOf(child) === author || (isTombstone(child) && next(idOf(child))));
    for (let at = next(idOf(post)); at !== undefined; at = next(idOf(at))) parts.push(at);
    return parts;
  };

  const likesOf = (post: RawPost): number => Number(post['likes'] ?? 0);

  /** The modules below a post: its continuation, then each other reply with the answers of the post's author. */
  const modulesBelow = (post: RawPost, ranking: string | null) => {
    const author = authorOf(post);
    const continuation = continuationOf(post, author);
    const others = (children.get(idOf(post)) ?? []).filter((child) => child !== continuation[0]);
    others.sort((a, b) => (ranking === 'recency' ? byAge(b, a) : likesOf(b) - likesOf(a) || byAge(a, b)));
    return { continuation, others: others.map((reply) => [reply, ...continuationOf(reply, author)]) };
  };

  const conversationBody = (
    post: RawPost,
    thread: readonly RawPost[],
    replies: readonly RawPost[],
    cursor: string | undefined,
  ): LaidOut => ({
    status: 200,
    body: {
      status: post,
      thread: thread.map(shown),
      replies: replies.filter((reply) => !isTombstone(reply)),
      author: post['author'],
      cursor: cursor === undefined ? null : { bottom: cursor },
      code: 200,
    },
  });

  /** The cursor of a page is `more…` for the rest of the continuation, or `bottom{id}.{number of replies before}`. */
  const laterPage = (post: RawPost, cursor: string, ranking: string | null): LaidOut => {
    const { continuation, others } = modulesBelow(post, ranking);
    const [, number = ''] = /^bottom[0-9]+(?:\.([0-9]+))?$/.exec(cursor) ?? [];
    const isMore = cursor.startsWith('more');
    const start = Number(number) || modulesPerPage;
    const end = start + modulesPerPage;
    const modules = isMore ? [continuation.slice(moduleEntries)] : others.slice(start, end);
    const next = !isMore && end < others.length ? `bottom${idOf(post)}.${end}` : undefined;
    return conversationBody(post, [post], modules.flat(), next);
  };

  const conversation = (post: RawPost, query: URLSearchParams): LaidOut => {
    const page = query.get('cursor');
    const ranking = query.get('ranking_mode');
    if (page !== null) return hasLaterPages ? laterPage(post, page, ranking) : bare({ replies: null, cursor: null });
    const { continuation, others } = modulesBelow(post, ranking);
    const cut = continuation[moduleEntries];
    const cursor =
      cut !== undefined ? `more${idOf(cut)}` : others.length > modulesPerPage ? `bottom${idOf(post)}` : undefined;
    const replies = [continuation, ...others.slice(0, modulesPerPage)].flatMap((module) =>
      module.slice(0, moduleEntries),
    );
    return conversationBody(post, [...ancestorsOf(post), post], replies, cursor);
  };

  const thread = (post: RawPost): LaidOut => {
    const above = ancestorsOf(post);
    const below = modulesBelow(post, null).continuation.slice(0, moduleEntries);
    const isSameAuthor = (entry: RawPost): boolean => authorOf(entry) === authorOf(post);
    const [root] = above;
    // The service follows the replies up to the first missing post, but always includes a root of the same author.
    const gapAbove = above.findLastIndex(isTombstone);
    const gapBelow = below.findIndex(isTombstone);
    const reached = [
      ...above.filter(
        (entry, index) => index > gapAbove || isTombstone(entry) || (entry === root && isSameAuthor(entry)),
      ),
      post,
      ...(gapBelow === -1 ? below : below.slice(0, gapBelow + 1)).map(inModule),
    ];
    return { status: 200, body: { status: post, thread: reached.map(shown), author: post['author'], code: 200 } };
  };

  const answer = (route: string, id: string, query: URLSearchParams): LaidOut => {
    const post = byId.get(id);
    const members = route === 'conversation' ? { replies: null, cursor: null } : {};
    if (post === undefined) return bare(members);
    if (isTombstone(post)) {
      // The conversation gives no reason for a post of a protected account.
      if (post['reason'] !== 'private') return { status: 404, body: { ...bare(members).body, status: shown(post) } };
      return route !== 'conversation'
        ? { status: 401, body: { status: null, thread: null, author: null, code: 401 } }
        : bare(members);
    }
    if (route === 'conversation') return conversation(post, query);
    if (route === 'thread') return thread(post);
    return { status: 200, body: { status: post, thread: null, author: post['author'], code: 200 } };
  };

  /** The cursor is the number of posts before the page. */
  const search = (query: URLSearchParams): LaidOut | undefined => {
    const [, root] = /^conversation_id:([0-9]+)$/.exec(query.get('q') ?? '') ?? [];
    if (root === undefined) return undefined;
    const isInConversation = (post: RawPost): boolean =>
      !isTombstone(post) && idOf(ancestorsOf(post)[0] ?? post) === root;
    const found = [...byId.values()].filter(isInConversation).sort(byAge).reverse();
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('count') ?? SEARCH_RESULTS);
    const results = found.slice(start, end);
    // X has a cursor after the last page too.
    const cursor = { top: null, bottom: String(Math.min(end, found.length)) };
    return { status: 200, body: { code: 200, results, cursor } };
  };

  return { answer, search, has: (id) => byId.has(id) };
};
