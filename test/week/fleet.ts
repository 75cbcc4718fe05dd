// Runs every function in several instances behind the emulated CloudFront and its shared cache, in virtual time.
import { Socket } from 'node:net';
import { createEngagementsHandler } from '../../functions/engagements/create-handler.ts';
import { createLegacyHandler } from '../../functions/legacy/create-handler.ts';
import { createMcpHandler } from '../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../functions/mcp/create-registry.ts';
import { createOembedHandler } from '../../functions/oembed/create-handler.ts';
import { createPostsHandler } from '../../functions/posts/create-handler.ts';
import { createProfilesHandler } from '../../functions/profiles/create-handler.ts';
import { createSearchHandler } from '../../functions/search/create-handler.ts';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';
import { answerHead } from '../../infra/local/cloudfront.ts';
import type { EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import type { FunctionHost } from '../../infra/local/function-host.ts';
import type { OriginResponse } from '../../infra/local/http-event.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import { createAccessControl } from '../../shared/auth/access-control.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import { createFairUse } from '../../shared/rate-limit/fair-use.ts';
import { createUpstream, type ProviderConfig } from '../../shared/upstream/create-upstream.ts';
import { createCursorCodec } from '../../shared/use-cases/signed-cursors.ts';
import type { Query } from '../faults/client.ts';
import { context } from '../support/event.ts';
import type { Random } from '../support/random.ts';
import { CANARY_POST, CANARY_PROFILE, FX, SYND } from './virtual-providers.ts';
import type { VirtualStores } from './virtual-stores.ts';
import type { VirtualTime } from './virtual-time.ts';

/** No more requests run at the same time. */
const MAX_INSTANCES = 60;

/** Window lengths are a minute, as by default. */
export const LIMITS = { searchAnonymous: 10, searchKeyed: 20, browse: 20 };
const per = (count: number) => ({ count, seconds: 60 });
const ALLOWANCES = buildAllowances({
  searchAnonymous: per(LIMITS.searchAnonymous),
  searchKeyed: per(LIMITS.searchKeyed),
  browse: per(LIMITS.browse),
});

const SECRET = 'local';
const BASE_URL = 'https://api.example.test';

/** In order of preference. */
export const PROVIDERS: readonly ProviderConfig[] = [
  { name: 'fxtwitter', baseUrl: FX, source: 'fxtwitter' },
  { name: 'syndication', baseUrl: SYND, source: 'syndication' },
];

export interface FleetOptions {
  readonly providers: readonly ProviderConfig[];
  readonly time: VirtualTime;
  readonly random: Random;
  readonly stores: VirtualStores;
  readonly edge: EdgeFunction;
  /** @param instance the name of the function and the number of its instance */
  readonly log: (instance: string, fields: LogFields) => void;
}

export interface Fleet {
  send(query: Query, address: string): Promise<OriginResponse>;
  /** Ends an idle instance of each function. */
  recycle(): void;
}

type ReadingLambda = Exclude<LambdaName, 'discovery' | 'admin'>;

/** As on Lambda, an instance has at most one request at a time. */
interface Instance {
  readonly handle: LambdaHandler;
  isBusy: boolean;
}

export const createFleet = ({ providers, time, random, stores, edge, log }: FleetOptions): Fleet => {
  let created = 0;
  const instances = new Map<LambdaName, Instance[]>();

  const createPorts = (lambda: LambdaName) => {
    created += 1;
    const name = `${lambda} ${created}`;
    const write = (fields: LogFields): void => log(name, fields);
    const shared = { clock: time.now, log: write, random };
    return {
      ...shared,
      settings: { originSecrets: [SECRET], baseUrl: BASE_URL, cacheTtlSeconds: 300 },
      upstream: createUpstream({
        ...shared,
        providers,
        canaryPost: CANARY_POST,
        canaryProfile: CANARY_PROFILE,
        userAgent: 'Postern',
        cacheMilliseconds: 60_000,
      }),
      fairUse: createFairUse(time.now, clientNetwork),
      cursors: createCursorCodec(['a secret of the simulation']),
      accessControl: createAccessControl({
        ...shared,
        keys: stores.keys,
        counters: stores.counters,
        allowances: ALLOWANCES,
        networkSecret: 'a secret of the simulation',
      }),
    };
  };

  const createHandler = (lambda: ReadingLambda): LambdaHandler => {
    const ports = createPorts(lambda);
    switch (lambda) {
      case 'posts':
        return createPostsHandler(ports);
      case 'oembed':
        return createOembedHandler(ports);
      case 'profiles':
        return createProfilesHandler(ports);
      case 'search':
        return createSearchHandler(ports);
      case 'engagements':
        return createEngagementsHandler(ports);
      case 'legacy':
        return createLegacyHandler(ports);
      case 'mcp':
        return createMcpHandler(createRegistry(ports), ports, { research: createRegistry(ports) });
      default:
        return lambda satisfies never;
    }
  };

  const idleInstance = (lambda: ReadingLambda): Instance => {
    const all = instances.get(lambda) ?? [];
    instances.set(lambda, all);
    const idle = all.filter(({ isBusy }) => !isBusy);
    const existing = idle[Math.floor(random() * idle.length)];
    if (existing !== undefined) return existing;
    if (all.length === MAX_INSTANCES) throw new Error('too many requests at once');
    const instance = { handle: createHandler(lambda), isBusy: false };
    all.push(instance);
    return instance;
  };

  const functions: FunctionHost = async (lambda, event) => {
    if (lambda === 'discovery' || lambda === 'admin') throw new Error(`${lambda} is not simulated`);
    const instance = idleInstance(lambda);
    instance.isBusy = true;
    try {
      return await instance.handle(event, context());
    } finally {
      instance.isBusy = false;
    }
  };
  const reportFailure = (message: string): never => {
    throw new Error(message);
  };
  const mcp = createFunctionUrl(functions, reportFailure);
  const answer = answerHead({
    baseUrl: BASE_URL,
    edge,
    api: createApiGateway(functions, reportFailure),
    mcp,
    cache: createSharedCache(time.now),
    originSecret: SECRET,
  });

  return {
    send({ target, headers = {}, body }, address) {
      if (body === undefined) {
        const rawHeaders = Object.entries({ host: 'api.example.test', ...headers }).flat();
        const socket: Socket = Object.create(Socket.prototype, { remoteAddress: { value: address } });
        return answer({ method: 'GET', target, rawHeaders }, socket);
      }
      const fields = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      return mcp({
        method: 'POST',
        path: target,
        query: '',
        headers: { ...fields, ...headers, 'x-origin-secret': SECRET, 'x-viewer-ip': address },
        body: Buffer.from(body),
        sourceIp: address,
      });
    },
    recycle() {
      for (const all of instances.values()) {
        const index = all.findIndex(({ isBusy }) => !isBusy);
        if (index !== -1) all.splice(index, 1);
      }
    },
  };
};
