import { describe, expect, test } from 'vitest';
import type { ProviderName } from '../../../shared/contract/providers.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { createHealthCheck, type HealthCheckOptions } from '../../../shared/upstream/health-check.ts';
import {
  type Behaviour,
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
} from '../../support/fault-server.ts';
import { START } from '../../support/limiter.ts';

const PLACES: Readonly<Record<ProviderName, ProviderRoute>> = {
  fxtwitter: 'canary',
  syndication: 'syndication',
  x_api: 'official',
};

const addresses = ({ fxtwitter, syndication, official }: FaultServer): Readonly<Record<ProviderName, string>> => ({
  fxtwitter,
  syndication,
  x_api: official,
});

const probeOf = (server: FaultServer, names: readonly ProviderName[], options: Partial<HealthCheckOptions> = {}) => {
  const log: LogFields[] = [];
  const probe = createHealthCheck({
    providers: names.map((name) => ({ name, baseUrl: addresses(server)[name] })),
    canaryPost: '20',
    userAgent: 'Postern/0 (tests)',
    clock: () => START,
    log: (fields) => void log.push(fields),
    random: () => 0.5,
    ...options,
  });
  return { probe, log };
};

/** How a provider is that behaves like that. */
const stateOf = async (name: ProviderName, behaviour: Behaviour, options?: Partial<HealthCheckOptions>) => {
  const server = await faultServer({ [PLACES[name]]: behaviour });
  const [state] = await probeOf(server, [name], options).probe();
  return state;
};

describe('a provider is up', () => {
  test.each<[string, ProviderName, Behaviour]>([
    ['has the post', 'fxtwitter', recorded('fxtwitter/status/missing.json')],
    ['says that it has no such post', 'fxtwitter', recorded('fxtwitter/status/missing.json', 404)],
    ['says in JSON that we may not', 'fxtwitter', json({}, 403)],
    ['says nothing but null', 'fxtwitter', json(null)],
    ['answers in JSON', 'syndication', json({ __typename: 'Tweet' })],
    ['answers that it has no such post with a page', 'syndication', html404],
    ['answers with a page of any kind', 'syndication', html(200)],
    [
      'asks for a token',
      'x_api',
      reply(401, '{"title":"Unauthorized"}', { 'content-type': 'application/problem+json' }),
    ],
    ['answers in JSON', 'x_api', json({ data: {} })],
  ])('that %s (%s)', async (_, name, behaviour) => {
    expect(await stateOf(name, behaviour)).toEqual({ name, state: 'up' });
  });
});

describe('a provider is down', () => {
  test.each<[string, ProviderName, Behaviour]>([
    ['answers with a page where it has none', 'fxtwitter', html(200)],
    ['answers with a page where it has none', 'x_api', html(403)],
    ['answers in words', 'syndication', reply(200, 'ok', { 'content-type': 'text/plain' })],
    ['says that it is JSON and is not', 'fxtwitter', reply(200, '{"code":')],
    ['fails', 'fxtwitter', json({}, 500)],
    ['fails', 'syndication', html(503)],
    ['fails', 'x_api', json({}, 502)],
    ['has enough of us', 'fxtwitter', json({}, 429)],
    ['sends us elsewhere', 'fxtwitter', reply(302, '{}', { location: '/fx/2/status/21' })],
    ['sends us elsewhere', 'syndication', reply(301, '', { location: '/' })],
    ['hangs up', 'fxtwitter', resetBeforeHeaders],
    ['breaks off', 'fxtwitter', resetInBody],
    ['says less than it said it would', 'syndication', wrongLength],
    ['speaks no HTTP', 'fxtwitter', notHttp],
    ['sends a bomb', 'fxtwitter', gzipBomb()],
    ['has no type for what it says', 'fxtwitter', raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')],
  ])('that %s (%s)', async (_, name, behaviour) => {
    expect(await stateOf(name, behaviour)).toEqual({ name, state: 'down' });
  });

  test('where nobody listens', async () => {
    const server = await faultServer();
    const providers = [{ name: 'fxtwitter', baseUrl: 'http://127.0.0.1:9' } as const];
    expect(await probeOf(server, [], { providers }).probe()).toEqual([{ name: 'fxtwitter', state: 'down' }]);
  });

  /** By it, so much of the time of a probe is over as soon as it has begun. */
  const hurried = (milliseconds: number): (() => number) => {
    let isBegun = false;
    return () => {
      const now = isBegun ? START + milliseconds : START;
      isBegun = true;
      return now;
    };
  };

  test('that has no time left of its three seconds, and is not even asked', async () => {
    const stateAfter = async (milliseconds: number) => {
      const server = await faultServer({ canary: json({}) });
      const [provider] = await probeOf(server, ['fxtwitter'], { clock: hurried(milliseconds) }).probe();
      return [provider?.state, server.calls().length];
    };
    expect(await stateAfter(1500)).toEqual(['up', 1]);
    expect(await stateAfter(2901)).toEqual(['down', 0]);
  });

  test.each<[string, Behaviour]>([
    ['says nothing', neverResponds],
    ['says no more than its headers', slowBody],
    ['never comes to an end', trickle()],
  ])('that %s, and is not waited for', async (_, behaviour) => {
    expect(await stateOf('fxtwitter', behaviour, { clock: hurried(2800) })).toEqual({
      name: 'fxtwitter',
      state: 'down',
    });
  });
});

test('providers are asked all at once, in the order that they have, each once and for what is there', async () => {
  const server = await faultServer({ canary: html(200), syndication: html404, official: json({}, 401) });
  const { probe, log } = probeOf(server, ['x_api', 'fxtwitter', 'syndication']);
  expect(await probe()).toEqual([
    { name: 'x_api', state: 'up' },
    { name: 'fxtwitter', state: 'down' },
    { name: 'syndication', state: 'up' },
  ]);
  expect(server.calls().toSorted()).toEqual(['/fx/2/status/20', '/synd/tweet-result?id=20', '/x/2/tweets/20']);
  expect(server.authorizations).toEqual([undefined, undefined, undefined]);
  expect(new Set(server.userAgents)).toEqual(new Set(['Postern/0 (tests)']));
  expect(log.map(({ source }) => source).toSorted()).toEqual(['fxtwitter', 'syndication', 'x_api']);
  expect(JSON.stringify(log)).not.toContain('LEAKY');
});

test('another post may be the one that is known to exist', async () => {
  const server = await faultServer({ fxtwitter: json({}) });
  expect(await probeOf(server, ['fxtwitter'], { canaryPost: '21' }).probe()).toEqual([
    { name: 'fxtwitter', state: 'up' },
  ]);
  expect(server.calls()).toEqual(['/fx/2/status/21']);
});

test('what was down is asked again after 20 seconds, not before, and is up when it answers', async () => {
  const server = await faultServer({ canary: [json({}, 500), json({})] });
  let now = Date.parse('2026-11-21T12:00:00Z');
  const { probe } = probeOf(server, ['fxtwitter'], { clock: () => now });
  for (const wait of [0, 19_999]) {
    now += wait;
    expect(await probe()).toEqual([{ name: 'fxtwitter', state: 'down' }]);
  }
  expect(server.calls()).toHaveLength(1);
  now += 1;
  expect(await probe()).toEqual([{ name: 'fxtwitter', state: 'up' }]);
  expect(server.calls()).toHaveLength(2);
});

test('a failure is not tried twice within one answer', async () => {
  const server = await faultServer({ canary: json({}, 503) });
  await probeOf(server, ['fxtwitter']).probe();
  expect(server.calls()).toHaveLength(1);
});

test('without providers there is nothing to say', async () => {
  expect(await probeOf(await faultServer(), []).probe()).toEqual([]);
});
