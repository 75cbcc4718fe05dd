// Answers as FxTwitter does, from the posts and accounts of the folder `sample`. Its README says what a row of these files
// has. What follows from other rows is not written in a row: addresses, the author and the quoted post of a post, and the
// counts of what the sample has. A row of a real post or account has its own counts.
//
// An answer with `lang` has the translation into it of each post whose row has one, as if X had made it.
//
// A list is newest first, and its cursor is the number of entries before the page. A timeline shows an article without its
// blocks, as the service does. `/2/search/users` has no answer, so that the accounts are suggestions.
import { readFileSync } from 'node:fs';
import { asRecord, definedMembers, isRecord, type JsonRecord } from '../../shared/model/json.ts';

interface PostRow extends JsonRecord {
  readonly id: string;
  readonly author: string;
  readonly created_at: string;
  readonly text: string;
  /** Id of the answered post. */
  readonly replying_to?: string;
  /** Id of the quoted post. */
  readonly quote?: string;
  /** The row is a repost of this post, and has no text. */
  readonly repost?: string;
  /** The reason for which the post cannot be read. */
  readonly tombstone?: string;
  readonly translations?: Readonly<Record<string, JsonRecord>>;
}

interface AccountRow extends JsonRecord {
  readonly screen_name: string;
  readonly id: string;
  readonly follows?: readonly string[];
}

export interface SampleAnswer {
  readonly status: number;
  readonly body: JsonRecord;
}

const SAMPLE = new URL('./sample/', import.meta.url);
const PAGE_SIZE = 20;
const REPLIES_PER_PAGE = 5;

const readJson = (file: string) => JSON.parse(readFileSync(new URL(file, SAMPLE), 'utf8'));

const answer = (status: number, members: JsonRecord): SampleAnswer => ({ status, body: { code: status, ...members } });

const page = (entries: readonly JsonRecord[], query: URLSearchParams): SampleAnswer => {
  const start = Number(query.get('cursor')) || 0;
  const end = start + (Number(query.get('count')) || PAGE_SIZE);
  const bottom = end < entries.length ? String(end) : null;
  return answer(200, { results: entries.slice(start, end), cursor: { top: null, bottom } });
};

const NO_LIST = answer(404, { results: [], cursor: { top: null, bottom: null } });

const profileUrl = (handle: string): string => `https://x.com/${handle}`;
const hasMedia = ({ media }: PostRow): boolean => media !== undefined;
const isReply = ({ replying_to: parent }: PostRow): boolean => parent !== undefined;
const secondsOf = ({ created_at: time }: PostRow): number => Date.parse(time) / 1000;

const timelines: ReadonlyMap<string, (post: PostRow) => boolean> = new Map([
  ['statuses', (post) => !isReply(post)],
  ['statuses with replies', () => true],
  ['media', hasMedia],
  ['articles', ({ article }) => article !== undefined],
]);

/** @returns the answer, in which each post has its translation into the language, if its row has one */
const translated = ({ status, body }: SampleAnswer, lang: string): SampleAnswer => {
  const translate = (_key: string, value: unknown): unknown => {
    if (!isRecord(value) || value['translations'] === undefined) return value;
    const { translations, ...post } = value;
    return { ...post, ...definedMembers({ translation: asRecord(translations)?.[lang] }) };
  };
  return { status, body: JSON.parse(JSON.stringify(body), translate) };
};

export interface SampleProvider {
  /** Number of posts. */
  readonly size: number;
  answer(url: URL): SampleAnswer;
}

export const createSampleProvider = (): SampleProvider => {
  const rows: readonly PostRow[] = readJson('posts.json');
  const accounts: readonly AccountRow[] = readJson('accounts.json');
  const failures: Readonly<Record<string, SampleAnswer>> = readJson('failures.json');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const posts = rows.filter(({ repost, tombstone }) => (repost ?? tombstone) === undefined);

  const asUser = ({ follows = [], ...members }: AccountRow): JsonRecord => {
    const { screen_name: handle, description } = members;
    const own = rows.filter(({ author }) => author === handle);
    return {
      type: 'profile',
      url: profileUrl(handle),
      raw_description: { text: description, facets: [] },
      location: '',
      banner_url: null,
      avatar_url: null,
      protected: false,
      website: null,
      verification: { verified: false, verified_at: null, type: null },
      followers: followersOf(handle).length,
      following: follows.length,
      likes: 0,
      statuses: own.length,
      media_count: own.filter(hasMedia).length,
      ...members,
    };
  };
  const followersOf = (handle: string) => accounts.filter(({ follows }) => follows?.includes(handle));
  const users = new Map(accounts.map((account) => [account.screen_name.toLowerCase(), asUser(account)]));
  const userOf = (handle: string): JsonRecord => users.get(handle.toLowerCase()) ?? {};

  /** The author of a post, in which the service names a larger picture. */
  const authorOf = ({ author }: PostRow): JsonRecord => {
    const { about_account: _, avatar_url: avatar, ...user } = userOf(author);
    return { ...user, avatar_url: typeof avatar === 'string' ? avatar.replace('_normal.', '_200x200.') : avatar };
  };

  const repliesTo = (id: string): readonly PostRow[] => posts.filter(({ replying_to: parent }) => parent === id);
  const quotesOf = (id: string): readonly PostRow[] => posts.filter(({ quote }) => quote === id);
  const repostsOf = (id: string): readonly PostRow[] => rows.filter(({ repost }) => repost === id);

  const asStatus = (row: PostRow): JsonRecord => {
    const { id, author, repost, tombstone, replying_to: parent, quote, ...members } = row;
    const original = byId.get(repost ?? '');
    if (original !== undefined) return { ...asStatus(original), reposted_by: userOf(author) };
    const url = `${profileUrl(tombstone === undefined ? author : 'i')}/status/${id}`;
    if (tombstone !== undefined)
      return { type: 'tombstone', provider: 'twitter', reason: tombstone, id, url, ...members };
    const answered = byId.get(parent ?? '');
    const quoted = byId.get(quote ?? '');
    return {
      type: 'status',
      id,
      url,
      provider: 'twitter',
      source: 'Twitter Web App',
      raw_text: { text: row.text, display_text_range: [0, [...row.text].length], facets: [] },
      created_timestamp: secondsOf(row),
      replies: repliesTo(id).length,
      reposts: repostsOf(id).length,
      quotes: quotesOf(id).length,
      likes: 0,
      possibly_sensitive: false,
      media: {},
      ...members,
      author: authorOf(row),
      replying_to: answered
        ? {
            screen_name: answered.author,
            status: answered.id,
            url: `${profileUrl(answered.author)}/status/${answered.id}`,
            profile_url: profileUrl(answered.author),
          }
        : null,
      ...(quoted && { quote: asStatus(quoted) }),
    };
  };

  const asPreview = (row: PostRow): JsonRecord => {
    const { article, ...status } = asStatus(row);
    const preview = { ...asRecord(article), content: { blocks: [], entityMap: [] } };
    return article === undefined ? status : { ...status, article: preview };
  };

  const ancestorsOf = ({ replying_to: parent = '' }: PostRow): readonly PostRow[] => {
    const row = byId.get(parent);
    return row === undefined ? [] : [...ancestorsOf(row), row];
  };

  /** The author's oldest reply to the post, then the oldest reply of the same author to it, and so on. */
  const continuationOf = ({ id }: PostRow, by: string): readonly PostRow[] => {
    const next = repliesTo(id).findLast(({ author }) => author === by);
    return next === undefined ? [] : [next, ...continuationOf(next, by)];
  };

  /** The first page has the continuation, and each page has replies of others, each with the author's answers to it. */
  const replies = (row: PostRow, query: URLSearchParams): JsonRecord => {
    const [start, end] = [Number(query.get('cursor')), Number(query.get('cursor')) + REPLIES_PER_PAGE];
    const continuation = continuationOf(row, row.author);
    const others = repliesTo(row.id).filter((reply) => reply !== continuation[0]);
    if (query.get('ranking_mode') !== 'recency')
      others.reverse().sort((a, b) => Number(b['likes']) - Number(a['likes']));
    const modules = others.slice(start, end).map((reply) => [reply, ...continuationOf(reply, row.author)]);
    const entries = [...(start === 0 ? continuation : []), ...modules.flat()];
    return {
      thread: [...(start === 0 ? ancestorsOf(row) : []), row].map(asStatus),
      replies: entries.map(asStatus),
      cursor: end < others.length ? { bottom: String(end) } : null,
    };
  };

  const postAnswer = (route: string, id: string, query: URLSearchParams): SampleAnswer => {
    const row = byId.get(id);
    const isConversation = route === 'conversation';
    const nothing = {
      status: null,
      thread: null,
      ...(isConversation && { replies: null, cursor: null }),
      author: null,
    };
    // A conversation gives no reason for a post of a protected account.
    if (row?.tombstone === 'private') return answer(isConversation ? 404 : 401, nothing);
    if (row === undefined) return answer(404, nothing);
    const status = asStatus(row);
    if (row.tombstone !== undefined) return answer(404, { ...nothing, status });
    const { author } = status;
    if (isConversation) return answer(200, { status, ...replies(row, query), author });
    if (route === 'status') return answer(200, { status, thread: null, author });
    const thread = [...ancestorsOf(row), row, ...continuationOf(row, row.author)];
    return answer(200, { status, thread: thread.map(asStatus), author });
  };

  const profileAnswer = (name: string, list: string | undefined, query: URLSearchParams): SampleAnswer => {
    const isNamed = ({ screen_name: handle, id }: AccountRow) =>
      name === `id:${id}` || name.toLowerCase() === handle.toLowerCase();
    const account = accounts.find(isNamed);
    if (account === undefined) return list === undefined ? answer(404, { message: 'User not found' }) : NO_LIST;
    const { screen_name: handle, follows = [] } = account;
    if (list === undefined) return answer(200, { message: 'OK', user: userOf(handle) });
    if (list === 'following') return page(follows.map(userOf), query);
    if (list === 'followers')
      return page(
        followersOf(handle).map((follower) => userOf(follower.screen_name)),
        query,
      );
    const belongs = timelines.get(query.has('with_replies') ? `${list} with replies` : list);
    if (belongs === undefined) return NO_LIST;
    return page(rows.filter((row) => row.author === handle && belongs(row)).map(asPreview), query);
  };

  const operators: readonly (readonly [RegExp, (value: string) => (post: PostRow) => boolean])[] = [
    [/^from:(\w+)$/, (handle) => (post) => post.author.toLowerCase() === handle],
    [/^since:([0-9-]+)$/, (day) => (post) => secondsOf(post) >= Date.parse(day) / 1000],
    [/^until:([0-9-]+)$/, (day) => (post) => secondsOf(post) < Date.parse(day) / 1000],
    [/^-filter:replies$/, () => (post) => !isReply(post)],
    [/^filter:media$/, () => hasMedia],
    [/^conversation_id:([0-9]+)$/, (root) => (post) => (ancestorsOf(post)[0] ?? post).id === root],
    // The list of X has all accounts of the sample.
    [/^list:2026$/, () => (post) => !isReply(post)],
    [/^"?(.+?)"?$/s, (words) => (post) => post.text.toLowerCase().includes(words)],
  ];

  const search = (query: string): readonly PostRow[] => {
    const tests = (query.toLowerCase().match(/"[^"]+"|\S+/g) ?? []).flatMap((term) => {
      const [pattern, test] = operators.find(([operator]) => operator.test(term)) ?? [];
      return test?.(pattern?.exec(term)?.[1] ?? '') ?? [];
    });
    return posts.filter((post) => tests.every((test) => test(post)));
  };

  const searchAnswer = (query: URLSearchParams): SampleAnswer => {
    const found = search(query.get('q') ?? '').filter((post) => query.get('feed') !== 'media' || hasMedia(post));
    const sorted =
      query.get('feed') === 'top' ? found.toSorted((a, b) => Number(b['likes']) - Number(a['likes'])) : found;
    return page(sorted.map(asPreview), query);
  };

  /** The authors of posts with the words, first those with most followers. */
  const suggestions = (q: string): SampleAnswer => {
    const found = [...new Set(search(q).map(({ author }) => author))]
      .map(userOf)
      .sort((a, b) => Number(b['followers']) - Number(a['followers']));
    return answer(200, { query: q, num_results: found.length, users: found, topics: [], events: [] });
  };

  const answerTo = ({ pathname, searchParams: query }: URL): SampleAnswer => {
    const failure = failures[pathname];
    if (failure !== undefined) return failure;
    if (pathname === '/2/search') return searchAnswer(query);
    if (pathname === '/2/typeahead') return suggestions(query.get('q') ?? '');
    const [, subject = '', name = '', list] = /^\/2\/(\w+)\/([\w:]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (subject === 'profile') return profileAnswer(name, list, query);
    if (list === undefined) return subject === 'search' ? NO_LIST : postAnswer(subject, name, query);
    const isListed = subject === 'status' && posts.some(({ id }) => id === name);
    if (isListed && list === 'quotes') return page(quotesOf(name).map(asStatus), query);
    if (isListed && list === 'reposts')
      return page(
        repostsOf(name).map(({ author }) => userOf(author)),
        query,
      );
    return NO_LIST;
  };

  return { size: posts.length, answer: (url) => translated(answerTo(url), url.searchParams.get('lang') ?? '') };
};
