// What callers of the posts surface are told when providers misbehave: real client, real mappers, a faulty network.
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUpstream } from '../../../shared/upstream/create-upstream.ts';
import type { ClientLimits } from '../../../shared/upstream/json-client.ts';
import {
  type Behaviour,
  type Behaviours,
  bare404,
  CANARY_POST,
  deepQuotes,
  endless,
  type FaultServer,
  faultServer,
  gzipBomb,
  html,
  html404,
  json,
  neverResponds,
  notHttp,
  type ProviderRoute,
  raw,
  recorded,
  reply,
  resetBeforeHeaders,
  resetInBody,
  slowBody,
  trickle,
  wrongLength,
  zipped,
} from '../../support/fault-server.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, NOW, type TestApp, type TestResponse } from '../../support/test-app.ts';

const ID = '2028036267832246272';
const TARGET = `/ada_larsson/status/${ID}?format=json&thread=off&replies=off`;

const foundAtFx = recorded('fxtwitter/status/text_plain.json');
const foundAtSyndication = recorded('syndication/text_plain.json');
const canarySings = recorded('fxtwitter/status/first_post_20.json');

interface Setup extends Partial<Record<ProviderRoute, Behaviours>> {
  readonly providers?: readonly ('fxtwitter' | 'syndication')[];
  readonly limits?: Partial<ClientLimits>;
  readonly memoryMilliseconds?: number;
  /** Instead of the fault server's. */
  readonly fxtwitterBaseUrl?: string;
}

interface Door extends TestApp {
  readonly server: FaultServer;
  wait(milliseconds: number): void;
  /** Calls of fxtwitter, syndication and the canary of fxtwitter. */
  readonly calls: () => readonly number[];
}

/** Where a call failed, the canary is asked once more: whose fault that was is found out behind the caller's back. */
const expectCalls = ({ calls }: Pick<Door, 'calls'>, expected: readonly number[]): void => {
  const [fxtwitter, syndication, canary = 0] = calls();
  expect([fxtwitter, syndication]).toEqual(expected.slice(0, 2));
  expect(canary).toBeGreaterThanOrEqual(expected[2] ?? 0);
  expect(canary).toBeLessThanOrEqual((expected[2] ?? 0) + 1);
};

const door = async ({
  providers = ['fxtwitter', 'syndication'],
  limits,
  memoryMilliseconds = 60_000,
  fxtwitterBaseUrl,
  ...behaviours
}: Setup): Promise<Door> => {
  const server = await faultServer({ canary: canarySings, ...behaviours });
  const baseUrls = { fxtwitter: fxtwitterBaseUrl ?? server.fxtwitter, syndication: server.syndication };
  let now = NOW;
  const clock = () => now;
  const upstream = createUpstream({
    providers: providers.map((name) => ({ name, baseUrl: baseUrls[name], source: name })),
    canaryPost: CANARY_POST,
    canaryProfile: 'X',
    userAgent: 'Postern/test',
    cacheMilliseconds: memoryMilliseconds,
    clock,
    log: () => undefined,
    random: () => 0,
    limits: { retryJitterMilliseconds: 1, ...limits },
  });
  return {
    ...createTestApp({ upstream, now: clock }),
    server,
    wait: (milliseconds) => {
      now += milliseconds;
    },
    calls: () => [server.calls('fxtwitter').length, server.calls('syndication').length, server.calls('canary').length],
  };
};

/** A fault, and nothing of what the provider said, of where it is, or of our own code. */
const expectFault = (answer: TestResponse, status: 502 | 503): void => {
  const document = expectProblem(answer, status, status === 503 ? 'upstream_unavailable' : 'upstream_failed');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['retry-after']).toBe(status === 503 ? '30' : undefined);
  expect(document['retry_after']).toBe(status === 503 ? 30 : undefined);
  expect(document['instance']).toBe(`/ada_larsson/status/${ID}`);
  expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toMatch(
    /leaky|127\.0\.0\.1|169\.254|localhost|fxtwitter|twimg|syndication|babble|undici|UND_ERR|ECONN|time-out|shared\/|node:|\.ts\b/i,
  );
};

const HURRIED = { attemptMilliseconds: 400 };

interface Fault {
  readonly title: string;
  readonly behaviour: Behaviour;
  readonly status: 502 | 503;
  /** It is worth a retry, and a request has one. */
  readonly retried?: true;
  readonly limits?: Partial<ClientLimits>;
}

const faults: readonly Fault[] = [
  { title: '[provider-fault #1] never answers', behaviour: neverResponds, status: 503, limits: HURRIED },
  { title: '[provider-fault #1] sends headers and nothing else', behaviour: slowBody, status: 503, limits: HURRIED },
  { title: '[provider-fault #2] trickles', behaviour: trickle(), status: 503, limits: HURRIED },
  { title: '[provider-fault #3] sends 200 MB', behaviour: endless(200), status: 502 },
  { title: '[provider-fault #4] sends a gzip bomb', behaviour: gzipBomb(), status: 502 },
  {
    title: '[provider-fault #4] sends gzip that is none',
    behaviour: reply(200, 'LEAKY', { 'content-encoding': 'gzip' }),
    status: 502,
  },
  { title: '[provider-fault #4] sends an encoding that nobody asked for', behaviour: zipped('{}', 'br'), status: 502 },
  {
    title: '[provider-fault #5] redirects to the metadata service',
    behaviour: reply(302, '', { location: 'http://169.254.169.254/latest/' }),
    status: 502,
  },
  {
    title: '[provider-fault #5] redirects to itself',
    behaviour: (incoming, response) => reply(302, '', { location: incoming.url ?? '' })(incoming, response),
    status: 502,
  },
  { title: '[provider-fault #6] sends a login wall with 200', behaviour: html(200), status: 502 },
  {
    title: '[provider-fault #6] sends the page of its own crash',
    behaviour: recorded('fxtwitter/errors/worker_crash_preview_ua_html200.html'),
    status: 502,
  },
  {
    title: '[provider-fault #6] sends HTML that says it is JSON',
    behaviour: reply(200, '<!DOCTYPE html>LEAKY'),
    status: 502,
  },
  {
    title: '[provider-fault #7] sends truncated JSON',
    behaviour: reply(200, '{"code":200,"status":{"type":"status","text":"LEAKY'),
    status: 502,
  },
  { title: '[provider-fault #7] resets before the headers', behaviour: resetBeforeHeaders, status: 503, retried: true },
  { title: '[provider-fault #7] resets in the body', behaviour: resetInBody, status: 503, retried: true },
  { title: '[provider-fault #7] announces another length', behaviour: wrongLength, status: 503, retried: true },
  { title: '[provider-fault #7] does not speak HTTP', behaviour: notHttp, status: 502 },
  {
    title: '[provider-fault #8] nests arrays 20,000 deep',
    behaviour: reply(200, `{"code":200,"status":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    status: 502,
  },
  { title: '[provider-fault #9] sends an empty object', behaviour: json({}), status: 502 },
  {
    title: '[provider-fault #9] sends 200 without a post',
    behaviour: json({ code: 200, status: null, thread: null, author: null }),
    status: 502,
  },
  { title: '[provider-fault #9] sends null', behaviour: json(null), status: 502 },
  { title: '[provider-fault #9] sends a list', behaviour: json([{ code: 200 }]), status: 502 },
  { title: '[provider-fault #9] sends nothing', behaviour: reply(200), status: 502 },
  { title: '[provider-fault #9] sends no content', behaviour: raw('HTTP/1.1 204 No Content\r\n\r\n'), status: 502 },
  { title: '[provider-fault #13] sends 429', behaviour: reply(429, 'error code: 1015 LEAKY'), status: 503 },
  {
    title: '[provider-fault #13] sends 429 and when to come back',
    behaviour: reply(429, '', { 'retry-after': '120' }),
    status: 503,
  },
  {
    title: '[provider-fault #13] sends 503 and when to come back',
    behaviour: reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }),
    status: 503,
  },
  { title: '[spec 8.3 #30] crashes', behaviour: html(500), status: 503 },
  { title: '[spec 8.3 #30] has a bad gateway', behaviour: html(502), status: 503, retried: true },
  { title: '[spec 8.3 #30] is overloaded', behaviour: html(503), status: 503, retried: true },
  { title: '[spec 8.3 #30] has a gateway that times out', behaviour: html(504), status: 503, retried: true },
  { title: '[spec 8.3 #30] is unreachable behind its CDN', behaviour: html(530), status: 503 },
  { title: '[spec 8.3 #30] is blocked from us', behaviour: html(403), status: 502 },
];

describe('a provider', () => {
  test.each(faults)(
    '$title: with no other provider it is $status',
    async ({ behaviour, status, retried, limits = {} }) => {
      const { get, calls } = await door({ providers: ['fxtwitter'], fxtwitter: behaviour, limits });
      expectFault(await get(TARGET), status);
      expectCalls({ calls }, [retried ? 2 : 1, 0, 0]);
    },
  );

  test.each(faults)(
    '$title, and so does the other: it is $status',
    async ({ behaviour, status, retried, limits = {} }) => {
      const { get, calls } = await door({ fxtwitter: behaviour, syndication: behaviour, limits });
      expectFault(await get(TARGET), status);
      expectCalls({ calls }, [retried ? 2 : 1, 1, 0]);
    },
  );

  test.each(faults)('$title, and the other has the post: it is served', async ({ behaviour, limits }) => {
    // The second provider needs time of its own, also on a busy machine.
    const { get, calls } = await door({
      fxtwitter: behaviour,
      syndication: foundAtSyndication,
      ...(limits && { limits: { attemptMilliseconds: 300 } }),
    });
    const answer = await get(TARGET);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ source: 'syndication', post: { id: ID } });
    expect(calls()[1]).toBe(1);
  });
});

describe('[provider-fault #1] a provider that cannot even be connected to', () => {
  test('is an outage in time', async () => {
    const mute = createServer((socket) => onTestFinished(() => void socket.destroy()));
    await new Promise<void>((done) => void mute.listen(0, '127.0.0.1', done));
    onTestFinished(() => void mute.close());
    const address = mute.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { get } = await door({
      providers: ['fxtwitter'],
      fxtwitterBaseUrl: `https://127.0.0.1:${port}`,
      limits: HURRIED,
    });
    const began = performance.now();
    expectFault(await get(TARGET), 503);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

test('[provider-fault #2] the whole of a request has its deadline, whatever each call may take', async () => {
  const server = await faultServer({ fxtwitter: neverResponds, syndication: trickle(), canary: neverResponds });
  const upstream = createUpstream({
    providers: [
      { name: 'fxtwitter', baseUrl: server.fxtwitter, source: 'fxtwitter' },
      { name: 'syndication', baseUrl: server.syndication, source: 'syndication' },
    ],
    canaryPost: CANARY_POST,
    canaryProfile: 'X',
    userAgent: 'Postern/test',
    cacheMilliseconds: 0,
    clock: Date.now,
    log: () => undefined,
    random: () => 0,
    limits: { attemptMilliseconds: 200, minMilliseconds: 1 },
  });
  const began = performance.now();
  const outcome = await upstream.readPost({ id: ID, thread: 'off', replies: 'off' }, Date.now() + 250);
  expect(outcome).toMatchObject({ kind: 'down' });
  expect(performance.now() - began).toBeLessThan(3000);
  await expect.poll(() => server.open()).toBe(0);
});

describe('[provider-fault #8] quotes within quotes', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null && 'quote' in value ? 1 + depthOf(value.quote) : 0;

  test('are cut to a link below the fourth', async () => {
    const { get } = await door({ fxtwitter: deepQuotes(ID, 60) });
    const answer = await get(TARGET);
    expect(answer.status).toBe(200);
    expect(depthOf(answer.json()['post'])).toBe(5);
  });

  test('20,000 deep are an unusable answer', async () => {
    const { get } = await door({ providers: ['fxtwitter'], fxtwitter: deepQuotes(ID, 20_000) });
    expectFault(await get(TARGET), 502);
  });
});

describe('[provider-fault #12] the wrong post', () => {
  const OTHER = '2028409980318646309';
  const tombstone = { type: 'tombstone', reason: 'deleted', id: OTHER };

  test.each<readonly [string, Setup]>([
    [
      'of the only provider',
      { providers: ['fxtwitter'], fxtwitter: recorded('fxtwitter/status/text_entities_amp.json') },
    ],
    [
      'of both',
      {
        fxtwitter: recorded('fxtwitter/status/text_entities_amp.json'),
        syndication: recorded('syndication/text_entities_amp.json'),
      },
    ],
    ['that is deleted', { providers: ['fxtwitter'], fxtwitter: json({ code: 404, status: tombstone }, 404) }],
    [
      'whose author is suspended',
      { providers: ['syndication'], syndication: recorded('syndication/no_user_suspended.json') },
    ],
  ])('%s is an unusable answer', async (_, setup) => {
    const { get } = await door(setup);
    expectFault(await get(TARGET), 502);
  });

  test('is the right one where it was reposted', async () => {
    const { get } = await door({ fxtwitter: recorded('fxtwitter/status/repost.json') });
    const answer = await get('/whoever/status/2034570574033847604?format=json&thread=off&replies=off');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      post: { id: '2028742169195446346', reposted_by: { handle: expect.stringMatching(/./) } },
    });
  });
});

describe('[header #5] headers of a provider', () => {
  const leaky = {
    'set-cookie': 'LEAKY=1',
    etag: '"LEAKY"',
    'cache-control': 'public, max-age=31536000, LEAKY',
    'retry-after': '7',
    'x-leaky': 'LEAKY',
    location: 'https://leaky.example/',
    'www-authenticate': 'Bearer realm="LEAKY"',
    'access-control-allow-origin': 'https://leaky.example',
  };

  test.each<readonly [string, Behaviour, number]>([
    ['that has the post', json({ code: 200, status: { id: ID, text: 'words' } }, 200, leaky), 200],
    [
      'that has a tombstone',
      json({ code: 404, status: { type: 'tombstone', reason: 'deleted', id: ID } }, 404, leaky),
      404,
    ],
    ['that crashes', json({}, 500, leaky), 503],
    ['that refuses us', json({}, 401, leaky), 502],
  ])('%s never become ours', async (_, fxtwitter, status) => {
    const { get } = await door({ providers: ['fxtwitter'], fxtwitter });
    const answer = await get(TARGET);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.headers)).not.toMatch(/leaky|31536000/i);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '30' : undefined);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });
});

describe('[provider-fault #13] a provider that asked to be left alone', () => {
  test.each<readonly [string, Behaviour, number]>([
    ['429 and seconds', reply(429, '', { 'retry-after': '120' }), 120_000],
    [
      '503 and a date, to its canary too',
      reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }),
      // No longer than callers are told to wait.
      30_000,
    ],
  ])('by %s is, until then; then one request finds out', async (_, behaviour, milliseconds) => {
    const asked = { providers: ['fxtwitter'], fxtwitter: behaviour, canary: behaviour } as const;
    const { get, calls, wait, server } = await door(asked);
    expectFault(await get(TARGET), 503);
    // Whose fault it is turns out a moment later.
    const isAsked = async (): Promise<boolean> => {
      const [before] = calls();
      await get(TARGET);
      return calls()[0] !== before;
    };
    await expect.poll(isAsked).toBe(false);
    const [sent] = calls();
    wait(milliseconds - 1000);
    expectFault(await get(TARGET), 503);
    expect(calls()[0]).toBe(sent);
    wait(1000);
    server.script({ fxtwitter: foundAtFx });
    expect((await get(TARGET)).status).toBe(200);
    expect(calls()[0]).toBe((sent ?? 0) + 1);
  });
});

describe('[provider-fault #14] an answer full of surprises', () => {
  const odd = {
    code: 200,
    status: {
      type: 'status',
      id: ID,
      text: null,
      author: null,
      likes: '12',
      reposts: 'many',
      replies: null,
      quotes: -1,
      views: 1.5,
      created_at: 'yesterday',
      created_timestamp: 'soon',
      lang: 7,
      media: {
        all: [
          null,
          3,
          { type: 'hologram', url: 'https://pbs.twimg.com/a' },
          { type: 'photo', url: 'javascript:alert(1)' },
        ],
      },
      poll: { choices: [null, { label: 5, count: 'x', percentage: Number.MAX_VALUE }], ends_at: {} },
      quote: [],
      card: { url: 4 },
      article: { content: null },
      raw_text: { text: 4, facets: [{ type: 'url', indices: ['a'] }] },
      replying_to: { screen_name: 8 },
      reposted_by: 'me',
      community_note: true,
      invented: { __proto__: { polluted: true } },
    },
    thread: [null, {}, { type: 'tombstone' }, 'x'],
    replies: { not: 'a list' },
  };

  test.each<readonly [string, string, Setup]>([
    [
      'unknown members and values',
      '2040000000000000002',
      { fxtwitter: recorded('fxtwitter/status/generated_unknown_fields_and_enums.json') },
    ],
    [
      'extreme counts',
      '2040000000000000003',
      { fxtwitter: recorded('fxtwitter/status/generated_counts_extreme.json') },
    ],
    ['null and wrong types everywhere', ID, { fxtwitter: json(odd) }],
    ['nothing but an id', ID, { fxtwitter: json({ code: 200, status: { id: ID } }) }],
    [
      'nothing but an id and a user',
      ID,
      { providers: ['syndication'], syndication: json({ __typename: 'Tweet', id_str: ID, user: {} }) },
    ],
  ])('%s is tolerated, and nothing undefined leaves', async (_, id, setup) => {
    const { get } = await door(setup);
    for (const format of ['json', 'markdown', 'obsidian']) {
      const answer = await get(`/ada_larsson/status/${id}?format=${format}`);
      expect(answer.status).toBe(200);
      expect(answer.body).not.toMatch(/undefined|\bNaN\b|\[object|Infinity|hologram|javascript:/);
    }
  });
});

describe('[spec 8.3 #30] an outage is never reported as "not found"', () => {
  const miss = { fxtwitter: bare404 };

  test.each<readonly [string, Setup, 502 | 503, readonly number[]]>([
    ['a bare 404 of the only provider', { ...miss, providers: ['fxtwitter'] }, 503, [1, 0, 0]],
    [
      '[provider-fault #10] a bare 404 that an outage of X looks like',
      { fxtwitter: recorded('fxtwitter/errors/backend_429_status.json', 404), syndication: html(503) },
      503,
      [1, 2, 0],
    ],
    [
      '[provider-fault #11] a bare 404, a 404 page, and the canary is missing',
      { ...miss, syndication: html404, canary: bare404 },
      503,
      [1, 1, 1],
    ],
    [
      '[provider-fault #11] a bare 404, a 404 page, and the canary is a tombstone',
      {
        ...miss,
        syndication: html404,
        canary: json({ code: 404, status: { type: 'tombstone', reason: 'deleted', id: CANARY_POST } }, 404),
      },
      503,
      [1, 1, 1],
    ],
    [
      '[provider-fault #11] a bare 404, a 404 page, and the canary crashes',
      { ...miss, syndication: html404, canary: html(500) },
      503,
      [1, 1, 1],
    ],
    [
      '[provider-fault #11] a bare 404, a 404 page, and the canary is another post',
      { ...miss, syndication: html404, canary: foundAtFx },
      503,
      [1, 1, 1],
    ],
    ['a bare 404 and an outage', { ...miss, syndication: html(500) }, 503, [1, 1, 0]],
    ['a bare 404 and a 404 that is no page', { ...miss, syndication: json({}, 404) }, 503, [1, 1, 0]],
    [
      'a bare 404 and an empty object',
      { ...miss, syndication: recorded('syndication/empty_object_no_token.json') },
      503,
      [1, 1, 0],
    ],
    ['an unusable answer and an outage', { fxtwitter: html(200), syndication: html(500) }, 503, [1, 1, 0]],
    ['an outage and an unusable answer', { fxtwitter: html(500), syndication: html(200) }, 503, [1, 1, 0]],
    ['two unusable answers', { fxtwitter: html(200), syndication: json({}) }, 502, [1, 1, 0]],
    ['an outage and a 404 page', { fxtwitter: html(500), syndication: html404 }, 503, [1, 1, 0]],
    [
      '[provider-fault #11] a 404 page of the first provider',
      { fxtwitter: html(404), syndication: html404 },
      503,
      [1, 1, 0],
    ],
    [
      'a 404 page of the only provider, which is the second',
      { providers: ['syndication'], syndication: html404 },
      503,
      [0, 1, 0],
    ],
    [
      'our name is missing',
      { providers: ['fxtwitter'], fxtwitter: json({ error: 'You must identify yourself LEAKY' }, 401) },
      502,
      [1, 0, 0],
    ],
    [
      'our request is refused, which is no reason to ask on',
      { fxtwitter: json({ code: 400, message: 'LEAKY' }, 400), syndication: foundAtSyndication },
      502,
      [1, 0, 0],
    ],
    [
      '200 with another code within',
      { providers: ['fxtwitter'], fxtwitter: json({ code: 500, status: null }) },
      503,
      [1, 0, 0],
    ],
    ['200 with 404 within', { providers: ['fxtwitter'], fxtwitter: json({ code: 404, status: null }) }, 503, [1, 0, 0]],
  ])('%s: a fault', async (_, setup, status, calls) => {
    const at = await door(setup);
    expectFault(await at.get(TARGET), status);
    expectCalls(at, calls);
  });

  test.each<readonly [string, Setup, 403 | 404, string, readonly number[]]>([
    ['a bare 404, a 404 page, and the canary is found', { ...miss, syndication: html404 }, 404, 'unknown', [1, 1, 1]],
    [
      'the same with the providers in the other order',
      { ...miss, syndication: html404, providers: ['syndication', 'fxtwitter'] },
      404,
      'unknown',
      [1, 1, 1],
    ],
    [
      'a tombstone: deleted',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'deleted', id: ID } }, 404) },
      404,
      'deleted',
      [1, 0, 0],
    ],
    [
      'a tombstone: suspended',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'suspended', id: ID } }, 404) },
      404,
      'suspended',
      [1, 0, 0],
    ],
    [
      'a tombstone: private',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'private', id: ID } }, 404) },
      403,
      'protected',
      [1, 0, 0],
    ],
    [
      'a tombstone: blocked',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'blocked', id: ID } }, 404) },
      404,
      'withheld',
      [1, 0, 0],
    ],
    [
      'a tombstone: unavailable',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'unavailable', id: ID } }, 404) },
      404,
      'withheld',
      [1, 0, 0],
    ],
    [
      'a tombstone for a reason yet to be invented',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'eclipsed', id: ID } }, 404) },
      404,
      'unknown',
      [1, 0, 0],
    ],
    [
      '[spec 8.3 #30] a protected account',
      { fxtwitter: recorded('fxtwitter/status/unavailable_100.json', 401) },
      403,
      'protected',
      [1, 0, 0],
    ],
    [
      'a crash, and a tombstone of the second',
      { fxtwitter: html(500), syndication: recorded('syndication/tombstone_deleted.json') },
      404,
      'deleted',
      [1, 1, 0],
    ],
    [
      'a crash, and a protected account at the second',
      { fxtwitter: html(500), syndication: recorded('syndication/tombstone_protected.json') },
      403,
      'protected',
      [1, 1, 0],
    ],
    [
      'a bare 404, and a suspended account at the second',
      { ...miss, syndication: recorded('syndication/tombstone_suspended.json') },
      404,
      'suspended',
      [1, 1, 0],
    ],
    [
      'a bare 404, and a post without its user',
      { ...miss, syndication: json({ __typename: 'Tweet', id_str: ID, text: 'LEAKY' }) },
      404,
      'suspended',
      [1, 1, 0],
    ],
    [
      'an empty tombstone',
      { ...miss, syndication: recorded('syndication/tombstone_empty.json') },
      404,
      'withheld',
      [1, 1, 0],
    ],
    [
      'a bare tombstone',
      { ...miss, syndication: recorded('syndication/tombstone_bare.json') },
      404,
      'withheld',
      [1, 1, 0],
    ],
    [
      'an age limit',
      { ...miss, syndication: recorded('syndication/tombstone_age_restricted.json') },
      404,
      'withheld',
      [1, 1, 0],
    ],
  ])('%s: an answer', async (_, setup, status, reason, calls) => {
    const at = await door(setup);
    const answer = await at.get(TARGET);
    expect(expectProblem(answer, status, status === 403 ? 'post_protected' : 'post_not_found')).toMatchObject({
      reason,
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
    expect(answer.body).not.toMatch(/leaky|eclipsed|learn more|syndication/i);
    expectCalls(at, calls);
  });

  test('[cache #8] a bare 404, and the second has the post: served with warnings, kept for a short time', async () => {
    const { get, calls } = await door({ ...miss, syndication: foundAtSyndication });
    const answer = await get(`/ada_larsson/status/${ID}?format=json`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      source: 'syndication',
      warnings: [{ code: 'conversation_unavailable' }, { code: 'counts_unavailable' }],
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=60');
    // The conversation, then the single post.
    expect(calls()).toEqual([2, 1, 0]);
  });

  test('[cache #8] a full answer is kept for long', async () => {
    const { get } = await door({ fxtwitter: foundAtFx });
    expect((await get(TARGET)).headers['cache-control']).toMatch(/s-maxage=300\b/);
  });

  test('[provider-fault #11] the canary is asked once in 30 s, for however many posts', async () => {
    const { get, calls, wait } = await door({ ...miss, syndication: html404 });
    for (const id of ['2028036267832246272', '2028036267832246273', '2028036267832246274']) {
      expect((await get(`/ada/status/${id}`)).status).toBe(404);
    }
    // Of each the conversation, then the single post.
    expect(calls()).toEqual([6, 3, 1]);
    wait(30_000);
    await get(TARGET);
    expect(calls()[2]).toBe(2);
  });
});

describe('[bounds #5] calls per request', () => {
  test.each<readonly [string, Setup, number, readonly number[]]>([
    [
      'a retry, both providers and the canary',
      { fxtwitter: [html(503), bare404], syndication: html404 },
      404,
      [2, 1, 1],
    ],
    ['a retry at the second', { fxtwitter: bare404, syndication: [resetInBody, html404] }, 404, [1, 2, 1]],
    [
      'a retry is spent once',
      { fxtwitter: [resetInBody, bare404], syndication: html(502), canary: html(502) },
      503,
      [2, 1, 0],
    ],
    [
      'a provider that says when to come back keeps no retry',
      { fxtwitter: reply(503, '', { 'retry-after': '9' }), syndication: resetInBody },
      503,
      [1, 2, 0],
    ],
    ['the canary has no retry', { fxtwitter: bare404, syndication: html404, canary: html(502) }, 503, [1, 1, 1]],
  ])('are four at most: %s', async (_, setup, status, expected) => {
    const { get, calls } = await door(setup);
    expect((await get(TARGET)).status).toBe(status);
    expectCalls({ calls }, expected);
    expect(expected.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(4);
  });

  test('[id #4] none for an id from the future', async () => {
    const { get, calls } = await door({ fxtwitter: foundAtFx });
    const id = String((BigInt(NOW + 61_000) - 1288834974657n) << 22n);
    expectProblem(await get(`/ada/status/${id}`), 404, 'post_not_found');
    expect(calls()).toEqual([0, 0, 0]);
  });
});

describe('sharing', () => {
  test('[cache #10] 50 concurrent callers of one cold post are one call', async () => {
    const { get, calls } = await door({ fxtwitter: foundAtFx });
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(TARGET)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(calls()).toEqual([1, 0, 0]);
  });

  test('[cache #10][decision 5 #99] 50 concurrent callers of a post that fails are one call as well, and half a minute later is the next', async () => {
    const { get, calls, server, wait } = await door({ providers: ['fxtwitter'], fxtwitter: html(500) });
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(TARGET)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expectCalls({ calls }, [1, 0, 0]);
    server.script({ fxtwitter: foundAtFx });
    wait(30_000);
    expect((await get(TARGET)).status).toBe(200);
  });

  test.each<readonly [string, Setup, readonly number[]]>([
    ['a confirmed miss', { fxtwitter: bare404, syndication: html404 }, [1, 1, 1]],
    [
      'a tombstone',
      { fxtwitter: json({ code: 404, status: { type: 'tombstone', reason: 'deleted', id: ID } }, 404) },
      [1, 0, 0],
    ],
  ])('[cache #11] %s is remembered for 30 s', async (_, setup, first) => {
    const { get, calls, wait } = await door(setup);
    await get(TARGET);
    wait(29_999);
    expect((await get(TARGET)).status).toBe(404);
    expect(calls()).toEqual(first);
    wait(1);
    expect((await get(TARGET)).status).toBe(404);
    expect(calls()[0]).toBe(2);
  });

  test('what was found is remembered for a minute, with the time of its reading', async () => {
    const { get, calls, wait } = await door({ fxtwitter: foundAtFx });
    const first = await get(TARGET);
    wait(59_999);
    expect((await get(TARGET)).body).toBe(first.body);
    expect(calls()).toEqual([1, 0, 0]);
    wait(1);
    expect((await get(TARGET)).json()['fetched_at']).toBe('2026-11-21T12:01:00.000Z');
    expect(calls()).toEqual([2, 0, 0]);
  });

  test('turned off, every caller makes a call', async () => {
    const { get, calls } = await door({ fxtwitter: foundAtFx, memoryMilliseconds: 0 });
    await Promise.all([get(TARGET), get(TARGET)]);
    await get(TARGET);
    expect(calls()).toEqual([3, 0, 0]);
  });

  test('how much of a thread is wanted does not split it; whether one is, and which replies, does', async () => {
    const { get, calls } = await door({ fxtwitter: foundAtFx });
    const asking = (thread: string, replies: string) =>
      get(TARGET.replace(/thread=off&replies=off/, `thread=${thread}&replies=${replies}`));
    for (const thread of ['full', '3', '5']) expect((await asking(thread, 'off')).status).toBe(200);
    expect(calls()).toEqual([1, 0, 0]);
    await asking('off', 'off');
    await asking('full', 'top');
    await asking('full', 'recent');
    expect(calls()).toEqual([4, 0, 0]);
  });

  test('[id #9][id #10] handles do not split it, and the post says whose it is', async () => {
    const { get, calls } = await door({ fxtwitter: foundAtFx });
    const bodies = new Set<string>();
    for (const handle of ['attacker_says', 'ada_larsson', 'ADA_LARSSON']) {
      const answer = await get(TARGET.replace('ada_larsson', handle));
      expect(answer.json()).toMatchObject({
        post: { url: `https://x.com/ada_larsson/status/${ID}`, author: { handle: 'ada_larsson' } },
      });
      bodies.add(answer.body);
    }
    expect(bodies.size).toBe(1);
    expect(calls()).toEqual([1, 0, 0]);
  });
});
