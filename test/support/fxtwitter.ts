// Creates the upstream with only FxTwitter, which is a fault server.
import type { Upstream } from '../../shared/ports/upstream.ts';
import { createUpstream, type UpstreamOptions } from '../../shared/upstream/create-upstream.ts';
import { clocksOf } from './clocks.ts';
import { CANARY_POST, CANARY_PROFILE, type FaultServer } from './fault-server.ts';
import { NOW } from './test-app.ts';

/** @param options override the options of tests with one provider */
export const fxTwitterAt = (server: Pick<FaultServer, 'fxtwitter'>, options: Partial<UpstreamOptions> = {}): Upstream =>
  createUpstream({
    providers: [{ name: 'fxtwitter', baseUrls: [server.fxtwitter], source: 'fxtwitter' }],
    canaryPost: CANARY_POST,
    canaryProfile: CANARY_PROFILE,
    userAgent: 'Postern/test',
    cacheMilliseconds: 60_000,
    ...clocksOf(() => NOW),
    log: () => undefined,
    random: () => 0,
    ...options,
  });
