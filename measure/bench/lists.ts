// Measures the handlers of searches and profiles from the provider's JSON to the answer, against parsing the same JSON.
import { createProfilesHandler, createSearchHandler } from '../../functions/bindings/reads.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { NEVER } from '../../shared/model/time.ts';
import type { PostListRequest, UserListRequest } from '../../shared/ports/upstream.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import { createFxTwitter } from '../../shared/upstream/fxtwitter/provider.ts';
import { createListReader } from '../../shared/upstream/list-reader.ts';
import { readJson } from '../../shared/upstream/read-json.ts';
import { createTestAccessControl } from '../../test/support/access-control.ts';
import { context, event } from '../../test/support/event.ts';
import { author, status } from '../../test/support/long-conversation.ts';
import { BENCH_PORTS, microseconds, microsecondsRow, type Row, ratioRow } from './measure.ts';

const SIZES = [1, 20, 100] as const;
const MARKDOWN_BAR = 1.8;
/** Against the Markdown of the same posts, which is the form with the fewest words about each. */
const FEED_BAR = 1.8;
const PAGE_BAR = 2;
/** The other side also writes the JSON of the answer. */
const JSON_BAR = 1.8;
/** Below this number of posts, the constant work of a request is most of it: parameters, allowance and cursors. */
const MIN_POSTS_OF_BARS = 20;
const NO_DEADLINE = { deadline: NEVER, calls: { retries: 0 } };

interface Bodies {
  readonly profile: Buffer;
  readonly list: Buffer;
}

const bodiesOf = (posts: number): Bodies => {
  const results = Array.from({ length: posts }, (_, seed) => status(seed, true));
  const cursor = { top: 'top', bottom: 'bottom' };
  return {
    profile: Buffer.from(JSON.stringify({ code: 200, user: author(0) })),
    list: Buffer.from(JSON.stringify({ code: 200, results, cursor })),
  };
};

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));

const handlersFor = ({ profile, list }: Bodies) => {
  const fxtwitter = createFxTwitter({
    baseUrl: '',
    source: 'fxtwitter',
    clock: Date.now,
    http: {
      get: async ({ url }) => {
        const json = readJson(/\/2\/profile\/\w+(?:$|\?)/.test(url) ? profile : list);
        return { kind: 'response', status: 200, json, isHtml: false };
      },
    },
  });
  const listOptions = { ...BENCH_PORTS, cacheMilliseconds: 0, random: () => 0 };
  const providers = [{ name: 'fxtwitter', provider: fxtwitter }];
  const lists = {
    listPosts: createListReader(providers, (_, request: PostListRequest) => fxtwitter.listPosts(request), listOptions),
    listUsers: createListReader(providers, (_, request: UserListRequest) => fxtwitter.listUsers(request), listOptions),
  };
  const ports = {
    ...BENCH_PORTS,
    cursors: createCursorCodec(['bench']),
    accessControl: createTestAccessControl(),
    upstream: {
      ...lists,
      readPost: (request: Parameters<typeof fxtwitter.readPost>[0]) => fxtwitter.readPost(request, NO_DEADLINE),
      readProfile: (handle: string) => fxtwitter.readProfile(handle, NO_DEADLINE),
    },
  };
  const readSearch = fxtwitter.listPosts({ list: 'search', query: 'fjord', feed: 'latest' });
  return { profiles: createProfilesHandler(ports), search: createSearchHandler(ports), readSearch };
};

const bodyOf = async (handler: LambdaHandler, target: string): Promise<string> => {
  const { statusCode, body = '' } = await handler(event(target), context());
  if (statusCode !== 200) throw new Error(`${target} answered ${statusCode}: ${body}`);
  return body;
};

const measureSize = async (posts: number): Promise<Row[]> => {
  const bodies = bodiesOf(posts);
  const { profiles, search, readSearch } = handlersFor(bodies);
  const lambda = context();
  const targets = {
    search: `/api/v1/search?q=fjord&limit=${posts}`,
    searchJson: `/api/v1/search?q=fjord&limit=${posts}&format=json`,
    profile: `/ada_larsson0?limit=${posts}`,
    feed: `/api/v1/profiles/ada_larsson0/posts?limit=${posts}&format=rss`,
    timeline: `/api/v1/profiles/ada_larsson0/posts?limit=${posts}`,
  };
  const out = Buffer.byteLength(await bodyOf(search, targets.search));
  await bodyOf(profiles, targets.profile);
  const answer: unknown = JSON.parse(await bodyOf(search, targets.searchJson));
  for (const target of [targets.feed, targets.timeline]) await bodyOf(profiles, target);
  const searchEvent = event(targets.search);
  const jsonEvent = event(targets.searchJson);
  const profileEvent = event(targets.profile);
  const pageEvent = event(targets.profile, { headers: { Accept: 'text/html' } });
  const feedEvent = event(targets.feed);
  const timelineEvent = event(targets.timeline);
  const us = await microseconds({
    parse: () => parse(bodies.list),
    stringify: () => JSON.stringify(answer),
    map: () => readSearch?.({ size: posts }, NO_DEADLINE),
    parseProfile: () => [parse(bodies.profile), parse(bodies.list)],
    search: () => search({ ...searchEvent }, lambda),
    searchJson: () => search({ ...jsonEvent }, lambda),
    profile: () => profiles({ ...profileEvent }, lambda),
    page: () => profiles({ ...pageEvent }, lambda),
    feed: () => profiles({ ...feedEvent }, lambda),
    timeline: () => profiles({ ...timelineEvent }, lambda),
  });
  const size = `${posts} post${posts === 1 ? '' : 's'}`;
  const label = `search, ${size} (${(bodies.list.length / 1000).toFixed(0)} kB in, ${(out / 1000).toFixed(1)} kB out)`;
  const [markdownBar, jsonBar, feedBar, pageBar] =
    posts >= MIN_POSTS_OF_BARS ? [MARKDOWN_BAR, JSON_BAR, FEED_BAR, PAGE_BAR] : [];
  return [
    microsecondsRow(`${label}: handler, Markdown`, us.search),
    ratioRow(`${label}: handler, Markdown / JSON.parse`, us.search / us.parse, markdownBar),
    ratioRow(`${label}: floor, read and map, no rendering / JSON.parse`, us.map / us.parse),
    ratioRow(
      `${label}: handler, JSON / JSON.parse and JSON.stringify`,
      us.searchJson / (us.parse + us.stringify),
      jsonBar,
    ),
    microsecondsRow(`profile, ${size}: handler, Markdown`, us.profile),
    ratioRow(`profile, ${size}: handler, Markdown / JSON.parse`, us.profile / us.parseProfile, markdownBar),
    ratioRow(`profile, ${size}: handler, page / Markdown`, us.page / us.profile, pageBar),
    ratioRow(`feed, ${size}: handler, RSS / Markdown`, us.feed / us.timeline, feedBar),
  ];
};

export const listRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const posts of SIZES) rows.push(...(await measureSize(posts)));
  return rows;
};
