// Starts a provider on loopback whose lists have more than ten pages, as FxTwitter answers: threads and a pinned post that stand
// before their places and come again, reposts between the posts, and cursors of the recorded lengths. It imports no test
// framework, because the program that records cursors of releases uses it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen, stop } from '../../infra/local/listen.ts';

/** The items of a list. */
const ITEMS = 210;
/** X sends about 20 items per page, whatever is requested. */
const PAGE = 20;
/** The pages of a conversation; a search has the other replies. */
const CONVERSATION_PAGES = 2;
const NEWEST = Date.parse('2026-09-01T12:00:00Z');
const APART = 43 * 60_000;

/** A recorded cursor, of which four characters are the offset. */
const cursorLike = (file: string) => {
  const { cursor } = JSON.parse(readFileSync(new URL(`../fixtures/fxtwitter/${file}.json`, import.meta.url), 'utf8'));
  const recorded = String(cursor.bottom);
  const at = Math.floor(recorded.length / 8) * 4 + (recorded.indexOf('|') + 1);
  return {
    at: (offset: number) => recorded.slice(0, at) + String(offset).padStart(4, '0') + recorded.slice(at + 4),
    offset: (cursor: string) => Number(cursor.slice(at, at + 4)),
  };
};

const CURSORS = {
  timeline: cursorLike('statuses/mock_x'),
  accounts: cursorLike('followers/ada_larsson_p1_default'),
  search: cursorLike('search/mock_neo'),
  conversation: cursorLike('conversation/20'),
};

const timeAt = (index: number): number => NEWEST - index * APART;

/** As on X, the id contains the time (Snowflake). */
const idAt = (index: number, offset: number): string =>
  String((BigInt(timeAt(index) - 1_288_834_974_657) << 22n) + BigInt(offset));

export const SUBJECT = idAt(ITEMS + 20, 0);

const profile = (handle: string, id = String(Buffer.from(handle).readUIntBE(0, Math.min(handle.length, 6)))) => ({
  type: 'profile',
  screen_name: handle,
  id,
  name: handle,
});
const accountAt = (index: number) => profile(`user_${index}`, String(700_000_000 + index));

/** The accounts of a timeline have posts at the same times. */
const offsetOf = (handle: string): number => Number(/\d+$/.exec(handle)?.[0] ?? 0);

const postAt = (handle: string, index: number) => ({
  type: 'status',
  id: idAt(index, offsetOf(handle)),
  text: `${index} a quiet tide`,
  author: profile(handle),
  created_timestamp: Math.floor(timeAt(index) / 1000),
  source: 'Web',
  likes: 1000 - index,
  replies: 0,
  media: { all: [{ type: 'photo', url: 'https://pbs.twimg.com/media/tide.jpg', width: 1, height: 1 }] },
});

const INDEXES = Array.from({ length: ITEMS }, (_, index) => index);

/** Pages end between entries. */
type Entry = object | readonly object[];

const PINNED = 150;
const OLDER_PART = 6;

const isBelowRepost = (index: number): boolean => index % 13 === 5;

/** The account reposted the post of another account, which is a little older than its own next post. */
const repostAbove = (index: number, handle: string) => ({
  ...postAt('other', index + 1),
  id: idAt(index + 1, 1000 + offsetOf(handle)),
  reposted_by: profile(handle),
});

/** A pinned post, then posts, some with an older part of their thread before them in one entry, and reposts. */
const timelineOf = (handle: string): readonly Entry[] => [
  [postAt(handle, PINNED)],
  ...INDEXES.flatMap((index) => [
    ...(isBelowRepost(index) ? [[repostAbove(index, handle)]] : []),
    [
      ...(index % 9 === 4 && index + OLDER_PART < ITEMS ? [postAt(handle, index + OLDER_PART)] : []),
      postAt(handle, index),
    ],
  ]),
];

const inReplyTo = { replying_to: { screen_name: 'ada', post: SUBJECT, status: SUBJECT } };
const replyAt = (index: number) => ({ ...postAt('bo', index), ...inReplyTo });

const dayOf = (query: string, operator: string): number | undefined => {
  const day = new RegExp(`(?:^| )${operator}:(\\d{4}-\\d\\d-\\d\\d)(?: |$)`).exec(query)?.[1];
  return day === undefined ? undefined : Date.parse(day);
};

const searched = (query: string): readonly object[] => {
  if (query.includes('conversation_id:')) return INDEXES.map(replyAt);
  const [, handle = 'ada'] = /from:(\w+)/.exec(query) ?? [];
  const until = dayOf(query, 'until') ?? Number.POSITIVE_INFINITY;
  const since = dayOf(query, 'since') ?? 0;
  const isWithin = (index: number): boolean => timeAt(index) < until && timeAt(index) >= since;
  return INDEXES.filter(isWithin).map((index) => postAt(handle, index));
};

/** X has a cursor after the last page too. */
const pageOf = (entries: readonly Entry[], { at, offset }: (typeof CURSORS)['search'], cursor: string | null) => {
  const from = cursor === null ? 0 : offset(cursor);
  const page = entries.slice(from, from + PAGE);
  return { code: 200, results: page.flat(), cursor: { top: at(from), bottom: at(from + page.length) } };
};

const conversationOf = (cursor: string | null) => {
  const from = cursor === null ? 0 : CURSORS.conversation.offset(cursor);
  const status = { ...postAt('ada', ITEMS + 20), replies: ITEMS };
  const end = from + PAGE;
  return {
    code: 200,
    status,
    thread: [status],
    replies: INDEXES.slice(from, end).map(replyAt),
    author: status.author,
    cursor: end < CONVERSATION_PAGES * PAGE ? { bottom: CURSORS.conversation.at(end) } : null,
  };
};

const answer = ({ pathname, searchParams }: URL): object => {
  const cursor = searchParams.get('cursor');
  const [, kind, name = '', list] = /\/2\/(\w+)\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  if (kind === 'search') return pageOf(INDEXES.map(accountAt), CURSORS.search, cursor);
  if (pathname.endsWith('/2/search')) return pageOf(searched(searchParams.get('q') ?? ''), CURSORS.search, cursor);
  if (kind === 'conversation') return conversationOf(cursor);
  switch (list) {
    case 'followers':
    case 'following':
    case 'reposts':
      return pageOf(INDEXES.map(accountAt), CURSORS.accounts, cursor);
    case 'quotes':
      return pageOf(searched(''), CURSORS.search, cursor);
    // Nothing says how old the lists are.
    case 'statuses':
      return pageOf(name === 'X' ? [] : timelineOf(name), CURSORS.timeline, cursor);
    case 'media':
      return pageOf(
        INDEXES.map((index) => postAt(name, index)),
        CURSORS.timeline,
        cursor,
      );
    case 'articles':
      return pageOf(
        INDEXES.map((index) => ({ ...postAt(name, index), article: { title: 'Tides', preview_text: 'Quiet' } })),
        CURSORS.timeline,
        cursor,
      );
    default:
      return kind === 'profile' ? { code: 200, user: profile(name) } : { ...conversationOf(null), cursor: null };
  }
};

/** @returns the value of FXTWITTER_BASE_URL */
export const startTenPages = async () => {
  const server = createServer((incoming, response) => {
    const body = JSON.stringify(answer(new URL(incoming.url ?? '', 'http://127.0.0.1')));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return { baseUrl: await listen(server, '127.0.0.1', 0), close: (): Promise<void> => stop(server) };
};

export interface TenPagesList {
  /** Of v1. */
  readonly path: string;
  readonly tool: string;
  readonly args: object;
  /** The ids of its items, newest first. */
  readonly ids: readonly string[];
}

const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `ada${index}`);

const ownIds = (name = 'ada'): readonly string[] => INDEXES.map((index) => idAt(index, offsetOf(name)));
const accountIds = INDEXES.map((index) => accountAt(index).id);
const repostIds = (name = 'ada'): readonly string[] =>
  INDEXES.filter(isBelowRepost).map((index) => repostAbove(index, name).id);

const newestFirst = (ids: readonly string[]): readonly string[] =>
  ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));

const UNTIL = '2026-08-31';

const timeline = (count: number): TenPagesList => ({
  path: `/api/v1/timeline?handles=${namesOf(count)}`,
  tool: 'x_list_posts',
  args: { handle: `${namesOf(count)}` },
  ids: newestFirst(namesOf(count).flatMap(ownIds)),
});

const POSTS = '/api/v1/profiles/ada/posts';

export const LISTS: readonly TenPagesList[] = [
  { path: '/api/v1/profiles/ada', tool: 'x_get_profile', args: { handle: 'ada' }, ids: ownIds() },
  ...['followers', 'following'].map((list) => ({
    path: `/api/v1/profiles/ada/${list}`,
    tool: `x_list_${list}`,
    args: { handle: 'ada' },
    ids: accountIds,
  })),
  ...['posts', 'replies', 'media', 'articles'].map((kind) => ({
    path: `${POSTS}?kind=${kind}`,
    tool: 'x_list_posts',
    args: { handle: 'ada', kind },
    ids: ownIds(),
  })),
  {
    path: `${POSTS}?reposts=include`,
    tool: 'x_list_posts',
    args: { handle: 'ada', reposts: 'include' },
    ids: newestFirst([...ownIds(), ...repostIds()]),
  },
  {
    path: `${POSTS}?until=${UNTIL}`,
    tool: 'x_list_posts',
    args: { handle: 'ada', until: UNTIL },
    ids: ownIds().filter((_, index) => timeAt(index) < Date.parse(UNTIL)),
  },
  ...['latest', 'top', 'media', 'users'].map((feed) => ({
    path: `/api/v1/search?q=tide&feed=${feed}`,
    tool: 'x_search_posts',
    args: { q: 'tide', feed },
    ids: feed === 'users' ? accountIds : ownIds(),
  })),
  ...['top', 'recent'].map((sort) => ({
    path: `/api/v1/posts/${SUBJECT}/replies?sort=${sort}`,
    tool: 'x_list_replies',
    args: { id: SUBJECT, sort },
    ids: ownIds(),
  })),
  ...['quotes', 'reposts'].map((kind) => ({
    path: `/api/v1/posts/${SUBJECT}/${kind}`,
    tool: 'x_list_replies',
    args: { id: SUBJECT, kind },
    ids: kind === 'quotes' ? ownIds() : accountIds,
  })),
  { path: '/api/v1/lists/2026/posts', tool: 'x_list_posts', args: { id: '2026' }, ids: ownIds() },
  ...[2, 5, 20].map(timeline),
  {
    path: `${timeline(2).path}&reposts=include`,
    tool: 'x_list_posts',
    args: { ...timeline(2).args, reposts: 'include' },
    ids: newestFirst(namesOf(2).flatMap((name) => [...ownIds(name), ...repostIds(name)])),
  },
];
