// Builds the lists of the sample that were not recorded, from all posts of the sample and in the format of FxTwitter:
// timelines with replies, media and articles of an account, searches for posts of an account in a period, a list of X,
// quotes, and reposts. Accounts that are only known as authors or from lists get a profile, and a post if they have none of their own,
// so that every link leads somewhere. All of these accounts are invented.
//
// A list is latest first. Its cursor is the number of entries before the page. A timeline shows an article without its
// blocks, as the service does.
import { asRecord, isRecord, type JsonRecord } from '../../shared/model/json.ts';
import type { RawPost } from './conversation-layout.ts';

const PAGE_SIZE = 20;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const handleOf = (account: unknown): string => textOf(asRecord(account)?.['screen_name']).toLowerCase();
const secondsOf = (post: RawPost): number => Number(post['created_timestamp'] ?? 0);

/** Collects the posts in an answer with the posts that they quote, without reposts. */
export const postsInAnswer = (value: unknown): readonly RawPost[] => {
  if (Array.isArray(value)) return value.flatMap(postsInAnswer);
  if (!isRecord(value)) return [];
  if (value['type'] !== 'status')
    return ['status', 'thread', 'replies', 'results'].flatMap((name) => postsInAnswer(value[name]));
  const { reposted_by: _, ...post } = value;
  return [post, ...postsInAnswer(value['quote'])];
};

const isReply = (post: RawPost): boolean => isRecord(post['replying_to']);
const hasMedia = (post: RawPost): boolean => asRecord(post['media'])?.['all'] !== undefined;
const hasArticle = (post: RawPost): boolean => isRecord(post['article']);

const asPreview = (post: RawPost): RawPost =>
  hasArticle(post)
    ? { ...post, article: { ...asRecord(post['article']), content: { blocks: [], entityMap: [] } } }
    : post;

const timelines: ReadonlyMap<string, (post: RawPost) => boolean> = new Map([
  ['statuses', (post) => !isReply(post)],
  ['statuses with replies', () => true],
  ['media', hasMedia],
  ['articles', hasArticle],
]);

const pageOf = (entries: readonly JsonRecord[], query: URLSearchParams): JsonRecord => {
  const start = Number(query.get('cursor') ?? '0') || 0;
  const end = start + Number(query.get('count') ?? PAGE_SIZE);
  const bottom = end < entries.length ? String(end) : null;
  return { code: 200, results: entries.slice(start, end), cursor: { top: null, bottom } };
};

interface AccountSearch {
  readonly handle: string;
  matches(post: RawPost): boolean;
}

const dayStart = (day: string): number => Date.parse(day) / 1000;

const operators: readonly (readonly [RegExp, (value: string) => (post: RawPost) => boolean])[] = [
  [/^since:([0-9-]+)$/, (day) => (post) => secondsOf(post) >= dayStart(day)],
  [/^until:([0-9-]+)$/, (day) => (post) => secondsOf(post) < dayStart(day)],
  [/^-filter:replies$/, () => (post) => !isReply(post)],
  [/^filter:media$/, () => hasMedia],
];

/** The list has all accounts of the sample. */
const SAMPLE_LIST = 'list:2026';

/** @returns undefined if the query has other words or operators */
const parseSearch = (query: string): AccountSearch | undefined => {
  const [first = '', ...words] = query.toLowerCase().split(' ');
  const [, handle] = /^from:(\w+)$/.exec(first) ?? [];
  const tests = words.map((word) => {
    for (const [pattern, test] of operators) {
      const match = pattern.exec(word);
      if (match !== null) return test(match[1] ?? '');
    }
    return undefined;
  });
  return handle === undefined || tests.includes(undefined)
    ? undefined
    : { handle, matches: (post) => tests.every((test) => test?.(post)) };
};

export interface SampleLists {
  /** @param url of FxTwitter @returns undefined if the sample has nothing to build the answer from */
  answer(url: URL): JsonRecord | undefined;
  readonly posts: ReadonlyMap<string, RawPost>;
  /** The handles of all accounts, by id. */
  readonly handles: ReadonlyMap<string, string>;
}

const accountsInAnswer = (answer: unknown): readonly JsonRecord[] =>
  [asRecord(answer)?.['results'], asRecord(answer)?.['users']]
    .flat()
    .filter(isRecord)
    .filter(({ type }) => type === 'profile');

/** X counts milliseconds from here, above 22 bits of an id. */
const SNOWFLAKE_EPOCH = 1_288_834_974_657n;
const INVENTED_AT = Date.parse('2026-02-01T12:00:00Z');

const inventedPost = (author: JsonRecord, index: number): RawPost => {
  const time = INVENTED_AT + index * 60_000;
  const id = String((BigInt(time) - SNOWFLAKE_EPOCH) << 22n);
  const text = 'This account and this post are invented: the sample has no other post of the account.';
  return {
    type: 'status',
    id,
    url: `https://x.com/${textOf(author['screen_name'])}/status/${id}`,
    text,
    raw_text: { text, display_text_range: [0, text.length], facets: [] },
    author,
    replies: 0,
    reposts: 0,
    likes: 0,
    quotes: 0,
    created_at: new Date(time).toUTCString(),
    created_timestamp: time / 1000,
    lang: 'en',
    replying_to: null,
  };
};

const PROFILE = /^\/2\/profile\/([^/]+)(?:\/([a-z]+))?$/;
const ENGAGEMENTS = /^\/2\/status\/([0-9]+)\/(quotes|reposts)$/;

/** @param answers of FxTwitter; the first copy of a post is used */
export const sampleListsOf = (answers: readonly unknown[]): SampleLists => {
  const posts = new Map<string, RawPost>();
  for (const post of answers.flatMap(postsInAnswer)) {
    const id = textOf(post['id']);
    if (!posts.has(id)) posts.set(id, post);
  }
  const profiles = answers.map((answer) => asRecord(asRecord(answer)?.['user']));
  const recorded = new Set(profiles.map(handleOf));
  const accounts = new Map(
    [...answers.flatMap(accountsInAnswer), ...[...posts.values()].map(({ author }) => asRecord(author) ?? {})].map(
      (account) => [handleOf(account), account],
    ),
  );
  const writers = new Set([...posts.values()].filter((post) => !isReply(post)).map(({ author }) => handleOf(author)));
  const silent = [...accounts].filter(
    ([handle, account]) => !recorded.has(handle) && !writers.has(handle) && account['protected'] !== true,
  );
  for (const post of silent.map(([, account], index) => inventedPost(account, index)))
    posts.set(textOf(post['id']), post);
  const latestFirst = [...posts.values()].sort((a, b) => secondsOf(b) - secondsOf(a));
  const handles = new Map(
    [...accounts.values(), ...profiles].map((account) => [textOf(account?.['id']), handleOf(account)]),
  );
  const reposters = new Map<string, Map<string, JsonRecord>>();
  for (const answer of answers)
    for (const entry of [asRecord(answer)?.['status'], asRecord(answer)?.['results']].flat()) {
      const account = accounts.get(handleOf(asRecord(entry)?.['reposted_by']));
      const id = textOf(asRecord(entry)?.['id']);
      if (account !== undefined) reposters.set(id, (reposters.get(id) ?? new Map()).set(handleOf(account), account));
    }

  const postsOf = (handle: string): readonly RawPost[] =>
    latestFirst.filter((post) => handleOf(post['author']) === handle.toLowerCase());

  const profileAnswer = (handle: string, list: string | undefined, query: URLSearchParams): JsonRecord | undefined => {
    const user = accounts.get(handle.toLowerCase());
    if (user === undefined) return undefined;
    if (list === undefined) return { code: 200, message: 'OK', user };
    if (list === 'followers' || list === 'following') return pageOf([], query);
    const belongs = timelines.get(query.has('with_replies') ? `${list} with replies` : list);
    return belongs && pageOf(postsOf(handle).filter(belongs).map(asPreview), query);
  };

  const engagementAnswer = (id: string, list: string, query: URLSearchParams): JsonRecord | undefined => {
    if (!posts.has(id)) return undefined;
    const quotes = latestFirst.filter((post) => asRecord(post['quote'])?.['id'] === id);
    return pageOf(list === 'quotes' ? quotes : [...(reposters.get(id)?.values() ?? [])], query);
  };

  const searchAnswer = (query: URLSearchParams): JsonRecord | undefined => {
    if (query.get('q') === SAMPLE_LIST)
      return pageOf(latestFirst.filter((post) => !isReply(post)).map(asPreview), query);
    const search = parseSearch(query.get('q') ?? '');
    return search && pageOf(postsOf(search.handle).filter(search.matches).map(asPreview), query);
  };

  return {
    posts,
    handles,
    answer: ({ pathname, searchParams }) => {
      if (pathname === '/2/search') return searchAnswer(searchParams);
      const [, handle, list] = PROFILE.exec(pathname) ?? [];
      if (handle !== undefined) return profileAnswer(handle, list, searchParams);
      const [, id, engagement] = ENGAGEMENTS.exec(pathname) ?? [];
      return id === undefined || engagement === undefined ? undefined : engagementAnswer(id, engagement, searchParams);
    },
  };
};
