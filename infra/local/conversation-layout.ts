// Answers of the FxTwitter API about one conversation, laid out as the real service does it, from the posts alone.
//
// Origin: the FxEmbed worker (MIT, packages/atmosphere/src/providers/twitter/conversation.ts) and its recorded answers
// about a thread of 25 parts. The tests hold what is built here against those recordings.
//
// - `/2/conversation/{id}`: `thread` has the ancestors and the post. `replies` is flat: first what the author of the post
//   goes on with, at most 10 entries of it; then each reply of others with what the author answered to it, 15 replies a
//   page. Tombstones are left out there. `cursor` is null, or leads to what was cut off; its pages are 404.
// - `/2/thread/{id}`: the author's own chain around the post, as far as the same conversation shows it.
// - `/2/status/{id}`: the post alone.

export type RawPost = Readonly<Record<string, unknown>>;

/** Entries of one module of X. */
const MODULE_ENTRIES = 10;
const MODULES_PER_PAGE = 15;

export interface LayoutOptions {
  /** Entries of a continuation in one answer. @default 10 */
  readonly moduleEntries?: number;
  /** @default 15 */
  readonly modulesPerPage?: number;
}

export interface LaidOut {
  readonly status: number;
  readonly body: RawPost;
}

const isRecord = (value: unknown): value is RawPost => typeof value === 'object' && value !== null;

const idOf = (post: RawPost): string => String(post['id']);
const isTombstone = (post: RawPost): boolean => post['type'] === 'tombstone';

const authorOf = (post: RawPost): string | undefined => {
  const author = post['author'];
  return isRecord(author) ? String(author['screen_name']).toLowerCase() : undefined;
};

/** A tombstone does not name the post that it answered; the caller may know. */
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

/** Only what the service sends: `parent` of a tombstone is the caller's. */
const shown = (post: RawPost): RawPost => {
  const { parent: _, ...members } = post;
  return isTombstone(post) ? members : post;
};

/** The entries of a module share an id of their own, so that a tombstone in one has none. */
const inModule = (post: RawPost): RawPost => {
  const { id: _, url: __, ...members } = post;
  return isTombstone(post) ? members : post;
};

export interface ConversationLayout {
  /** @param query of the address */
  answer(route: string, id: string, query: URLSearchParams): LaidOut;
  has(id: string): boolean;
}

/** @param posts as the service sends them, in any order; a tombstone names with `parent` what it answered */
export const layoutOf = (posts: Iterable<RawPost>, options: LayoutOptions = {}): ConversationLayout => {
  const { moduleEntries = MODULE_ENTRIES, modulesPerPage = MODULES_PER_PAGE } = options;
  const byId = new Map<string, RawPost>();
  for (const post of posts) {
    const known = byId.get(idOf(post));
    if (known === undefined || isTombstone(known)) byId.set(idOf(post), post);
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

  /** The continuation below a post: the oldest own answer, and so on. A deleted part keeps its place. */
  const continuationOf = (post: RawPost, author: string | undefined): RawPost[] => {
    const parts: RawPost[] = [];
    const next = (id: string): RawPost | undefined =>
      children.get(id)?.find((child) => authorOf(child) === author || (isTombstone(child) && next(idOf(child))));
    for (let at = next(idOf(post)); at !== undefined; at = next(idOf(at))) parts.push(at);
    return parts;
  };

  const likesOf = (post: RawPost): number => Number(post['likes'] ?? 0);

  /** Modules below a post: its own continuation, then each other answer with what the author of the post says to it. */
  const modulesBelow = (post: RawPost, ranking: string | null) => {
    const author = authorOf(post);
    const own = continuationOf(post, author);
    const others = (children.get(idOf(post)) ?? []).filter((child) => child !== own[0]);
    others.sort((a, b) => (ranking === 'recency' ? byAge(b, a) : likesOf(b) - likesOf(a) || byAge(a, b)));
    return { own, others: others.map((reply) => [reply, ...continuationOf(reply, author)]) };
  };

  const conversation = (post: RawPost, query: URLSearchParams): LaidOut => {
    if (query.has('cursor')) return bare({ replies: null, cursor: null });
    const { own, others } = modulesBelow(post, query.get('ranking_mode'));
    const cut = own[moduleEntries];
    const cursor =
      cut !== undefined ? `more${idOf(cut)}` : others.length > modulesPerPage ? `bottom${idOf(post)}` : undefined;
    const replies = [own, ...others.slice(0, modulesPerPage)].flatMap((module) => module.slice(0, moduleEntries));
    return {
      status: 200,
      body: {
        status: post,
        thread: [...ancestorsOf(post), post].map(shown),
        replies: replies.filter((reply) => !isTombstone(reply)),
        author: post['author'],
        cursor: cursor === undefined ? null : { bottom: cursor },
        code: 200,
      },
    };
  };

  const thread = (post: RawPost): LaidOut => {
    const above = ancestorsOf(post);
    const below = modulesBelow(post, null).own.slice(0, moduleEntries);
    const isOwn = (entry: RawPost): boolean => authorOf(entry) === authorOf(post);
    const [root] = above;
    // It walks along the answers, up to the first post that is missing. The root of the author is shown all the same.
    const gapAbove = above.findLastIndex(isTombstone);
    const gapBelow = below.findIndex(isTombstone);
    const reached = [
      ...above.filter((entry, index) => index > gapAbove || isTombstone(entry) || (entry === root && isOwn(entry))),
      post,
      ...(gapBelow === -1 ? below : below.slice(0, gapBelow + 1)).map(inModule),
    ];
    return {
      status: 200,
      body: { status: post, thread: reached.map(shown), author: post['author'], code: 200 },
    };
  };

  const answer = (route: string, id: string, query: URLSearchParams): LaidOut => {
    const post = byId.get(id);
    const members = route === 'conversation' ? { replies: null, cursor: null } : {};
    if (post === undefined) return bare(members);
    if (isTombstone(post)) {
      // A protected account is 401 without a word of it; X says so to the query for single posts alone.
      if (post['reason'] !== 'private') return { status: 404, body: { ...bare(members).body, status: shown(post) } };
      return route === 'status'
        ? { status: 401, body: { status: null, thread: null, author: null, code: 401 } }
        : bare(members);
    }
    if (route === 'conversation') return conversation(post, query);
    if (route === 'thread') return thread(post);
    return { status: 200, body: { status: post, thread: null, author: post['author'], code: 200 } };
  };

  return { answer, has: (id) => byId.has(id) };
};
