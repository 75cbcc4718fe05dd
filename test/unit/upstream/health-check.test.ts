import { describe, expect, test } from 'vitest';
import type { ProviderName } from '../../../shared/contract/providers.ts';
import type { CallRecord, LogFields } from '../../../shared/ports/system.ts';
import { createHealthCheck, type HealthCheckOptions } from '../../../shared/upstream/health-check.ts';
import { clocksOf } from '../../support/clocks.ts';
import {
  type Behaviour,
  type FaultServer,
  faultServer,
  html,
  html404,
  json,
  type ProviderRoute,
  raw,
  recorded,
  reply,
  resetBeforeHeaders,
  slowBody,
} from '../../support/fault-server.ts';
import { START } from '../../support/limiter.ts';

/** The instant of the first check. */
const SINCE = new Date(START).toISOString();

const PLACES: Readonly<Record<ProviderName, ProviderRoute>> = {
  fxtwitter: 'canary',
  syndication: 'syndication',
  x_api: 'official',
};

const originOf = ({ fxtwitter, syndication, official }: FaultServer): Readonly<Record<ProviderName, string>> => ({
  fxtwitter,
  syndication,
  x_api: official,
});

const probeOf = (server: FaultServer, names: readonly ProviderName[], options: Partial<HealthCheckOptions> = {}) => {
  const log: LogFields[] = [];
  const probe = createHealthCheck({
    providers: names.map((name) => ({ name, baseUrls: [originOf(server)[name]] })),
    canaryPost: '20',
    userAgent: 'Postern/0 (tests)',
    ...clocksOf(() => START),
    log: (fields) => void log.push(fields),
    random: () => 0.5,
    ...options,
  });
  return { probe, log };
};

/** @returns the state of a provider with this behaviour */
const stateOf = async (name: ProviderName, behaviour: Behaviour, options?: Partial<HealthCheckOptions>) => {
  const server = await faultServer({ [PLACES[name]]: behaviour });
  const [state] = await probeOf(server, [name], options).probe();
  return state;
};

test.each<[string, ProviderName, Behaviour]>([
  ['responds with the post', 'fxtwitter', recorded('fxtwitter/status/missing.json')],
  ['responds with 404 in JSON', 'fxtwitter', recorded('fxtwitter/status/missing.json', 404)],
  ['responds with 403 in JSON', 'fxtwitter', json({}, 403)],
  ['responds with null', 'fxtwitter', json(null)],
  ['answers in JSON', 'syndication', json({ __typename: 'Tweet' })],
  ['responds with the 404 page', 'syndication', html404],
  ['responds with any HTML page', 'syndication', html(200)],
  ['asks for a token', 'x_api', reply(401, '{"title":"Unauthorized"}', { 'content-type': 'application/problem+json' })],
  ['answers in JSON', 'x_api', json({ data: {} })],
])('a provider is up that %s (%s)', async (_, name, behaviour) => {
  expect(await stateOf(name, behaviour)).toEqual({ name, state: 'up' });
});

describe('a provider is down', () => {
  test.each<[string, ProviderName, Behaviour]>([
    ['responds with an HTML page', 'fxtwitter', html(200)],
    ['responds in plain text', 'syndication', reply(200, 'ok', { 'content-type': 'text/plain' })],
    ['responds with damaged JSON', 'fxtwitter', reply(200, '{"code":')],
    ['fails', 'fxtwitter', json({}, 500)],
    ['redirects', 'fxtwitter', reply(302, '{}', { location: '/fx/2/status/21' })],
    ['closes the connection before the headers', 'fxtwitter', resetBeforeHeaders],
    ['sends no Content-Type', 'fxtwitter', raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')],
  ])('a provider that %s (%s)', async (_, name, behaviour) => {
    expect(await stateOf(name, behaviour)).toEqual({ name, state: 'down', since: SINCE });
  });

  test('a provider is down when its port is closed', async () => {
    const server = await faultServer();
    const providers = [{ name: 'fxtwitter', baseUrls: ['http://127.0.0.1:9'] } as const];
    expect(await probeOf(server, [], { providers }).probe()).toEqual([
      { name: 'fxtwitter', state: 'down', since: SINCE },
    ]);
  });

  /** A clock that advances during the call, so that part of the time of a check is over. */
  const hurried = (milliseconds: number): (() => number) => {
    let isBegun = false;
    return () => {
      const now = isBegun ? START + milliseconds : START;
      isBegun = true;
      return now;
    };
  };

  test('a provider is down without a request when nothing of the 3 s is left', async () => {
    const stateAfter = async (milliseconds: number) => {
      const server = await faultServer({ canary: json({}) });
      const [provider] = await probeOf(server, ['fxtwitter'], { ...clocksOf(hurried(milliseconds)) }).probe();
      return [provider?.state, server.calls().length];
    };
    expect(await stateAfter(1500)).toEqual(['up', 1]);
    expect(await stateAfter(2901)).toEqual(['down', 0]);
  });

  test('a provider that sends only headers is down, and the check does not wait for it', async () => {
    const state = await stateOf('fxtwitter', slowBody, { ...clocksOf(hurried(2800)) });
    expect(state).toMatchObject({ name: 'fxtwitter', state: 'down' });
  });
});

test('all providers are requested at the same time, each once, for the canary post', async () => {
  const server = await faultServer({ canary: html(200), syndication: html404, official: json({}, 401) });
  const { probe, log } = probeOf(server, ['x_api', 'fxtwitter', 'syndication']);
  expect(await probe()).toEqual([
    { name: 'x_api', state: 'up' },
    { name: 'fxtwitter', state: 'down', since: SINCE },
    { name: 'syndication', state: 'up' },
  ]);
  expect(server.calls().toSorted()).toEqual(['/fx/2/status/20', '/synd/tweet-result?id=20', '/x/2/tweets/20']);
  expect(server.authorizations).toEqual([undefined, undefined, undefined]);
  expect(new Set(server.userAgents)).toEqual(new Set(['Postern/0 (tests)']));
  expect(
    log
      .flatMap(({ calls }) => calls as readonly CallRecord[])
      .map(({ provider }) => provider)
      .toSorted(),
  ).toEqual(['fxtwitter', 'syndication', 'x_api']);
  expect(JSON.stringify(log)).not.toContain('LEAKY');
});

test('a provider that was down is requested again after 20 s and is up when it responds', async () => {
  const server = await faultServer({ canary: [json({}, 500), json({})] });
  let now = START;
  const { probe } = probeOf(server, ['fxtwitter'], { ...clocksOf(() => now) });
  for (const wait of [0, 19_999]) {
    now += wait;
    expect(await probe()).toEqual([{ name: 'fxtwitter', state: 'down', since: SINCE }]);
  }
  expect(server.calls()).toHaveLength(1);
  now += 1;
  expect(await probe()).toEqual([{ name: 'fxtwitter', state: 'up' }]);
  expect(server.calls()).toHaveLength(2);
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** @returns the state after each wait, of a provider that behaves so in turn */
const statesAfter = async (waits: readonly number[], first: Behaviour, ...more: readonly Behaviour[]) => {
  const server = await faultServer({ canary: [first, ...more] });
  let now = START;
  const { probe } = probeOf(server, ['fxtwitter'], { ...clocksOf(() => now) });
  const states: unknown[] = [];
  for (const wait of waits) {
    now += wait;
    states.push((await probe())[0]);
  }
  return { states, calls: server.calls().length };
};

const limitedFor = (seconds: string): Behaviour =>
  reply(429, '{}', { 'content-type': 'application/json', 'retry-after': seconds });

test('[admin 9] a provider that answers 429 is limited until the time that it names, and is not requested before', async () => {
  const { states, calls } = await statesAfter([0, MINUTE, MINUTE], limitedFor('120'), json({}));
  const limited = { name: 'fxtwitter', state: 'limited', until: new Date(START + 2 * MINUTE).toISOString() };
  expect(states).toEqual([limited, limited, { name: 'fxtwitter', state: 'up' }]);
  expect(calls).toBe(2);
});

test.each([
  ['no time', json({}, 429), undefined],
  ['a time without end', limitedFor('9'.repeat(30)), new Date(START + 31 * 24 * 60 * MINUTE).toISOString()],
])('[admin 9] a provider that answers 429 and names %s is limited', async (_, behaviour, until) => {
  const { states } = await statesAfter([0], behaviour);
  expect(states).toEqual([{ name: 'fxtwitter', state: 'limited', ...(until && { until }) }]);
});

test('[admin 9] a provider is down since the first failed check after its last answer', async () => {
  const minutes = [0, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE];
  const failing = json({}, 500);
  const { states } = await statesAfter(minutes, json({}), failing, failing, json({}), failing, failing);
  const down = (minute: number) => ({
    name: 'fxtwitter',
    state: 'down',
    since: new Date(START + minute * MINUTE).toISOString(),
  });
  const up = { name: 'fxtwitter', state: 'up' };
  expect(states).toEqual([up, down(1), down(1), up, down(4), down(4)]);
});

test('the health check returns an empty list without providers', async () => {
  expect(await probeOf(await faultServer(), []).probe()).toEqual([]);
});
