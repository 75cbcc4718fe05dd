import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen, stop } from '../../../infra/local/listen.ts';
import { slowDownTime } from '../../../infra/local/slow-time.ts';
import type { CallRecord, LogFields } from '../../../shared/ports/system.ts';
import { type ClientLimits, PRODUCTION_LIMITS, QUERY_BREAKER } from '../../../shared/upstream/client-limits.ts';
import { createJsonClient } from '../../../shared/upstream/json-client.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';
import {
  type Behaviour,
  type Behaviours,
  CANARY_POST,
  endless,
  faultServer,
  html,
  json,
  neverResponds,
  notHttp,
  raw,
  reply,
  resetBeforeHeaders,
  resetInBody,
  slowHead,
  trickle,
  zipped,
} from '../../support/fault-server.ts';

const START = 1_000_000;
/** Without log, jitter and kinds of query. */
const CLIENT_OPTIONS = {
  source: 'test',
  userAgent: 'Postern/test',
  ...clocksOf(() => START),
  log: () => undefined,
  random: () => 0,
};
/** Long enough for an answer of the fault server on a busy machine. */
const HURRIED: Partial<ClientLimits> = { attemptMilliseconds: 1000 };
const fine = json({ fine: true });
const ANSWER = { kind: 'response', status: 200, json: { fine: true }, isHtml: false };
const TIME_OUT = { kind: 'down', why: 'time-out' };

const queryOf = (url: string) => ({ kind: url.split('/').at(-2) ?? '', url });

interface Call {
  readonly left?: number;
  readonly retries?: number;
  readonly path?: string;
  readonly caller?: string;
  readonly isLast?: boolean;
}

/**
 * Creates a client with the production limits but without jitter, unless the test overrides them.
 *
 * @param canary the behaviour of the server for the canary post
 */
const createTestClient = async (
  behaviours: Behaviours,
  limits: Partial<ClientLimits> = {},
  userAgent = 'Postern/test',
  canary: Behaviours = fine,
) => {
  const server = await faultServer({ fxtwitter: behaviours, canary });
  const log: LogFields[] = [];
  let now = START;
  const client = createJsonClient({
    ...CLIENT_OPTIONS,
    userAgent,
    ...clocksOf(() => now),
    log: (fields) => void log.push(fields),
    random: () => 0.5,
    queryKinds: {
      canaryUrlOf: () => `${server.fxtwitter}/2/status/${CANARY_POST}`,
      mayBeLarge: (kind) => kind === 'conversation',
      confirmsRejections: true,
    },
    limits: { ...PRODUCTION_LIMITS, retryJitterMilliseconds: 2, ...limits },
  });
  return {
    client,
    server,
    log,
    wait: (milliseconds: number): void => {
      now += milliseconds;
    },
    get: ({ left = 8000, retries = 1, path = '/2/status/1', caller, isLast }: Call = {}): Promise<unknown> =>
      client.get(queryOf(`${server.fxtwitter}${path}`), {
        deadline: readingAt(now + left),
        isLast,
        calls: { retries, caller },
      }),
    calls: () => server.calls('fxtwitter').length,
  };
};

const repeat = async (times: number, act: () => Promise<unknown>): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (let turn = 0; turn < times; turn += 1) answers.push(await act());
  return answers;
};

describe('a response', () => {
  test('a response has status and JSON, and the request has the User-Agent', async () => {
    const { get, server } = await createTestClient(fine);
    expect(await get()).toEqual(ANSWER);
    expect(server.userAgents).toEqual(['Postern/test']);
  });

  test.each([
    ['text/html; charset=utf-8', { kind: 'response', status: 404, json: undefined, isHtml: true }],
    ['TEXT/HTML', { kind: 'response', status: 404, json: undefined, isHtml: true }],
    ['text/plain', { kind: 'response', status: 404, json: undefined, isHtml: false }],
    ['application/problem+json', { kind: 'response', status: 404, json: { fine: true }, isHtml: false }],
    ['application/JSON; charset=utf-8', { kind: 'response', status: 404, json: { fine: true }, isHtml: false }],
    ['application/jsonp', { kind: 'response', status: 404, json: undefined, isHtml: false }],
  ])('a response of type %s is classified by its type', async (type, expected) => {
    const { get } = await createTestClient(json({ fine: true }, 404, { 'content-type': type }));
    expect(await get()).toEqual(expected);
  });

  test('100 sequential requests share a connection', async () => {
    const { get, server } = await createTestClient(fine);
    await repeat(100, get);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

describe('connections that the provider closed while Lambda suspended the function', () => {
  const PARALLEL_READS = 8;

  /** A suspended function learns of a closed connection only when it writes to it. */
  const startForgetfulServer = async () => {
    const forgotten = new WeakSet<Socket>();
    const connections = new Set<Socket>();
    const waiting: ServerResponse[] = [];
    const server = createHttpServer((_, response) => {
      waiting.push(response);
      // Not before the last call, so that parallel calls have connections of their own.
      if (waiting.length < PARALLEL_READS) return;
      for (const each of waiting.splice(0)) each.setHeader('content-type', 'application/json').end('{"fine":true}');
    });
    server.on('connection', (socket) => {
      connections.add(socket);
      socket.prependListener('data', () => {
        if (forgotten.has(socket)) socket.resetAndDestroy();
      });
    });
    const origin = await listen(server, '127.0.0.1', 0);
    onTestFinished(() => stop(server));
    return {
      origin,
      connections: () => connections.size,
      forgetConnections: () => {
        for (const socket of connections) forgotten.add(socket);
      },
    };
  };

  const createSuspendedClient = async () => {
    const { origin, ...server } = await startForgetfulServer();
    let now = START;
    const client = createJsonClient({ ...CLIENT_OPTIONS, ...clocksOf(() => now) });
    const read = (index: number): Promise<unknown> =>
      client.get(queryOf(`${origin}/2/status/${index}`), {
        deadline: readingAt(now + 8000),
        calls: { retries: 1, caller: `c${index}` },
      });
    return {
      ...server,
      readAll: () => Promise.all(Array.from({ length: PARALLEL_READS }, (_, index) => read(index))),
      suspend: async (milliseconds: number) => {
        now += milliseconds;
        // undici frees a connection one turn of the event loop after the end of its body.
        for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      },
    };
  };

  const ALL_ANSWERED = Array.from({ length: PARALLEL_READS }, () => ANSWER);

  test('[outages 2] parallel calls are answered after the suspension', async () => {
    const { readAll, forgetConnections, suspend, connections } = await createSuspendedClient();
    expect(await readAll()).toEqual(ALL_ANSWERED);
    forgetConnections();
    await suspend(10_001);
    expect(await readAll()).toEqual(ALL_ANSWERED);
    expect(connections()).toBe(2 * PARALLEL_READS);
  });

  test('no connection is older than a minute, although the calls follow each other', async () => {
    const { readAll, suspend, connections } = await createSuspendedClient();
    await readAll();
    for (let waited = 0; waited < 60_000; waited += 10_000) {
      await suspend(10_000);
      await readAll();
    }
    expect(connections()).toBe(PARALLEL_READS);
    await suspend(10_000);
    await readAll();
    expect(connections()).toBe(2 * PARALLEL_READS);
  });
});

describe('[outages 4] a call that is answered with 400', () => {
  const rejected = json({ code: 400 }, 400);
  const REJECTED = { kind: 'response', status: 400, json: { code: 400 }, isHtml: false };
  const OUTAGE = { kind: 'down', why: 'the canary is not answered, either' };
  const createRejectedClient = (canary: Behaviours) => createTestClient(rejected, {}, 'Postern/test', canary);

  test('is rejected if the canary is answered', async () => {
    const { get, server } = await createRejectedClient(fine);
    for (let call = 0; call < 8; call += 1) expect(await get({ path: `/2/status/${call}` })).toEqual(REJECTED);
    expect(server.calls('canary')).toHaveLength(1);
    expect(await get({ path: '/2/status/1' })).toEqual(REJECTED);
  });

  test.each<readonly [string, Behaviours]>([
    ['is rejected', rejected],
    ['fails', html(500)],
  ])('is an outage if the canary %s, too', async (_, canary) => {
    const { get, calls, server } = await createRejectedClient(canary);
    for (let call = 0; call < 5; call += 1) expect(await get({ path: `/2/status/${call}` })).toEqual(OUTAGE);
    expect(server.calls('canary')).toHaveLength(1);
    expect(await get()).toEqual({ kind: 'down', why: 'breaker open' });
    expect(calls()).toBe(5);
  });

  test('is an outage if only the body has the code 400', async () => {
    const server = await createTestClient(json({ code: 400 }), {}, 'Postern/test', rejected);
    expect(await server.get()).toEqual(OUTAGE);
  });

  test('is rejected if the canary is not answered in the time of the caller', async () => {
    const bench = await createTestClient(
      (incoming, response) => {
        bench.wait(7700);
        rejected(incoming, response);
      },
      {},
      'Postern/test',
      neverResponds,
    );
    expect(await bench.get({ left: 8000 })).toEqual(REJECTED);
  });

  test('leaves the time of an attempt to the next address or provider', async () => {
    const limits = { attemptMilliseconds: 60_000 };
    const { get } = await createTestClient(rejected, limits, 'Postern/test', slowHead(500, rejected));
    expect(await get()).toEqual(REJECTED);
  });

  test('is rejected without a canary by a provider that bills its calls', async () => {
    const server = await faultServer({ fxtwitter: rejected, canary: rejected });
    const client = createJsonClient({
      ...CLIENT_OPTIONS,
      queryKinds: { canaryUrlOf: () => `${server.fxtwitter}/2/status/${CANARY_POST}` },
    });
    const url = `${server.fxtwitter}/2/status/1`;
    expect(await client.get(queryOf(url), { deadline: readingAt(START + 8000), calls: { retries: 1 } })).toEqual(
      REJECTED,
    );
    expect(server.calls('canary')).toEqual([]);
  });
});

test('[outages 1] an attempt may take longer if no other can follow', async () => {
  const limits = { attemptMilliseconds: 100, lastAttemptMilliseconds: 60_000 };
  const { get } = await createTestClient(slowHead(300, fine), limits);
  expect(await get()).toEqual(TIME_OUT);
  expect(await get({ path: '/2/status/2', left: 60_000, isLast: true })).toEqual(ANSWER);
});

describe('[provider-faults 3] the size of a body', () => {
  const sized = (bytes: number): Behaviour => reply(200, `"${'x'.repeat(bytes - 2)}"`);

  test.each([
    [5000, 'response'],
    [5001, 'failed'],
  ])('a body of %i bytes with a maximum of 5,000 gives %s', async (bytes, kind) => {
    const { get } = await createTestClient(sized(bytes), { maxBodyBytes: 5000 });
    expect(await get()).toMatchObject({ kind });
  });

  test('a conversation may be larger, and holds its slot only as long as it is read', async () => {
    const limits = { maxBodyBytes: 5000, largeBodyBytes: 8000, maxLargeInFlight: 1 };
    const path = '/2/conversation/1';
    const { get } = await createTestClient(sized(8000), limits);
    for (const _ of [1, 2]) expect(await get({ path })).toMatchObject({ kind: 'response' });
    expect(await get()).toMatchObject({ kind: 'failed', isTooLarge: true });
    expect(await (await createTestClient(sized(8001), limits)).get({ path })).toMatchObject({ kind: 'failed' });
    const busy = await createTestClient(sized(8000), { ...limits, maxLargeInFlight: 0 });
    expect(await busy.get({ path })).toEqual({ kind: 'down', why: 'too many large bodies' });
  });
});

describe('[provider-faults 4] an encoded body', () => {
  const readEncoded = async (text: string, encoding?: string, maxBodyBytes?: number): Promise<unknown> =>
    (await createTestClient(zipped(text, encoding), maxBodyBytes === undefined ? {} : { maxBodyBytes })).get();

  test('a gzip body is decoded', async () => {
    for (const encoding of ['gzip', ' GZIP ']) expect(await readEncoded('{"fine":true}', encoding)).toEqual(ANSWER);
  });

  test('a body is bounded encoded and decoded', async () => {
    const noise = JSON.stringify(Array.from({ length: 500 }, (_, index) => (index * 7919) % 100_003));
    expect(gzipSync(noise).length).toBeGreaterThan(1000);
    for (const [maxBodyBytes, kind] of [
      [1000, 'failed'],
      [noise.length - 1, 'failed'],
      [noise.length, 'response'],
    ] as const)
      expect(await readEncoded(noise, 'gzip', maxBodyBytes)).toMatchObject({ kind });
  });

  test.each(['x-gzip', 'gzip, gzip', 'nonsense'])(
    'a body in %s is unusable, because only gzip was requested',
    async (encoding) => expect(await readEncoded('{"fine":true}', encoding)).toMatchObject({ kind: 'failed' }),
  );
});

describe('[provider-faults 1] [provider-faults 2] the deadline of a call', () => {
  test('the deadline of a call is the deadline of the caller if that is earlier', async () => {
    const { get } = await createTestClient(neverResponds);
    expect(await get({ left: 150 })).toEqual(TIME_OUT);
  });

  test('no request is sent when too little time is left', async () => {
    const { get, calls, log } = await createTestClient(fine);
    for (const left of [99, 0, -5000]) expect(await get({ left })).toEqual({ kind: 'down', why: 'no time left' });
    expect([calls(), log]).toEqual([0, []]);
  });

  test('a received status counts although the body never ends', async () => {
    const { get, calls } = await createTestClient([trickle(503, { 'retry-after': '20' }), fine], HURRIED);
    expect(await get()).toEqual({ kind: 'down', why: 'status 503' });
    expect(calls()).toBe(1);
  });
});

/** The other faults are those of whole requests, in functions/posts/upstream-faults.test.ts. */
describe('a faulty response', () => {
  const raw200 = (rest: string): Behaviour => raw(`HTTP/1.1 200 OK\r\n${rest}`);
  const chunked = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

  test.each<readonly [string, Behaviour, string, number]>([
    ['[provider-faults 5] a redirect without address', json({ fine: true }, 307), 'failed', 1],
    ['not modified', reply(304), 'failed', 1],
    ['[provider-faults 7] a chunk that never ends', raw200(`${chunked}5\r\n{"fin`), 'down', 2],
    ['[provider-faults 7] two lengths', raw200('content-length: 1\r\ncontent-length: 2\r\n\r\n{}'), 'failed', 1],
    ['a chunk without size', raw200(`${chunked}zz\r\n{}\r\n`), 'failed', 1],
    ['headers without end', raw200(`x: ${'x'.repeat(100_000)}\r\n\r\n`), 'failed', 1],
    ['an upgrade', raw('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'failed', 1],
    ['an overload that says when', reply(503, '', { 'retry-after': '1' }), 'down', 1],
    ['an error with a broken body', raw('HTTP/1.1 500 Oops\r\ncontent-length: 99\r\n\r\nx'), 'down', 1],
  ])('%s', async (_, behaviour, kind, sent) => {
    const { get, calls, server } = await createTestClient(behaviour);
    expect(await get()).toMatchObject({ kind });
    expect(calls()).toBe(sent);
    expect(new Set(server.calls('fxtwitter'))).toEqual(new Set(['/fx/2/status/1']));
  });
});

describe('a retry', () => {
  test('a request has at most one retry for all its calls', async () => {
    const { client, server, calls } = await createTestClient(html(503), { requestsPerRetry: 1 });
    const budget = { deadline: readingAt(START + 8000), calls: { retries: 1 } };
    for (const id of [1, 2]) await client.get(queryOf(`${server.fxtwitter}/2/status/${id}`), budget);
    expect(calls()).toBe(3);
  });

  test('the first result is used when the retry is rejected', async () => {
    // The provider sends 429 during the first call.
    const { promise: limited, resolve } = Promise.withResolvers<void>();
    const { get, calls, log } = await createTestClient(
      [(...call) => void limited.then(() => html(502)(...call)), reply(429), fine],
      {},
      undefined,
      reply(429),
    );
    const first = get();
    await expect.poll(calls).toBe(1);
    const second = get({ path: '/2/status/2' });
    await expect.poll(() => log.map(({ event }) => event)).toContain('circuit');
    resolve();
    const answers = await Promise.all([first, second]);
    expect(answers).toEqual([
      { kind: 'down', why: 'status 502' },
      { kind: 'down', why: 'status 429' },
    ]);
    expect(calls()).toBe(2);
  });

  test('a retry is not sent when too little time is left', async () => {
    const { get, calls } = await createTestClient(resetBeforeHeaders, {
      minMilliseconds: 100,
      retryJitterMilliseconds: 150,
    });
    expect(await get({ left: 200 })).toMatchObject({ kind: 'down' });
    expect(calls()).toBe(1);
  });
});

/** Answers that wait until they are released; from then on, each call is answered at once. */
const heldAnswers = (): { readonly answers: Behaviour; release(): void } => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return { answers: (...call) => void released.then(() => fine(...call)), release };
};

describe('concurrent calls', () => {
  test('at most 20 calls are concurrent; the next call is rejected', async () => {
    const { answers, release } = heldAnswers();
    // A call waits for its slot as long as an attempt may take. The last attempt may take longer.
    const { get, calls } = await createTestClient(answers, { attemptMilliseconds: 1000 });
    const settled: unknown[] = [];
    const all = Array.from({ length: 25 }, async () => void settled.push(await get({ isLast: true })));
    await expect.poll(calls).toBe(20);
    const unsent = { kind: 'down', why: 'too many in flight', isStarved: true };
    await expect.poll(() => settled).toEqual(Array(5).fill(unsent));
    release();
    await Promise.all(all);
    expect(settled).toEqual([...Array(5).fill(unsent), ...Array(20).fill(ANSWER)]);
    expect(calls()).toBe(20);
  });

  test('[outages 2] calls of one caller leave slots for other callers', async () => {
    const { answers, release } = heldAnswers();
    const { get, server } = await createTestClient(
      (incoming, response) => (incoming.url?.endsWith('/7') ? fine : answers)(incoming, response),
      { attemptMilliseconds: 8000 },
    );
    const hanging = Array.from({ length: 40 }, (_, index) => get({ path: `/2/status/${100 + index}`, caller: 'ada' }));
    await expect.poll(() => server.calls('fxtwitter').length).toBeGreaterThanOrEqual(7);
    expect(server.calls('fxtwitter')).toHaveLength(7);
    expect(await get({ path: '/2/status/7', caller: 'bob' })).toEqual(ANSWER);
    release();
    await Promise.all(hanging);
  });

  test.each<readonly [string, Behaviour]>([
    ['answered', fine],
    ['timed out', neverResponds],
    ['broken off', resetInBody],
    ['cut off', endless(5)],
  ])('a slot is released after a call that is %s', async (_, behaviour) => {
    const { get, wait, server } = await createTestClient(behaviour, { ...HURRIED, maxInFlight: 2 });
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await Promise.all([get({ retries: 0 }), get({ retries: 0 })])).not.toContainEqual({
        kind: 'down',
        why: 'too many in flight',
      });
      wait(60_000);
    }
    server.script({ fxtwitter: fine });
    await get({ retries: 0 });
    expect(await Promise.all([get(), get()])).toEqual([ANSWER, ANSWER]);
  });
});

describe('the circuit breaker of a provider', () => {
  /** Requests each subject once, so that none is a failed subject. */
  const subjects = (first: number, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `/2/status/${first + index}`);

  test('[outages 3] the breaker opens when the canary fails too, then lets one probe pass, then closes', async () => {
    const { get, calls, wait, server, log } = await createTestClient(html(500), {}, undefined, html(500));
    const states = () => log.flatMap(({ event, state }) => (event === 'circuit' ? [state] : []));
    for (const path of subjects(100, 5)) await get({ path });
    // The attribution ends after the calls.
    await expect.poll(states).toEqual(['open']);
    expect(await get()).toEqual({ kind: 'down', why: 'breaker open' });
    expect(calls()).toBe(5);
    wait(5000);
    await Promise.all(subjects(200, 3).map((path) => get({ path })));
    await nextTurn();
    expect(calls()).toBe(6);
    wait(10_000);
    server.script({ fxtwitter: fine, canary: fine });
    await get();
    expect(await Promise.all([get(), get(), get()])).toEqual([ANSWER, ANSWER, ANSWER]);
  });

  test.each<readonly [string, Behaviour]>([
    ['a crash', html(500)],
    ['an overload', reply(503, '', { 'retry-after': '120' })],
    ['a time-out', neverResponds],
    ['a reset', resetBeforeHeaders],
    ['a reset in the body', resetInBody],
  ])(
    '[outages 2] [outages 3] failures of one subject do not open the breaker while the canary is found: %s',
    async (_, behaviour) => {
      const { get, calls, wait, server } = await createTestClient(behaviour, HURRIED);
      const failures = await Promise.all(subjects(100, 20).map((path) => get({ path, retries: 0 })));
      expect(failures).not.toContainEqual({ kind: 'down', why: 'breaker open' });
      await expect.poll(() => server.calls('canary').length).toBe(1);
      server.script({ fxtwitter: fine });
      expect(await get({ path: '/2/status/7' })).toEqual(ANSWER);
      const sent = calls();
      await expect.poll(() => get({ path: '/2/status/100' })).toEqual({ kind: 'down', why: 'failed a moment ago' });
      expect(calls()).toBe(sent);
      wait(29_999);
      expect(await get({ path: '/2/status/100' })).toEqual({ kind: 'down', why: 'failed a moment ago' });
      wait(1);
      expect(await get({ path: '/2/status/100' })).toEqual(ANSWER);
    },
  );

  test('[outages 3] a deleted canary does not open the breaker while an answered URL is still found', async () => {
    const { get, server } = await createTestClient(fine, {}, undefined, json({ code: 404, status: null }, 404));
    await get({ path: '/2/status/7' });
    server.script({
      fxtwitter: (incoming, response) => (incoming.url?.endsWith('/7') ? fine : html(500))(incoming, response),
    });
    for (const path of subjects(100, 12))
      expect(await get({ path, retries: 0 })).toEqual({ kind: 'down', why: 'status 500' });
    expect(await get({ path: '/2/status/7' })).toEqual(ANSWER);
  });

  test('[outages 3] the breaker stays open for Retry-After when canary and other subjects fail', async () => {
    const busy = reply(503, '', { 'retry-after': '20' });
    const { get, wait, server } = await createTestClient(busy, {}, undefined, busy);
    await get();
    let subject = 1;
    const next = () => {
      subject += 1;
      return get({ path: `/2/status/${subject}`, retries: 0 });
    };
    await expect.poll(next).toEqual({ kind: 'down', why: 'breaker open' });
    server.script({ fxtwitter: fine });
    wait(19_999);
    expect(await get({ path: '/2/status/3' })).toEqual({ kind: 'down', why: 'breaker open' });
    wait(1);
    expect(await get({ path: '/2/status/3' })).toEqual(ANSWER);
  });

  test('[outages 2] Retry-After of one subject does not keep the breaker open when the canary fails for a moment', async () => {
    const { get, server } = await createTestClient(reply(503, '', { 'retry-after': '300' }), {}, undefined, html(500));
    await get({ path: '/2/status/100', retries: 0 });
    await expect.poll(() => server.calls('canary').length).toBe(1);
    server.script({ fxtwitter: fine, canary: fine });
    for (const path of subjects(200, 10)) expect(await get({ path })).toEqual(ANSWER);
  });

  test.each<readonly [string, Behaviour]>([
    ['"not found"', json({ code: 404, status: null }, 404)],
    ['unusable answers to one odd post', html(200)],
    ['bodies that are too large', endless(3)],
  ])('the breaker does not open after %s', async (_, behaviour) => {
    const { get, calls } = await createTestClient(behaviour);
    await repeat(12, () => get());
    expect(calls()).toBe(12);
  });

  test('[outages 2] a 429 of one subject is remembered for it as long as its Retry-After says while the canary is found', async () => {
    const limited = reply(429, '', { 'retry-after': '90' });
    const { get, calls, wait, server } = await createTestClient((incoming, response) =>
      (incoming.url?.endsWith('/7') ? fine : limited)(incoming, response),
    );
    await get();
    await expect.poll(() => get()).toEqual({ kind: 'down', why: 'failed a moment ago' });
    for (const path of subjects(100, 20)) await get({ path });
    expect(await get({ path: '/2/status/7' })).toEqual(ANSWER);
    expect(server.calls('canary')).toHaveLength(1);
    const sent = calls();
    wait(89_000);
    expect([await get(), calls()]).toEqual([{ kind: 'down', why: 'failed a moment ago' }, sent]);
    wait(1000);
    await get();
    expect(calls()).toBe(sent + 1);
  });
});

test.each([
  ['suspect', 'breaker open'],
  ['inconclusive', 'time-out'],
] as const)('after time-outs, a canary whose time-out is %s leaves the answer "%s"', async (health, why) => {
  const canaryUrl = 'https://api.x.com/canary';
  const client = createJsonClient({
    ...CLIENT_OPTIONS,
    queryKinds: { canaryUrlOf: () => canaryUrl },
    // The wrapper of the official API reserves rows for canaries, too, which can take most of their time.
    wrapSender: () => async (url) => ({
      fetched: { kind: 'down', why: 'time-out' },
      health: url === canaryUrl ? health : 'suspect',
      mayRetry: false,
    }),
  });
  const get = (subject: number) =>
    client.get(queryOf(`https://api.x.com/${subject}`), { deadline: readingAt(START + 8000), calls: { retries: 0 } });
  for (let subject = 1; subject <= 8; subject += 1) {
    await get(subject);
    await new Promise((done) => setImmediate(done));
  }
  expect(await get(9)).toEqual({ kind: 'down', why });
});

test('a spent limit opens only the breaker of its kind of query', async () => {
  const server = await faultServer({ fxtwitter: reply(429, '', { 'retry-after': '900' }), syndication: fine });
  const client = createJsonClient(CLIENT_OPTIONS);
  const get = (url: string) => client.get(queryOf(url), { deadline: readingAt(START + 8000), calls: { retries: 0 } });
  await get(`${server.fxtwitter}/2/status/1`);
  await get(`${server.fxtwitter}/2/status/1`);
  expect(server.calls('fxtwitter')).toHaveLength(1);
  expect(await get(`${server.syndication}/tweet-result?id=1`)).toEqual(ANSWER);
});

test('a 503 with x-rate-limit-reset is retried at once', async () => {
  const { get, calls } = await createTestClient([reply(503, '', { 'x-rate-limit-reset': '99999' }), fine]);
  expect(await get()).toEqual(ANSWER);
  expect(calls()).toBe(2);
});

test('a 429 with x-rate-limit-reset opens the breaker until the reset', async () => {
  const inNinetySeconds = Math.floor(START / 1000) + 90;
  const { get, calls, wait, log } = await createTestClient(
    [reply(429, '', { 'x-rate-limit-reset': String(inNinetySeconds) }), fine],
    {},
    undefined,
    reply(429),
  );
  await get();
  await expect.poll(() => log.map(({ event }) => event)).toContain('circuit');
  wait(88_000);
  await get();
  expect(calls()).toBe(1);
  wait(2000);
  expect(await get()).toEqual(ANSWER);
});

test('the line of a call tells a limit from an overload', async () => {
  const { get, log } = await createTestClient([reply(503), reply(429)]);
  await get({ retries: 0, path: '/2/status/1' });
  await get({ retries: 0, path: '/2/status/2' });
  await expect.poll(() => log.map(({ role }) => role)).toContain('canary');
  expect(log.flatMap(({ calls = [], role }) => (role === undefined ? calls : []))).toMatchObject([
    { outcome: 'down', status: 503, why: 'status 503' },
    { outcome: 'throttled', status: 429, why: 'status 429' },
  ]);
});

test('a call with less than its full time is inconclusive, and a canary is no call of a caller', async () => {
  const { get, log } = await createTestClient(neverResponds, { attemptMilliseconds: 300, minMilliseconds: 10 });
  await get({ left: 60, retries: 0 });
  const failing = get({ retries: 0 });
  // The time limit of the canary is this one, too, but the canary is answered.
  onTestFinished(slowDownTime());
  await failing;
  await expect.poll(() => log).toHaveLength(3);
  expect(log).toMatchObject([
    { calls: [{ outcome: 'inconclusive', why: 'time-out' }] },
    { calls: [{ outcome: 'down', why: 'time-out' }] },
    { calls: [{ outcome: 'answered', status: 200 }], role: 'canary' },
  ]);
});

test('a circuit that opens or closes has a line with the kind of query, the address and the reason', async () => {
  const { get, log, server, wait } = await createTestClient(
    [reply(429, '', { 'retry-after': '60' }), fine],
    {},
    undefined,
    reply(429),
  );
  await get({ retries: 0 });
  await expect.poll(() => log.map(({ event }) => event)).toContain('circuit');
  expect(await get({ retries: 0 })).toEqual({ kind: 'down', why: 'breaker open' });
  wait(60_000);
  await get({ retries: 0 });
  await get({ retries: 0 });
  const circuit = { event: 'circuit', provider: 'test', kind: 'status', address: new URL(server.fxtwitter).host };
  expect(log.filter(({ event }) => event === 'circuit')).toEqual([
    { ...circuit, level: 'warn', state: 'open', why: 'throttled' },
    { ...circuit, level: 'info', state: 'closed', why: 'probe_succeeded' },
  ]);
});

test('[bounds 5] a call has one log line without text of the provider', async () => {
  const { get, log, server } = await createTestClient([
    fine,
    html(200),
    reply(302, '', { location: 'http://leaky.example/' }),
    notHttp,
  ]);
  await repeat(4, () => get());
  expect(log).toHaveLength(4);
  const address = new URL(server.fxtwitter).host;
  const line = { event: 'upstream', duration_ms: 0 };
  const call = { provider: 'test', kind: 'status', address, milliseconds: 0 };
  expect(log).toEqual([
    { ...line, level: 'info', calls: [{ ...call, outcome: 'answered', status: 200 }] },
    { ...line, level: 'info', calls: [{ ...call, outcome: 'answered', status: 200 }] },
    { ...line, level: 'warn', calls: [{ ...call, outcome: 'failed', why: 'redirect 302' }] },
    { ...line, level: 'warn', calls: [{ ...call, outcome: 'failed', why: expect.stringMatching(/^[A-Za-z_]+$/) }] },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/leaky|BABBLE|\/2\/status/i);
});

test('[logs 2] a call that its request records has no line of its own, and one that comes too late has', async () => {
  const { client, server, log } = await createTestClient(fine);
  const recorded: CallRecord[] = [];
  const asked = (isOpen: boolean) =>
    client.get(queryOf(`${server.fxtwitter}/2/status/1`), {
      deadline: readingAt(START + 8000),
      calls: { retries: 0, record: (call) => isOpen && recorded.push(call) > 0 },
    });
  await asked(true);
  expect(recorded).toMatchObject([{ provider: 'test', kind: 'status', outcome: 'answered', status: 200 }]);
  expect(log).toEqual([]);
  await asked(false);
  expect(log).toMatchObject([{ event: 'upstream', calls: recorded }]);
});

test('the limits of a call are those that the operator counts on', () => {
  expect(PRODUCTION_LIMITS).toEqual({
    attemptMilliseconds: 4500,
    lastAttemptMilliseconds: 6500,
    minMilliseconds: 100,
    maxBodyBytes: 2_097_152,
    largeBodyBytes: 6_291_456,
    maxLargeInFlight: 4,
    maxInFlight: 20,
    requestsPerRetry: 10,
    maxSavedRetries: 10,
    retryJitterMilliseconds: 150,
  });
  expect(QUERY_BREAKER).toEqual({ failureThreshold: 5, openMilliseconds: 5000 });
});
