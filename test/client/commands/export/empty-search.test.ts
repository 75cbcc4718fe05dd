// Walks lists whose search is empty although it must have a post that was shown: by the service, by merged timelines, and by
// the export, which goes on after the end of a timeline.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runExport } from '../../../../client/commands/export/run-export.ts';
import type { Service } from '../../../../client/commands/service.ts';
import { type InProcess, startInProcess } from '../../../../infra/local/in-process.ts';
import { TIMELINE_CUT } from '../../../../shared/contract/warnings.ts';
import { env, environmentDefaults } from '../../../../shared/settings/environment-variables.ts';
import {
  answerOf,
  idsIn,
  ndjsonAnswer,
  postsOf,
  recordingPorts,
  serviceOf,
  textIn,
} from '../../../support/export-service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { startTestServer } from '../../../support/test-server.ts';

/** Its posts would say how old the source is. */
const FRESHNESS_PROFILE = environmentDefaults[env.freshnessProfile];

const DAY = 86_400_000;
const FIRST = Date.parse('2026-11-20T09:00:00Z');

const idAt = (time: number): string => String((BigInt(time) - 1_288_834_974_657n) << 22n);

interface Written {
  readonly id: string;
  readonly time: number;
}

/** A post a day, newest first. */
const posts: readonly Written[] = Array.from({ length: 8 }, (_, index) => {
  const time = FIRST - index * DAY;
  return { id: idAt(time), time };
});
const allIds = posts.map(({ id }) => id);

const raw = (handle: string, { id, time }: Written): object => ({
  type: 'status',
  id,
  text: `Day ${new Date(time).getUTCDate()}`,
  author: { type: 'profile', screen_name: handle, id: '1', name: handle },
  created_timestamp: time / 1000,
});

interface Setup {
  /** The posts that a window shows. */
  readonly perWindow?: number;
  /** @returns true: the search is empty @param asked how often it was asked for, from 1 */
  readonly isEmpty?: (handle: string, until: string, asked: number) => boolean;
  /** The posts of the timeline, for requests without `until`. @default all */
  readonly timelineEnd?: number;
}

/** Starts a provider, and the functions before it. */
const setup = async ({ perWindow = 3, isEmpty = () => false, timelineEnd = posts.length }: Setup = {}) => {
  const searches: string[] = [];
  const asked = new Map<string, number>();
  const origin = await startTestServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://provider.invalid');
    const send = (body: object): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code: 200, ...body }));
    if (url.includes(FRESHNESS_PROFILE)) return send({ results: [], cursor: null });
    const [, handle = ''] = /\/2\/profile\/(\w+)/.exec(pathname) ?? [];
    const cursor = searchParams.get('cursor');
    const end = { top: null, bottom: 'c' };
    if (pathname.endsWith('/statuses'))
      return send({ results: cursor ? [] : posts.slice(0, timelineEnd).map((post) => raw(handle, post)), cursor: end });
    if (handle !== '') return send({ user: { type: 'profile', screen_name: handle, id: '1', name: handle } });
    if (!pathname.endsWith('/search')) return send({ status: raw('ada', posts[0] ?? expect.unreachable()) });
    const q = searchParams.get('q') ?? '';
    const [, from = '', until = ''] = /from:(\w+) .*until:(\S+)/.exec(q) ?? [];
    if (cursor === null) searches.push(until);
    const count = (asked.get(q) ?? 0) + (cursor === null ? 1 : 0);
    asked.set(q, count);
    const [, since = '2006-03-21'] = /since:(\S+)/.exec(q) ?? [];
    const found = posts.filter(({ time }) => time < Date.parse(until) && time >= Date.parse(since));
    const results = cursor !== null || isEmpty(from, until, count) ? [] : found.slice(0, perWindow);
    return send({ results: results.map((post) => raw(from, post)), cursor: end });
  });
  /** A run of a command has its own cache, and the secrets of the runs before. */
  const open = async (): Promise<InProcess> => {
    const functions = await startInProcess({
      UPSTREAM: 'live',
      PROVIDERS: 'fxtwitter',
      FXTWITTER_BASE_URL: origin,
      CURSOR_SECRETS: 'a-secret-of-the-tests-with-32-characters',
    });
    onTestFinished(functions.close);
    return functions;
  };
  return { functions: await open(), open, searches };
};

interface Walk {
  readonly ids: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly hasCursor: boolean;
}

/** Follows the cursors of a list to its end. */
const walk = async (functions: InProcess, path: string): Promise<Walk> => {
  const ids: string[] = [];
  let last: Walk['warnings'] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages += 1) {
    expect(pages).toBeLessThan(20);
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await answerOf(functions, `${path}&format=ndjson${more}`);
    expect(status, body).toBe(200);
    const lines: readonly { id?: string; next_cursor?: string | null; warnings?: Walk['warnings'] }[] = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    ids.push(...lines.flatMap(({ id }) => id ?? []));
    const end = lines.at(-1) ?? expect.unreachable();
    cursor = end.next_cursor ?? null;
    last = end.warnings ?? [];
  }
  return { ids, warnings: last, hasCursor: cursor !== null };
};

const POSTS = '/api/v1/profiles/sea_rch/posts?until=2026-11-21';
const CUT = { code: 'timeline_incomplete', message: TIMELINE_CUT };

describe('[lists 11] posts before an instant', () => {
  test.each([1, 3, 20, 100])(
    'end with a warning and without a cursor if a later window stays empty, limit %i',
    async (limit) => {
      const { functions, searches } = await setup({ isEmpty: (_, until) => until === '2026-11-19' });
      const { ids, warnings } = await walk(functions, `${POSTS}&limit=${limit}`);
      expect(ids).toEqual(allIds.slice(0, 3));
      expect(warnings).toEqual([CUT]);
      expect(searches).toEqual(['2026-11-21', ...Array.from({ length: 3 }, () => '2026-11-19')]);
    },
  );

  test.each([2, 3])('are complete if the window has posts when it is asked for the %ith time', async (attempt) => {
    const { functions } = await setup({ isEmpty: (_, until, asked) => until === '2026-11-19' && asked < attempt });
    expect(await walk(functions, `${POSTS}&limit=20`)).toMatchObject({ ids: allIds, warnings: [] });
  });

  test('end without a warning after the last window, which need not have a post', async () => {
    const { functions } = await setup();
    expect(await walk(functions, `${POSTS}&limit=20`)).toMatchObject({ ids: allIds, warnings: [] });
    expect(await walk(functions, `${POSTS}&limit=20&since=2026-11-16`)).toMatchObject({
      ids: allIds.slice(0, 5),
      warnings: [],
    });
  });

  test('of an account without posts end without a warning', async () => {
    const { functions } = await setup({ isEmpty: () => true });
    expect(await walk(functions, `${POSTS}&limit=20`)).toMatchObject({ ids: [], warnings: [] });
  });

  test('say in each form that the list ends early, and are not cached', async () => {
    let isDown = true;
    const { functions } = await setup({ isEmpty: (_, until) => isDown && until === '2026-11-19' });
    const get = async (format: string): Promise<string> =>
      (await answerOf(functions, `${POSTS}&limit=20&format=${format}`)).body;
    expect(await get('markdown')).toContain(`*Incomplete: ${TIMELINE_CUT}*`);
    expect(JSON.parse(await get('json'))).toMatchObject({ warnings: [CUT] });
    expect(await get('json')).not.toContain('next_cursor');
    expect((await get('ndjson')).trimEnd().split('\n').at(-1)).toContain(
      '"next_cursor":null,"warnings":[{"code":"timeline_incomplete"',
    );
    for (const format of ['rss', 'atom', 'jsonfeed'])
      expect((await get(format)).match(/Day \d\d/g)?.length).toBeGreaterThan(2);
    isDown = false;
    expect(JSON.parse(await get('json'))).toMatchObject({ posts: { length: 8 } });
    expect(await get('json')).not.toContain('timeline_incomplete');
  });

  test('of several accounts end with the warning, on every page after one of them was cut', async () => {
    const { functions } = await setup({ isEmpty: (handle, until) => handle === 'sea_rch' && until === '2026-11-19' });
    const path = '/api/v1/timeline?handles=ada,sea_rch&until=2026-11-21&limit=2';
    const { ids, warnings } = await walk(functions, path);
    expect(new Set(ids)).toEqual(new Set(allIds));
    expect(warnings).toEqual([CUT]);
    expect((await walk((await setup()).functions, path)).warnings).toEqual([]);
  });
});

describe('[lists 12] the export', () => {
  const FILE = 'posts.ndjson';

  const exported = async (service: Service, folder: string, target: string | undefined = POSTS) => {
    const { ports, reports, waits } = recordingPorts(service, { folder });
    const result = await runExport({ target, limit: Number.POSITIVE_INFINITY, file: FILE }, ports).then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : error),
    );
    return { result, waits, reports: reports.join('') };
  };

  const INCOMPLETE =
    /^The list is complete only back to 2026-11-18T09:00:00Z, 2122978113745846272: the source shows nothing older/;

  test('asks again some seconds apart, says how far the list is complete, and goes on with --resume', async () => {
    let isDown = true;
    const folder = temporaryFolder();
    const { open } = await setup({ isEmpty: (_, until) => isDown && until === '2026-11-19' });
    const { result, waits, reports } = await exported(await open(), folder);
    expect(result).toMatch(INCOMPLETE);
    expect(waits).toEqual([5, 15, 45]);
    expect(reports).toContain(`warning: ${TIMELINE_CUT}\n`);
    expect(reports).toMatch(/3 items\. Continue with --resume posts\.ndjson\n$/);
    expect(idsIn(textIn(folder, FILE))).toEqual(allIds.slice(0, 3));
    expect((await exported(await open(), folder, undefined)).result).toMatch(/^The list is complete only back to/);
    expect(idsIn(textIn(folder, FILE))).toEqual(allIds.slice(0, 3));
    isDown = false;
    expect(await exported(await open(), folder, undefined)).toMatchObject({ result: 'done', waits: [] });
    expect(idsIn(textIn(folder, FILE))).toEqual(allIds);
  });

  test('is complete if the source answers in the meantime', async () => {
    const { open } = await setup({ isEmpty: (_, until, asked) => until === '2026-11-19' && asked < 6 });
    const folder = temporaryFolder();
    expect(await exported(await open(), folder)).toMatchObject({ result: 'done', waits: [5, 15] });
    expect(idsIn(textIn(folder, FILE))).toEqual(allIds);
  });

  test('does not take an empty search after the end of a timeline for the end', async () => {
    let isDown = true;
    const folder = temporaryFolder();
    const { open } = await setup({ timelineEnd: 3, isEmpty: () => isDown });
    const target = '/api/v1/profiles/sea_rch/posts';
    expect(await exported(await open(), folder, target)).toMatchObject({
      result: expect.stringMatching(INCOMPLETE),
      waits: [5, 15, 45],
    });
    isDown = false;
    expect(await exported(await open(), folder, undefined)).toMatchObject({ result: 'done', waits: [] });
    expect(idsIn(textIn(folder, FILE))).toEqual(allIds);
  });

  test('is done at the end of a list that has ended', async () => {
    for (const timelineEnd of [3, posts.length]) {
      const { open } = await setup({ timelineEnd });
      const folder = temporaryFolder();
      const target = '/api/v1/profiles/sea_rch/posts';
      expect(await exported(await open(), folder, target)).toMatchObject({ result: 'done', waits: [] });
      expect(idsIn(textIn(folder, FILE))).toEqual(allIds);
    }
  });

  test('of another list that the service says ends early is not done', async () => {
    const pages = [ndjsonAnswer(postsOf(2), 'a'), ndjsonAnswer(postsOf(1), null, [CUT])];
    const service = serviceOf(() => (pages.length > 1 ? pages.shift() : pages[0]) ?? expect.unreachable());
    const folder = temporaryFolder();
    const { result, waits } = await exported(service, folder, '/api/v1/timeline?handles=ada%2Cbo');
    expect(result).toMatch(/^The list is complete only back to/);
    expect(waits).toEqual([5, 15, 45]);
    expect(join(folder, FILE)).toMatch(/ndjson$/);
  });
});
