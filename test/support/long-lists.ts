// Starts a provider on loopback with long lists, as FxTwitter answers: a timeline that ends early, searches that end after
// some hundred results, and followers. It imports no test framework, because programs outside of it use it.
import { createServer } from 'node:http';
import { listen, stop } from '../../infra/local/listen.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';

export interface LongListOptions {
  /** The number of posts, and of followers. */
  readonly count: number;
  /** The number of posts after which the timeline ends. @default 3200 */
  readonly timelineEnd?: number;
  /** The number of results after which a search ends. @default 300 */
  readonly searchEnd?: number;
  /** Characters of each post. @default 60 */
  readonly textLength?: number;
  /** Called before each answer. */
  readonly onRequest?: () => void;
}

const DAY_SECONDS = 86_400;
const NEWEST = Date.parse('2026-09-01T12:00:00Z') / 1000;
/** X sends about 20 items per page, whatever is requested. */
const PAGE = 20;

const profile = (handle: string, id: string) => ({ type: 'profile', screen_name: handle, id, name: handle });

/** No posts: the account says nothing about how old the lists are. */
const NO_POSTS = { code: 200, results: [], cursor: { top: null, bottom: null } };

const isAboutFreshness = ({ href }: URL): boolean => href.includes(environmentDefaults[env.freshnessProfile]);

const followerId = (index: number): string => String(700_000_000 + index);

/** As on X, the id contains the time (Snowflake). */
const idAt = (seconds: number, index: number): string =>
  String(((BigInt(seconds) * 1000n - 1_288_834_974_657n) << 22n) + BigInt(4_194_303 - (index % 4_000_000)));

const dayOf = (query: string, operator: string): number | undefined => {
  const day = new RegExp(`(?:^| )${operator}:(\\d{4}-\\d\\d-\\d\\d)(?: |$)`).exec(query)?.[1];
  return day === undefined ? undefined : Date.parse(day) / 1000;
};

export const startLongLists = async ({
  count,
  timelineEnd = 3200,
  searchEnd = 300,
  textLength = 60,
  onRequest,
}: LongListOptions) => {
  const text = 'a quiet tide '.repeat(Math.ceil(textLength / 13)).slice(0, textLength);
  // Two posts share each second, and a day has 40.
  const secondsAt = (index: number): number => NEWEST - Math.floor(index / 2) * Math.floor(DAY_SECONDS / 20);
  const postAt = (index: number) => ({
    type: 'status',
    id: idAt(secondsAt(index), index),
    text: `${index} ${text}`,
    author: profile('ada', '1'),
    created_timestamp: secondsAt(index),
    source: 'Web',
  });
  const followerAt = (index: number) => profile(`user_${index}`, followerId(index));
  const indexes = Array.from({ length: count }, (_, index) => index);

  /** @param reached the indexes of the items that the list has */
  const pageOf = (reached: readonly number[], itemAt: (index: number) => object, cursor: string | null): object => {
    const from = Number(cursor?.replace('at-', '') ?? 0);
    const items = reached.slice(from, from + PAGE);
    // X has a cursor after the last page too.
    return {
      code: 200,
      results: items.map(itemAt),
      cursor: { top: `top-${from}`, bottom: `at-${from + items.length}` },
    };
  };

  const answer = (url: URL): object => {
    if (isAboutFreshness(url)) return NO_POSTS;
    const cursor = url.searchParams.get('cursor');
    if (url.pathname.endsWith('/followers')) return pageOf(indexes, followerAt, cursor);
    if (url.pathname.endsWith('/statuses')) return pageOf(indexes.slice(0, timelineEnd), postAt, cursor);
    if (url.pathname.endsWith('/2/search')) {
      const query = url.searchParams.get('q') ?? '';
      const until = dayOf(query, 'until') ?? Number.POSITIVE_INFINITY;
      const since = dayOf(query, 'since') ?? 0;
      const found = indexes.filter((index) => secondsAt(index) < until && secondsAt(index) >= since);
      return pageOf(found.slice(0, searchEnd), postAt, cursor);
    }
    if (/\/2\/profile\/\w+$/.test(url.pathname)) return { code: 200, user: profile('ada', '1') };
    return { code: 200, status: postAt(0) };
  };

  const server = createServer((incoming, response) => {
    onRequest?.();
    const body = JSON.stringify(answer(new URL(incoming.url ?? '', 'http://127.0.0.1')));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const origin = await listen(server, '127.0.0.1', 0);
  return {
    /** The value of FXTWITTER_BASE_URL. */
    baseUrl: origin,
    /** Newest first. */
    postIds: indexes.map((index) => postAt(index).id),
    followerIds: indexes.map(followerId),
    close: (): Promise<void> => stop(server),
  };
};
