// Tests retries, waits and deprecation with a fetch of the test, because no service fails on demand.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type DeprecationNotice,
  PosternError,
  SunsetError,
} from '../../client/src/index.ts';
import { problems } from '../../shared/contract/problem-rows.ts';
import { startTestService } from '../support/local-service.ts';
import { checkedFetch } from './checked-fetch.ts';

const BASE_URL = 'https://postern.example';
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2027-01-01T00:00:00Z'), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answer = (headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ post: { id: '20' } }, { headers });

const problemAnswer = (
  code: 'rate_limited' | 'upstream_unavailable' | 'upstream_failed',
  headers: Readonly<Record<string, string>>,
): Response => {
  const { status, title, resolution } = problems[code];
  const members = { type: `${BASE_URL}/docs/errors#${code}`, title, status, detail: 'A sentence.', instance: '/' };
  return Response.json(
    { ...members, code, resolution },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
};

/** A client whose requests get these answers, and the times of the requests in milliseconds. */
const createTestClient = (
  answers: readonly (() => Response | Promise<Response>)[],
  options: Omit<ClientOptions, 'baseUrl' | 'fetch'> = {},
) => {
  const start = Date.now();
  const times: number[] = [];
  const bodies: Response[] = [];
  const postern = createClient({
    baseUrl: BASE_URL,
    fetch: async (_, { signal }) => {
      signal?.throwIfAborted();
      const next = answers[times.length];
      times.push(Date.now() - start);
      if (next === undefined) throw new Error('the client sent a request too many');
      const response = await next();
      bodies.push(response);
      return response;
    },
    ...options,
  });
  return { postern, times, bodies };
};

/** Runs all timers. @returns the result or the error */
const settle = async (promise: Promise<unknown>): Promise<unknown> => {
  const settled = promise.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
};

describe('after 429 and 503', () => {
  test.each([
    ['rate_limited', '41', 41],
    ['upstream_unavailable', '30', 30],
    ['rate_limited', '0', 1],
  ] as const)('%s, the client waits exactly the seconds of Retry-After, at least 1', async (code, seconds, waited) => {
    const { postern, times, bodies } = createTestClient([
      () => problemAnswer(code, { 'Retry-After': seconds }),
      answer,
    ]);
    expect(await settle(postern.post('20'))).toEqual({ post: { id: '20' } });
    expect(times).toEqual([0, waited * 1000]);
    expect(bodies[0]?.bodyUsed).toBe(true); // is cancelled, so the connection is free
  });

  test('the client throws after two retries, with the seconds to wait', async () => {
    const busy = () => problemAnswer('upstream_unavailable', { 'Retry-After': '30', 'X-Request-Id': 'abc' });
    const { postern, times } = createTestClient([busy, busy, busy]);
    expect(await settle(postern.post('20'))).toMatchObject({
      code: 'upstream_unavailable',
      status: 503,
      retryAfter: 30,
      requestId: 'abc',
    });
    expect(times).toEqual([0, 30_000, 60_000]);
  });

  test.each([
    ['0 retries are allowed', { limit: 0 }, '1'],
    ['the wait is longer than the bound', {}, '61'],
    ['the wait is longer than a bound of the caller', { maxRetryAfter: 10 }, '11'],
    ['the wait is longer than a timer can be', { maxRetryAfter: Number.POSITIVE_INFINITY }, '2147484'],
    ['Retry-After is a date', {}, 'Fri, 01 Jan 2027 00:00:01 GMT'],
    ['Retry-After is negative', {}, '-1'],
  ])('the client throws at once if %s', async (_, retry, seconds) => {
    const { postern, times } = createTestClient([() => problemAnswer('rate_limited', { 'Retry-After': seconds })], {
      retry,
    });
    expect(await settle(postern.post('20'))).toMatchObject({ code: 'rate_limited' });
    expect(times).toEqual([0]);
  });

  test('the client waits as long as a bound of the caller allows', async () => {
    const busy = () => problemAnswer('rate_limited', { 'Retry-After': '900' });
    const { postern, times } = createTestClient([busy, busy, busy, answer], {
      retry: { limit: 3, maxRetryAfter: 900 },
    });
    await settle(postern.post('20'));
    expect(times).toEqual([0, 900_000, 1_800_000, 2_700_000]);
  });

  test.each([
    ['429 without Retry-After', () => problemAnswer('rate_limited', {}), 'rate_limited'],
    ['500', () => new Response('', { status: 500 }), 'unexpected_response'],
  ])('the client does not retry a %s', async (_, failed, code) => {
    const { postern, times } = createTestClient([failed]);
    expect(await settle(postern.post('20'))).toMatchObject({ code });
    expect(times).toEqual([0]);
  });

  test('a page of a list is retried, and no item is lost or repeated', async () => {
    const { postern, times } = createTestClient([
      () => Response.json({ users: [{ handle: 'a' }, { handle: 'b' }], next_cursor: 'c1' }),
      () => problemAnswer('rate_limited', { 'Retry-After': '7' }),
      () => Response.json({ users: [], next_cursor: 'c2' }),
      () => Response.json({ users: [{ handle: 'c' }] }),
    ]);
    const handles: string[] = [];
    const reading = async () => {
      for await (const { handle } of postern.followers('jack')) handles.push(handle);
    };
    await settle(reading());
    expect(handles).toEqual(['a', 'b', 'c']);
    expect(times).toEqual([0, 0, 7000, 7000]);
  });
});

describe('[releases 5] a failure of the moment', () => {
  const cut = (): Response =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }), {
      headers: { 'Content-Type': 'application/json' },
    });
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const failures: readonly (readonly [string, () => Response | Promise<Response>, number, object])[] = [
    ['502', () => problemAnswer('upstream_failed', {}), 1, { code: 'upstream_failed', status: 502 }],
    [
      '502 with Retry-After',
      () => problemAnswer('upstream_failed', { 'Retry-After': '9' }),
      9,
      { code: 'upstream_failed', retryAfter: 9 },
    ],
    ['503 of a proxy', () => new Response('<h1>Busy</h1>', { status: 503 }), 1, { code: 'unexpected_response' }],
    ['a failed connection', lost, 1, { message: `No answer from baseUrl ${BASE_URL}: fetch failed` }],
    ['an answer that breaks off', cut, 1, { message: `No answer from baseUrl ${BASE_URL}: terminated` }],
  ];

  test.each(failures)('%s is repeated once, after the time to wait', async (_, failed, seconds, error) => {
    const once = createTestClient([failed, answer]);
    expect(await settle(once.postern.post('20'))).toEqual({ post: { id: '20' } });
    expect(once.times).toEqual([0, seconds * 1000]);
    const twice = createTestClient([failed, failed]);
    expect(await settle(twice.postern.post('20'))).toMatchObject(error);
    expect(twice.times.length).toBe(2);
  });

  test.each(failures)('%s is thrown at once if retries are off', async (_, failed, __, error) => {
    for (const retry of [false, { limit: 0 }] as const) {
      const { postern, times } = createTestClient([failed], { retry });
      expect(await settle(postern.post('20'))).toMatchObject(error);
      expect(times).toEqual([0]);
    }
  });

  test('with a Retry-After beyond the bound is thrown at once', async () => {
    const { postern, times } = createTestClient([() => problemAnswer('upstream_failed', { 'Retry-After': '61' })]);
    expect(await settle(postern.post('20'))).toMatchObject({ status: 502, retryAfter: 61 });
    expect(times).toEqual([0]);
  });

  test('is repeated once in all, also after another failure', async () => {
    const busy = () => problemAnswer('upstream_unavailable', { 'Retry-After': '5' });
    const { postern, times } = createTestClient([busy, lost]);
    expect(await settle(postern.post('20'))).toBeInstanceOf(TypeError);
    expect(times).toEqual([0, 5000]);
  });

  test('is no TypeError of a function of the caller', async () => {
    const failure = new TypeError('not a function');
    const onDeprecation = () => {
      throw failure;
    };
    const { postern, times } = createTestClient([() => answer({ Deprecation: '@0' })], { onDeprecation });
    expect(await settle(postern.post('20'))).toBe(failure);
    expect(times).toEqual([0]);
  });
});

describe('[releases 5] the time limit', () => {
  const never = () => new Promise<Response>(() => undefined);
  /** The head of an answer whose body does not end. */
  const endless = () => new Response(new ReadableStream(), { headers: { 'Content-Type': 'application/json' } });
  const timeoutAfter = (seconds: number) => ({
    name: 'PosternError',
    code: 'timeout',
    status: 0,
    detail: `There is no complete answer from baseUrl ${BASE_URL} within ${seconds} s.`,
  });

  test.each([
    ['no answer', never],
    ['an answer that does not end', endless],
  ])('ends a request with %s after 30 s, and nothing is repeated', async (_, hanging) => {
    const { postern, times } = createTestClient([hanging]);
    const result = postern.post('20').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject(timeoutAfter(30));
    expect(vi.getTimerCount()).toBe(0);
    expect(times).toEqual([0]);
  });

  test('of the option holds for each attempt, and aborts its fetch', async () => {
    const signals: (AbortSignal | null)[] = [];
    const postern = createClient({
      baseUrl: BASE_URL,
      timeout: 2,
      retry: { delay: (_, retries) => (retries === 0 ? 7 : undefined) },
      fetch: (_, { signal }) => {
        signals.push(signal);
        return never();
      },
    });
    const start = Date.now();
    expect(await settle(postern.post('20'))).toMatchObject(timeoutAfter(2));
    expect(Date.now() - start).toBe(11_000);
    expect(signals.map((signal) => signal?.reason)).toEqual([
      expect.objectContaining(timeoutAfter(2)),
      expect.objectContaining(timeoutAfter(2)),
    ]);
  });

  test('is over with the answer', async () => {
    const { postern } = createTestClient([answer]);
    expect(await postern.post('20')).toEqual({ post: { id: '20' } });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['timeout is 0', { timeout: 0 }, {}],
    ['timeout is false', { timeout: false }, {}],
    ['the call has a signal', {}, { signal: new AbortController().signal }],
  ] as const)('does not exist if %s', async (_, options, call) => {
    const { postern } = createTestClient([never], options);
    void postern.post('20', call);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of the option and a signal both hold, and the reason of the signal is thrown', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const { postern } = createTestClient([never, never], { timeout: 5 });
    const options = { signal: controller.signal };
    expect(await settle(postern.post('20', options))).toMatchObject(timeoutAfter(5));
    const aborted = postern.post('20', options).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort(new Error('enough'));
    expect(await aborted).toEqual(new Error('enough'));
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(2);
    await expect(postern.post('20', options)).rejects.toThrow('enough');
  });
});

describe('retry.delay', () => {
  test('decides how long the client waits after any failure, and is told of the failure and of the retries', async () => {
    const failures: unknown[] = [];
    const delay = (error: unknown, retries: number): number => {
      failures.push([error instanceof PosternError ? error.code : error instanceof TypeError, retries]);
      return 10 * (retries + 1);
    };
    const failing = [
      () => problemAnswer('upstream_failed', {}),
      () => Promise.reject(new TypeError('fetch failed')),
      () => problemAnswer('rate_limited', { 'Retry-After': '0' }),
    ];
    const { postern, times } = createTestClient([...failing, answer], { retry: { limit: 0, delay } });
    expect(await settle(postern.post('20'))).toEqual({ post: { id: '20' } });
    expect(failures).toEqual([
      ['upstream_failed', 0],
      [true, 1],
      ['rate_limited', 2],
    ]);
    expect(times).toEqual([0, 10_000, 30_000, 60_000]);
  });

  test.each([
    ['undefined', undefined],
    ['longer than a timer can be', 2_147_484],
    ['no number', Number.NaN],
  ])('ends the retries with the error if it is %s', async (_, seconds) => {
    const busy = () => problemAnswer('rate_limited', { 'Retry-After': '1' });
    const { postern, times } = createTestClient([busy], { retry: { delay: () => seconds } });
    expect(await settle(postern.post('20'))).toMatchObject({ code: 'rate_limited' });
    expect(times).toEqual([0]);
  });

  test('never lets a request be repeated within a second', async () => {
    const busy = () => problemAnswer('upstream_failed', {});
    const { postern, times } = createTestClient([busy, answer], { retry: { delay: () => 0 } });
    await settle(postern.post('20'));
    expect(times).toEqual([0, 1000]);
  });

  test('is not asked after a signal, nor about a handle that is no part of a path', async () => {
    const delay = vi.fn(() => 1);
    const controller = new AbortController();
    const { postern } = createTestClient([() => problemAnswer('upstream_failed', {})], { retry: { delay } });
    controller.abort(new Error('enough'));
    await expect(postern.post('20', { signal: controller.signal })).rejects.toThrow('enough');
    await expect(postern.profile('..')).rejects.toThrow(TypeError);
    expect(delay).not.toHaveBeenCalled();
  });
});

describe('a signal', () => {
  test('ends the wait at once with its reason, and no request follows', async () => {
    const controller = new AbortController();
    const { postern, times } = createTestClient([() => problemAnswer('rate_limited', { 'Retry-After': '60' })]);
    const result = postern.post('20', { signal: controller.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(59_000);
    controller.abort(new Error('enough'));
    expect(await result).toEqual(new Error('enough'));
    expect(vi.getTimerCount()).toBe(0);
    expect(times).toEqual([0]);
  });

  test('that is aborted before the wait ends it as well', async () => {
    const controller = new AbortController();
    const { postern } = createTestClient([
      () => {
        controller.abort(new Error('enough'));
        return problemAnswer('rate_limited', { 'Retry-After': '60' });
      },
    ]);
    expect(await postern.post('20', { signal: controller.signal }).catch((error: unknown) => error)).toEqual(
      new Error('enough'),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps no listener after a wait that has ended', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const added = vi.spyOn(signal, 'addEventListener');
    const { postern } = createTestClient([() => problemAnswer('rate_limited', { 'Retry-After': '1' }), answer]);
    await settle(postern.post('20', { signal }));
    expect(added).toHaveBeenCalledOnce();
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  test('ends a list between two pages', async () => {
    const controller = new AbortController();
    const { postern, times } = createTestClient([() => Response.json({ users: [{ handle: 'a' }], next_cursor: 'c' })]);
    const reading = async () => {
      for await (const _ of postern.following('jack', { signal: controller.signal })) controller.abort();
    };
    await expect(reading()).rejects.toThrow('aborted');
    expect(times).toEqual([0]);
  });
});

test('a problem document of the firewall of a deployment, which names the type JSON, is an error with its code', async () => {
  const document = {
    type: 'about:blank',
    title: 'Rate limit exceeded',
    status: 429,
    code: 'rate_limited',
    detail: 'This IP address has sent too many requests in the last 5 minutes.',
    resolution: 'Wait the number of seconds in Retry-After, then send the request again.',
    instance: '',
    retry_after: 300,
  };
  const blocked = () => Response.json(document, { status: 429, headers: { 'Retry-After': '300' } });
  const { postern, times } = createTestClient([blocked]);
  expect(await settle(postern.post('20'))).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 300 });
  expect(times).toEqual([0]);
});

describe('an answer that is not of the service', () => {
  test.each([
    ['the page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['a login page', () => new Response('<form>', { headers: { 'Content-Type': 'text/html' } }), 200],
    ['JSON that is cut', () => new Response('{"post":', { headers: { 'Content-Type': 'application/json' } }), 200],
    [
      'a problem document without code',
      () => Response.json({ title: 'No', status: 404 }, { status: 404, headers: PROBLEM }),
      404,
    ],
    ['a problem document that is no object', () => Response.json(null, { status: 500, headers: PROBLEM }), 500],
    ['a problem document that is cut', () => new Response('{', { status: 500, headers: PROBLEM }), 500],
    ['304 without a cached answer', () => new Response(null, { status: 304 }), 304],
  ])('%s is the error unexpected_response with its status', async (_, failed, status) => {
    const { postern } = createTestClient([failed], { retry: false });
    expect(await settle(postern.post('20'))).toMatchObject({ code: 'unexpected_response', status });
  });

  test('[releases 3] a failed connection is a TypeError that names baseUrl, with the error of fetch as its cause', async () => {
    const failure = new TypeError('fetch failed');
    const { postern } = createTestClient([() => Promise.reject(failure)], { retry: false });
    const error = await settle(postern.post('20'));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      name: 'TypeError',
      message: `No answer from baseUrl ${BASE_URL}: fetch failed`,
      cause: failure,
    });
  });

  test('an error of another fetch is not changed', async () => {
    const failure = new Error('offline');
    const { postern } = createTestClient([() => Promise.reject(failure)]);
    expect(await settle(postern.post('20'))).toBe(failure);
  });
});

test.each([
  '',
  'postern.example',
  'ftp://postern.example',
  'https://ada:secret@postern.example',
  'https://postern.example/?q=1',
  'https://postern.example/#docs',
])('[releases 3] the base URL %j is a TypeError that names baseUrl, before any request', (baseUrl) => {
  expect(() => createClient({ baseUrl })).toThrow(
    new TypeError('baseUrl must be the URL of a Postern service, such as https://postern.example'),
  );
});

const PROBLEM = { 'Content-Type': 'application/problem+json' };

describe('[releases 1] an answer of a deprecated route', () => {
  const DEPRECATED = {
    Deprecation: `@${Date.UTC(2026, 8, 15) / 1000}`,
    Sunset: 'Wed, 15 Sep 2027 00:00:00 GMT',
    Link: '<https://postern.example/docs/versioning>; rel="deprecation"; type="text/html", <https://postern.example/api/v2/posts>; rel="successor-version"',
  };

  test('is announced with the dates and the successor that the service sends', async () => {
    vi.useRealTimers();
    const { origin } = await startTestService();
    const notices: DeprecationNotice[] = [];
    const postern = createClient({
      baseUrl: origin,
      fetch: checkedFetch([], (target) => target.replace('/api/v1/posts', '/api/convert')),
      onDeprecation: (notice) => notices.push(notice),
    });
    await postern.post('20');
    await postern.post('1990000000000000001').catch(() => undefined);
    await postern.profile('X');
    const notice = {
      route: '/api/v1/posts',
      deprecation: new Date('2026-09-15T00:00:00Z'),
      sunset: new Date('2027-09-15T00:00:00Z'),
      successor: `${origin}/api/v1/posts`,
      documentation: `${origin}/docs/versioning`,
    };
    expect(notices).toEqual([notice, notice]);
  });

  test('is a warning, once per route, and the answer is returned', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const deprecated = () => answer(DEPRECATED);
    const { postern } = createTestClient([deprecated, deprecated, deprecated]);
    await settle(postern.post('20'));
    expect(await settle(postern.post('21'))).toEqual({ post: { id: '20' } });
    await settle(postern.profile('jack'));
    expect(warn.mock.calls).toEqual([
      [
        '/api/v1/posts is deprecated; may stop answering after 2027-09-15T00:00:00.000Z; is replaced by https://postern.example/api/v2/posts; see https://postern.example/docs/versioning',
      ],
      [expect.stringMatching(/^\/api\/v1\/profiles\/\{handle\} is deprecated;/)],
    ]);
  });

  test('is a SunsetError if fewer than 30 days are left, for answers and for errors', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const sunset = Date.parse(DEPRECATED.Sunset);
    const { postern } = createTestClient([
      () => answer(DEPRECATED),
      () => answer(DEPRECATED),
      () => problemAnswer('upstream_failed', DEPRECATED),
    ]);
    vi.setSystemTime(sunset - 30 * DAY);
    expect(await settle(postern.post('20'))).toEqual({ post: { id: '20' } });
    expect(warn).toHaveBeenCalledOnce();
    vi.setSystemTime(sunset - 30 * DAY + 1);
    for (const _ of ['an answer', 'an error']) {
      const error = await settle(postern.post('20'));
      expect(error).toBeInstanceOf(SunsetError);
      expect(error).toMatchObject({ name: 'SunsetError', notice: { sunset: new Date(sunset) } });
    }
  });

  test.each([
    ['Deprecation', { Deprecation: DEPRECATED.Deprecation }, '/api/v1/posts is deprecated'],
    ['malformed', { Deprecation: 'true', Sunset: 'soon', Link: '<a>; rel=next' }, '/api/v1/posts is deprecated'],
    [
      'Sunset',
      { Sunset: DEPRECATED.Sunset },
      '/api/v1/posts is deprecated; may stop answering after 2027-09-15T00:00:00.000Z',
    ],
  ])('is a warning, whatever headers it has: %s', async (_, headers, text) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { postern } = createTestClient([() => answer(headers)]);
    await settle(postern.post('20'));
    expect(warn.mock.calls).toEqual([[text]]);
  });

  test('throws what onDeprecation throws', async () => {
    const { postern } = createTestClient([() => answer(DEPRECATED)], {
      onDeprecation: ({ route }) => {
        throw new Error(`stop using ${route}`);
      },
    });
    expect(await settle(postern.post('20'))).toEqual(new Error('stop using /api/v1/posts'));
  });

  test('is nothing else: other answers and other links give no warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { postern } = createTestClient([() => answer({ Link: DEPRECATED.Link })]);
    await settle(postern.post('20'));
    expect(warn).not.toHaveBeenCalled();
  });
});
