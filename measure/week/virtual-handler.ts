// Builds a function of the service in virtual time: real code, with the clock, the stores and the network of a simulation.
import {
  createEngagementsHandler,
  createPostsHandler,
  createProfilesHandler,
  createSearchHandler,
} from '../../functions/bindings/reads.ts';
import { createLegacyHandler } from '../../functions/legacy/create-handler.ts';
import { createMcpHandler } from '../../functions/mcp/create-handler.ts';
import { createRegistry } from '../../functions/mcp/create-registry.ts';
import { createOembedHandler } from '../../functions/oembed/create-handler.ts';
import { createAccessControl } from '../../shared/auth/access-control.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import type { Allowances } from '../../shared/contract/allowances.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import type { ApiKeyReader, CounterStore } from '../../shared/ports/stores.ts';
import type { Log } from '../../shared/ports/system.ts';
import { createFairUse } from '../../shared/rate-limit/fair-use.ts';
import { createCursorCodec } from '../../shared/reads/paging/signed-cursors.ts';
import type { ClientLimits } from '../../shared/upstream/client-limits.ts';
import { createUpstream, type ProviderConfig } from '../../shared/upstream/create-upstream.ts';
import { clocksOf } from '../../test/support/clocks.ts';
import type { Random } from '../../test/support/random.ts';
import type { VirtualTime } from './virtual-time.ts';

export type ReadingLambda = Exclude<LambdaName, 'discovery' | 'admin'>;

export const isReadingLambda = (name: LambdaName): name is ReadingLambda => name !== 'discovery' && name !== 'admin';

/** The value that requests must have in X-Origin-Secret. */
export const SECRET = 'local';
export const BASE_URL = 'https://api.example.test';
/** The configured canaries. Every simulated provider has them. */
const CANARIES = { canaryPost: '20', canaryProfile: 'canary' };

export interface VirtualService {
  /** In order of preference. */
  readonly providers: readonly ProviderConfig[];
  readonly time: VirtualTime;
  readonly random: Random;
  readonly keys: ApiKeyReader;
  readonly counters: CounterStore;
  readonly allowances: Allowances;
  readonly log: Log;
  /** The bounds of provider calls. @default those of a deployment */
  readonly limits?: Partial<ClientLimits>;
}

/** @param service its time may be that of the machine @returns an instance of the function, without state */
export const createVirtualHandler = (
  lambda: ReadingLambda,
  service: Omit<VirtualService, 'time'> & { readonly time: Pick<VirtualTime, 'now'> },
): LambdaHandler => {
  const { providers, time, random, keys, counters, allowances, log, limits } = service;
  const shared = { ...clocksOf(time.now), log, random };
  const ports = {
    ...shared,
    settings: { originSecrets: [SECRET], baseUrl: BASE_URL, cacheTtlSeconds: 300 },
    upstream: createUpstream({
      ...shared,
      ...CANARIES,
      providers,
      userAgent: 'Postern',
      cacheMilliseconds: 60_000,
      ...(limits && { limits }),
    }),
    fairUse: createFairUse(shared.clock, clientNetwork),
    cursors: createCursorCodec(['a secret of the simulation']),
    accessControl: createAccessControl({
      ...shared,
      keys,
      counters,
      allowances,
      networkSecret: 'a secret of the simulation',
    }),
    readPicture: async () => undefined,
  };
  const create = {
    posts: createPostsHandler,
    oembed: createOembedHandler,
    profiles: createProfilesHandler,
    search: createSearchHandler,
    engagements: createEngagementsHandler,
    legacy: createLegacyHandler,
    mcp: (of: typeof ports) => createMcpHandler(createRegistry(of), of, { research: createRegistry(of) }),
  } satisfies Record<ReadingLambda, (of: typeof ports) => LambdaHandler>;
  return create[lambda](ports);
};
