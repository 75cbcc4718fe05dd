// Tests several base URLs of one provider over HTTP: what callers see while one of them dies, refuses or lies.
import { describe, expect, test } from 'vitest';
import { answers, createServers, type Servers, type ServersOptions } from '../../support/base-urls.ts';
import {
  type Behaviour,
  bare404,
  html,
  json,
  neverResponds,
  recorded,
  reply,
  resetBeforeHeaders,
} from '../../support/fault-server.ts';
import type { TestResponse } from '../../support/test-app.ts';

const callerOf = (index: number): string => `192.0.2.${index + 1}`;

/** Reads different posts one after the other, as different callers. */
const readOneByOne = async ({ readPost }: Servers, count: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await readPost(callerOf(index))).status);
  return statuses;
};

const readAtOnce = ({ readPost }: Servers, count: number): Promise<readonly TestResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => readPost(callerOf(index))));

const failed = (statuses: readonly number[]): number => statuses.filter((status) => status !== 200).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Timers of the real clock: an answer of the fault server takes less on a busy machine. */
const HURRIED = { attemptMilliseconds: 3000, lastAttemptMilliseconds: 3000 };

const wrongPost: Behaviour = recorded('fxtwitter/status/first_post_20.json');

test('[bounds 3] a page of a list goes on at another base URL, because the cursor is of X', async () => {
  const servers = await createServers({ count: 2 });
  const page = recorded('fxtwitter/followers/ada_larsson_count5.json');
  servers.behave(0, page, answers);
  servers.behave(1, reply(500, '{}'), answers);
  const first = (await servers.get('/api/v1/profiles/ada_larsson/followers?format=json&limit=5')).json();
  servers.behave(0, reply(500, '{}'), answers);
  servers.behave(1, page, answers);
  servers.wait(60_000);
  const cursor = encodeURIComponent(String(first['next_cursor']));
  const target = `/api/v1/profiles/ada_larsson/followers?format=json&limit=100&cursor=${cursor}`;
  expect((await servers.get(target)).status).toBe(200);
  expect(servers.servers[1]?.calls().some((path) => path.includes('cursor='))).toBe(true);
});

interface BadServer {
  readonly title: string;
  readonly behaviour: Behaviour;
  /** @default as `behaviour` */
  readonly canary?: Behaviour;
  readonly options?: ServersOptions;
}

const badServers: readonly BadServer[] = [
  { title: 'dies: it closes its connections', behaviour: resetBeforeHeaders },
  { title: 'never answers', behaviour: neverResponds, options: { limits: HURRIED } },
  { title: 'answers 503', behaviour: reply(503, '{}') },
  { title: 'answers 429', behaviour: reply(429, '{}', { 'retry-after': 60 }) },
  { title: 'lies: it answers with another post', behaviour: wrongPost },
  { title: 'lies: it answers with an HTML page', behaviour: html(200) },
  { title: 'lies: it answers 404 for every post', behaviour: bare404 },
  { title: 'lies: it answers 404 for every post but its canary', behaviour: bare404, canary: answers },
  { title: 'lies: it answers 400 for every post', behaviour: json({ code: 400, message: 'q: bad' }, 400) },
];
const refusesConnections: BadServer = {
  title: 'refuses connections',
  behaviour: answers,
  options: { baseUrls: ['http://127.0.0.1:9/fx'] },
};

describe('[outages 2] one of three servers', () => {
  test.each([refusesConnections, ...badServers])(
    '$title: 50 callers at once and 50 after them feel nothing',
    async ({ behaviour, canary, options }) => {
      const servers = await createServers(options);
      servers.behave(0, behaviour, canary);
      const responses = await readAtOnce(servers, 50);
      // None is wrong, and none is incomplete.
      const wrong = responses.filter(
        (response) => response.status === 200 && JSON.stringify(response.json()['warnings']) !== '[]',
      );
      expect(wrong).toEqual([]);
      expect(failed(responses.map(({ status }) => status))).toBeLessThanOrEqual(2);
      expect(sum(servers.newCalls())).toBeLessThan(50 * 1.7);
      expect(failed(await readOneByOne(servers, 50))).toBe(0);
      // Its breaker is open by now, or it costs one more call per lie.
      expect(sum(servers.newCalls())).toBeLessThan(50 * 1.5);
    },
  );

  test.each(badServers)('$title, and gets its share again after it recovered', async ({ behaviour, options }) => {
    const servers = await createServers(options);
    servers.behave(0, behaviour);
    await readAtOnce(servers, 50);
    servers.behave(0, answers);
    servers.wait(61_000);
    servers.newCalls();
    expect(failed(await readOneByOne(servers, 60))).toBe(0);
    const [recovered = 0] = servers.newCalls();
    expect(recovered).toBeGreaterThan(10);
  });
});

describe('one server dies, one answers 429 and one lies', () => {
  const breakAll = (servers: Servers): void => {
    servers.behave(0, resetBeforeHeaders);
    servers.behave(1, reply(429, '{}', { 'retry-after': 30 }));
    servers.behave(2, wrongPost);
  };

  test('no answer is wrong, and the first answers after the announced wait are complete', async () => {
    const servers = await createServers();
    expect(failed(await readOneByOne(servers, 10))).toBe(0);
    breakAll(servers);
    const statuses = await readOneByOne(servers, 40);
    // 502 while only the server that lies is called.
    expect(statuses.filter((status) => status < 502)).toEqual([]);
    for (const index of [0, 1, 2]) servers.behave(index, answers);
    servers.wait(30_000);
    expect(failed(await readOneByOne(servers, 40))).toBe(0);
  });
});

test('the breaker of a base URL without a server opens after five calls, and the log names its host', async () => {
  const servers = await createServers(refusesConnections.options);
  await readOneByOne(servers, 40);
  const { log } = servers;
  expect(servers.recordedCalls().filter(({ address }) => address === '127.0.0.1:9')).toHaveLength(5);
  expect(log.filter(({ event }) => event === 'circuit')).toEqual([
    expect.objectContaining({ provider: 'fxtwitter', address: '127.0.0.1:9', state: 'open', why: 'failures' }),
  ]);
});

const syndication = recorded('syndication/missing_404.html', 404);
const providers = ['fxtwitter', 'syndication'] as const;

test('a post that does not exist is 503 if the server that denies it does not find its canary', async () => {
  const servers = await createServers({ count: 2, providers, syndication });
  // The first breaker is open; the second server lies about everything.
  servers.behave(0, reply(429, '{}', { 'retry-after': 60 }));
  await readOneByOne(servers, 10);
  servers.behave(0, answers);
  servers.behave(1, bare404);
  expect((await servers.readPost('192.0.2.9', '404778')).status).toBe(503);
});
