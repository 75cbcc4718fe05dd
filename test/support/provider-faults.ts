// Plants faults of providers below the functions: real client, real mappers, and a faulty server on loopback.
import { expect } from 'vitest';
import type { ClientLimits } from '../../shared/upstream/client-limits.ts';
import { clocksOf } from './clocks.ts';
import {
  type Behaviour,
  type Behaviours,
  CANARY_PROFILE,
  endless,
  type FaultServer,
  faultServer,
  gzipBomb,
  html,
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
} from './fault-server.ts';
import { fxTwitterAt } from './fxtwitter.ts';
import { profileBehaviour } from './list-provider.ts';
import { expectProblem } from './problem.ts';
import { createTestApp, NOW, type TestApp, type TestResponse } from './test-app.ts';

export interface Setup extends Partial<Record<ProviderRoute, Behaviours>> {
  readonly providers?: readonly ('fxtwitter' | 'syndication')[];
  readonly limits?: Partial<ClientLimits>;
  /** Replaces the fault server as fxtwitter. */
  readonly fxtwitterBaseUrl?: string;
  /** @default one that stands still until the test waits */
  readonly time?: () => number;
}

export interface FaultyService extends TestApp {
  readonly server: FaultServer;
  wait(milliseconds: number): void;
  /** Counts the calls of fxtwitter, syndication and the canary of fxtwitter. */
  readonly calls: () => readonly number[];
}

/** Allows one more canary call after a failed call, because the client checks the provider in the background. */
export const expectCalls = ({ calls }: Pick<FaultyService, 'calls'>, expected: readonly number[]): void => {
  const [fxtwitter, syndication, canary = 0] = calls();
  expect([fxtwitter, syndication]).toEqual(expected.slice(0, 2));
  expect(canary).toBeGreaterThanOrEqual(expected[2] ?? 0);
  expect(canary).toBeLessThanOrEqual((expected[2] ?? 0) + 1);
};

export const createFaultyService = async ({
  providers = ['fxtwitter', 'syndication'],
  limits,
  fxtwitterBaseUrl,
  time,
  ...behaviours
}: Setup): Promise<FaultyService> => {
  const server = await faultServer({
    canary: recorded('fxtwitter/status/first_post_20.json'),
    canaryProfile: profileBehaviour(CANARY_PROFILE),
    ...behaviours,
  });
  const baseUrls = { fxtwitter: fxtwitterBaseUrl ?? server.fxtwitter, syndication: server.syndication };
  let now = NOW;
  const passing = time ?? (() => now);
  const upstream = fxTwitterAt(server, {
    providers: providers.map((name) => ({ name, baseUrls: [baseUrls[name]], source: name })),
    ...clocksOf(passing),
    limits: { retryJitterMilliseconds: 1, ...limits },
  });
  return {
    ...createTestApp({ upstream, now: passing }),
    server,
    wait: (milliseconds) => {
      now += milliseconds;
    },
    calls: () => [server.calls('fxtwitter').length, server.calls('syndication').length, server.calls('canary').length],
  };
};

/** Expects a fault whose document contains nothing of the provider's answer, its location or the service's code. */
export const expectFault = (answer: TestResponse, status: 502 | 503): void => {
  const document = expectProblem(answer, status, status === 503 ? 'upstream_unavailable' : 'upstream_failed');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['retry-after']).toBe(status === 503 ? '30' : undefined);
  expect(document['retry_after']).toBe(status === 503 ? 30 : undefined);
  expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toMatch(
    /leaky|127\.0\.0\.1|169\.254|localhost|fxtwitter|twimg|syndication|babble|undici|UND_ERR|ECONN|time-out|shared\/|node:|\.ts\b/i,
  );
};

export const SHORT_TIMEOUT = { attemptMilliseconds: 1000, lastAttemptMilliseconds: 1000 };

export interface FaultOptions {
  /** The fault is worth a retry, and the request has one. */
  readonly isRetried?: true;
  readonly limits?: Partial<ClientLimits>;
}

type Fault = readonly [title: string, Behaviour, 502 | 503, FaultOptions?];

const rows: readonly Fault[] = [
  ['[provider-faults 1] never responds', neverResponds, 503, { limits: SHORT_TIMEOUT }],
  ['[provider-faults 1] sends only headers', slowBody, 503, { limits: SHORT_TIMEOUT }],
  ['[provider-faults 2] sends its response slowly', trickle(), 503, { limits: SHORT_TIMEOUT }],
  ['[provider-faults 3] sends 200 MB', endless(200), 502],
  ['[provider-faults 4] sends a gzip bomb', gzipBomb(), 502],
  ['[provider-faults 4] sends a body that is not gzip', reply(200, 'LEAKY', { 'content-encoding': 'gzip' }), 502],
  ['[provider-faults 4] sends an encoding that was not requested', zipped('{}', 'br'), 502],
  [
    '[provider-faults 5] redirects to the metadata service',
    reply(302, '', { location: 'http://169.254.169.254/latest/' }),
    502,
  ],
  [
    '[provider-faults 5] redirects to itself',
    (incoming, response) => reply(302, '', { location: incoming.url ?? '' })(incoming, response),
    502,
  ],
  ['[provider-faults 6] sends a login wall with 200', html(200), 502],
  [
    '[provider-faults 6] sends an error page with 200',
    recorded('fxtwitter/errors/worker_crash_preview_ua_html200.html'),
    502,
  ],
  ['[provider-faults 6] sends HTML with the media type of JSON', reply(200, '<!DOCTYPE html>LEAKY'), 502],
  ['[provider-faults 7] sends truncated JSON', reply(200, '{"code":200,"status":{"type":"status","text":"LEAKY'), 502],
  ['[provider-faults 7] resets before the headers', resetBeforeHeaders, 503, { isRetried: true }],
  ['[provider-faults 7] resets in the body', resetInBody, 503, { isRetried: true }],
  ['[provider-faults 7] announces a wrong length', wrongLength, 503, { isRetried: true }],
  ['[provider-faults 7] does not speak HTTP', notHttp, 502],
  [
    '[provider-faults 8] nests arrays 20,000 deep',
    reply(200, `{"code":200,"status":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    502,
  ],
  ['[provider-faults 9] sends an empty object', json({}), 502],
  ['[provider-faults 9] sends 200 without a post', json({ code: 200, status: null, thread: null, author: null }), 502],
  ['[provider-faults 9] sends null', json(null), 502],
  ['[provider-faults 9] sends a list', json([{ code: 200 }]), 502],
  ['[provider-faults 9] sends an empty body', reply(200), 502],
  ['[provider-faults 9] sends no content', raw('HTTP/1.1 204 No Content\r\n\r\n'), 502],
  ['[provider-faults 13] sends 429', reply(429, 'error code: 1015 LEAKY'), 503],
  ['[provider-faults 13] sends 429 with Retry-After', reply(429, '', { 'retry-after': '120' }), 503],
  [
    '[provider-faults 13] sends 503 with Retry-After',
    reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }),
    503,
  ],
  ['[problems 6] sends 500', html(500), 503],
  ['[problems 6] sends 502', html(502), 503, { isRetried: true }],
  ['[problems 6] sends 503', html(503), 503, { isRetried: true }],
  ['[problems 6] sends 504', html(504), 503, { isRetried: true }],
  ['[problems 6] sends 530 from its CDN', html(530), 503],
  ['[problems 6] sends 403', html(403), 502],
];

export const faults = rows.map(
  ([title, behaviour, status, options = {}]) => [title, behaviour, status, options] as const,
);
