// Runs every function in several instances behind the emulated CloudFront and its shared cache, in virtual time.
import { Socket } from 'node:net';
import type { OriginResponse } from '../../infra/local/api-gateway.ts';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';
import { answerHead } from '../../infra/local/cloudfront.ts';
import type { EdgeFunction } from '../../infra/local/edge-sandbox.ts';
import type { FunctionHost } from '../../infra/local/function-host.ts';
import { createSharedCache } from '../../infra/local/shared-cache.ts';
import { buildAllowances } from '../../shared/contract/allowances.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { LogFields } from '../../shared/ports/system.ts';
import type { ProviderConfig } from '../../shared/upstream/create-upstream.ts';
import { clocksOf } from '../../test/support/clocks.ts';
import { context } from '../../test/support/event.ts';
import type { Random } from '../../test/support/random.ts';
import type { Query } from '../../test/support/send.ts';
import { BASE_URL, createVirtualHandler, isReadingLambda, type ReadingLambda, SECRET } from './virtual-handler.ts';
import { FX, SYND } from './virtual-providers.ts';
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

/** In order of preference. */
export const PROVIDERS: readonly ProviderConfig[] = [
  { name: 'fxtwitter', baseUrls: [FX], source: 'fxtwitter' },
  { name: 'syndication', baseUrls: [SYND], source: 'syndication' },
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

/** As on Lambda, an instance has at most one request at a time. */
interface Instance {
  readonly handle: LambdaHandler;
  isBusy: boolean;
}

export const createFleet = ({ providers, time, random, stores, edge, log }: FleetOptions) => {
  let created = 0;
  const instances = new Map<LambdaName, Instance[]>();

  const createHandler = (lambda: ReadingLambda): LambdaHandler => {
    created += 1;
    const name = `${lambda} ${created}`;
    return createVirtualHandler(lambda, {
      ...stores,
      providers,
      time,
      random,
      allowances: ALLOWANCES,
      log: (fields) => log(name, fields),
    });
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
    if (!isReadingLambda(lambda)) throw new Error(`${lambda} is not simulated`);
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
    cache: createSharedCache(clocksOf(time.now).clock),
    originSecret: SECRET,
  });

  return {
    send({ target, headers = {}, body }: Query, address: string): Promise<OriginResponse> {
      if (body === undefined) {
        const rawHeaders = Object.entries({ host: 'api.example.test', ...headers }).flat();
        const socket: Socket = Object.create(Socket.prototype, { remoteAddress: { value: address } });
        return answer({ method: 'GET', target, rawHeaders }, socket);
      }
      return mcp({
        method: 'POST',
        path: target,
        query: '',
        headers: { ...headers, 'x-origin-secret': SECRET, 'x-viewer-ip': address },
        body: Buffer.from(body),
        sourceIp: address,
      });
    },
    /** Ends an idle instance of each function. */
    recycle(): void {
      for (const all of instances.values()) {
        const index = all.findIndex(({ isBusy }) => !isBusy);
        if (index !== -1) all.splice(index, 1);
      }
    },
  };
};
