// Starts several servers of one provider, each with a behaviour of its own, behind the posts and profiles functions.
import { readFileSync } from 'node:fs';
import type { LogFields } from '../../shared/ports/system.ts';
import type { ClientLimits } from '../../shared/upstream/client-limits.ts';
import { createUpstream } from '../../shared/upstream/create-upstream.ts';
import { clocksOf } from './clocks.ts';
import { type Behaviour, bare404, CANARY_POST, type FaultServer, faultServer, reply } from './fault-server.ts';
import { seededRandom } from './random.ts';
import { createTestApp, NOW, type TestResponse } from './test-app.ts';

const RECORDED = '2028036267832246272';
const read = (name: string): string => readFileSync(new URL(`../fixtures/fxtwitter/${name}`, import.meta.url), 'utf8');
const post = read('status/text_plain.json');
const profile = read('profile/ada_larsson.json');

/** Answers every post and the profile of a handle, as a working server does. */
export const answers: Behaviour = (incoming, response) => {
  const [, id] = /\/2\/status\/([0-9]+)/.exec(incoming.url ?? '') ?? [];
  const [, handle] = /\/2\/profile\/([A-Za-z0-9_]+)(?:$|\?)/.exec(incoming.url ?? '') ?? [];
  const body =
    id === undefined ? profile.replaceAll('ada_larsson', handle ?? 'ada_larsson') : post.replaceAll(RECORDED, id);
  reply(200, body)(incoming, response);
};

export type Servers = Awaited<ReturnType<typeof createServers>>;

export interface ServersOptions {
  readonly count?: number;
  /** @default those of the servers */
  readonly baseUrls?: readonly string[];
  readonly limits?: Partial<ClientLimits>;
  readonly providers?: readonly ('fxtwitter' | 'syndication')[];
  readonly syndication?: Behaviour;
}

export const createServers = async ({
  count = 3,
  baseUrls = [],
  limits,
  providers = ['fxtwitter'],
  syndication = bare404,
}: ServersOptions = {}) => {
  const servers: FaultServer[] = [];
  for (let index = 0; index < count; index += 1)
    servers.push(await faultServer({ fxtwitter: answers, canary: answers }));
  const other = await faultServer({ syndication });
  const log: LogFields[] = [];
  let now = NOW;
  const time = () => now;
  const upstream = createUpstream({
    providers: providers.map((name) =>
      name === 'syndication'
        ? { name, baseUrls: [other.syndication], source: name }
        : {
            name,
            baseUrls: servers.map(({ fxtwitter }, index) => baseUrls[index] ?? fxtwitter),
            source: name,
          },
    ),
    canaryPost: CANARY_POST,
    canaryProfile: 'canary_bird',
    userAgent: 'Postern/test',
    cacheMilliseconds: 0,
    ...clocksOf(time),
    log: (fields) => void log.push(fields),
    random: seededRandom(),
    limits: { retryJitterMilliseconds: 1, ...limits },
  });
  const app = createTestApp({ upstream, now: time });
  let next = 1_900_000_000_000_000_000n;
  let seen = servers.map(() => 0);
  return {
    servers,
    log,
    /** The calls in the lines of requests. */
    recordedCalls: () => app.log.flatMap(({ calls = [] }) => calls),
    /** Sets the behaviour of one server, for its canary as well unless that has its own. */
    behave: (index: number, behaviour: Behaviour, canary = behaviour): void =>
      servers[index]?.script({ fxtwitter: behaviour, canary }),
    wait: (milliseconds: number): void => {
      now += milliseconds;
    },
    /** Reads a post that no test has read before, as this caller. */
    readPost(caller = '192.0.2.1', id?: string): Promise<TestResponse> {
      next += 1n;
      const target = `/ada_larsson/status/${id ?? next}?format=json&thread=off&replies=off`;
      return app.get(target, { headers: { 'x-viewer-ip': caller } });
    },
    get: (target: string): Promise<TestResponse> => app.get(target),
    /** The calls of each server since the last question. */
    newCalls(): readonly number[] {
      const all = servers.map((server) => server.calls().length);
      const fresh = all.map((calls, index) => calls - (seen[index] ?? 0));
      seen = all;
      return fresh;
    },
  };
};
