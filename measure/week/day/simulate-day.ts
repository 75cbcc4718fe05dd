// Simulates a day of the service at a billion requests per month, in virtual time.
//
// Real: the functions, and the emulated cache of CloudFront with the Cache-Control fields of the service.
// Simulated: callers, the instances of Lambda, the tables and the servers of the provider.
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { allowanceSettings, buildAllowances } from '../../../shared/contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../../../shared/contract/caching.ts';
import { keysOf, tableOf } from '../../../shared/model/json.ts';
import type { ApiKeyRecord } from '../../../shared/ports/stores.ts';
import { createMemoryCounterStore } from '../../../shared/stores/memory-counter-store.ts';
import { keyRecord } from '../../../test/support/access-control.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { requireAllowance } from '../../load/callers.ts';
import type { VirtualService } from '../virtual-handler.ts';
import { installVirtualTime } from '../virtual-time.ts';
import { connectNetwork } from '../virtual-undici.ts';
import {
  type CallerKind,
  callerKinds,
  DAY_MILLISECONDS,
  DAY_START,
  isIn,
  LOCATIONS,
  outage,
  SEARCH_POOL,
  SUBJECTS,
  ZIPF_EXPONENT,
} from './day-assumptions.ts';
import { createEdge, type EdgeUse } from './edge.ts';
import { createFleet, type FleetFigures } from './fleet.ts';
import { createRefusalCheck } from './refusal-check.ts';
import { createServers, type ProviderFigures } from './servers.ts';
import { createKeys, populationOf, type RequestKind, type SimulatedRequest, scheduleTraffic } from './traffic.ts';

export interface DayOptions {
  /** One of this number of callers, subjects, instances and servers is simulated. */
  readonly sample: number;
  readonly seed: number;
  readonly addresses: number;
  /** The calls that the servers of the provider admit, before sampling. */
  readonly callsPerMinuteAndBaseUrl: number;
  /** The part of the day that is simulated, from its start. @default a day */
  readonly milliseconds?: number;
  readonly report: (line: string) => void;
}

interface ServedCount {
  requests: number;
  served: number;
}

export interface DayFigures {
  readonly sample: number;
  readonly requests: number;
  /** Requests by kind and by how CloudFront answered; keyed requests and tools are `miss`. */
  readonly uses: ReadonlyMap<string, number>;
  readonly results: ReadonlyMap<string, number>;
  /** Requests and served requests by kind of caller, outside of the outage and during it. */
  readonly outside: Readonly<Record<CallerKind, ServedCount>>;
  readonly during: Readonly<Record<CallerKind, ServedCount>>;
  /** Origin requests of kinds that CloudFront may keep, without an API key, and all requests of these. */
  readonly cacheable: { requests: number; origin: number };
  readonly byKind: Readonly<Record<RequestKind, { requests: number; origin: number }>>;
  /** Refused requests of callers who had spent less than their allowance in the window. */
  readonly wronglyRefused: number;
  readonly writes: number;
  readonly reads: number;
  readonly provider: ProviderFigures;
  readonly fleet: FleetFigures;
  /** Sum over documents, whose function is not simulated. */
  readonly documentCalls: number;
}

/** Larger than the number of counters of a day, so that none is evicted. */
const MAX_COUNTERS = 2_000_000;

const noCounts = (): Readonly<Record<CallerKind, ServedCount>> =>
  tableOf(keysOf(callerKinds), () => ({ requests: 0, served: 0 }));

export const simulateDay = async (options: DayOptions): Promise<DayFigures> => {
  const { sample, seed, addresses, callsPerMinuteAndBaseUrl, milliseconds = DAY_MILLISECONDS, report } = options;
  const random = seededRandom(seed);
  const time = installVirtualTime(DAY_START);
  const keys = createKeys(sample);
  const records = new Map<string, ApiKeyRecord>(
    keys.map((key, index) => [sha256Hex(key), keyRecord({ id: `key${index}` })]),
  );
  const { searchAnonymous, searchKeyed, browse } = allowanceSettings;
  const allowances = buildAllowances({
    searchAnonymous: requireAllowance(searchAnonymous.preset),
    searchKeyed: requireAllowance(searchKeyed.preset),
    browse: requireAllowance(browse.preset),
    searchPool: { count: Math.max(1, Math.round(SEARCH_POOL.count / sample)), seconds: SEARCH_POOL.seconds },
  });
  const refusals = createRefusalCheck(time.now);
  const counters = createMemoryCounterStore(time.now, MAX_COUNTERS);
  const usage = { writes: 0, reads: 0 };
  const baseUrls = Array.from({ length: addresses }, (_, index) => `https://fx${index}.example`);
  const callsPerMinute = Math.max(1, Math.round(callsPerMinuteAndBaseUrl / sample));
  const servers = createServers({ time, random, baseUrls, callsPerMinute });
  connectNetwork(servers.network);
  const service: VirtualService = {
    time,
    random,
    providers: [{ name: 'fxtwitter', baseUrls, source: 'fxtwitter' }],
    allowances,
    log: () => undefined,
    counters: {
      async charge(counter, units) {
        usage.writes += 1;
        const result = await counters.charge(counter, units);
        if (result.admitted) refusals.recordAdmission(counter.partition);
        return result;
      },
      refund(counter, units) {
        usage.writes += 1;
        return counters.refund(counter, units);
      },
      touch: (counter) => counters.touch(counter),
    },
    keys: {
      async read(hash) {
        usage.reads += 1;
        return records.get(hash);
      },
    },
  };
  const fleet = createFleet(service);
  const edge = createEdge(time.now, LOCATIONS, DEFAULT_CACHE_TTL_SECONDS);

  const uses = new Map<string, number>();
  const results = new Map<string, number>();
  const outside = noCounts();
  const during = noCounts();
  const cacheable = { requests: 0, origin: 0 };
  const byKind = tableOf(keysOf(SUBJECTS), () => ({ requests: 0, origin: 0 }));
  let requests = 0;
  let wronglyRefused = 0;
  let documentCalls = 0;

  const add = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);

  const checkRefusal = ({ kind, caller, callerNumber }: SimulatedRequest, result: string): void => {
    if (result !== 'rate_limited' || !callerKinds[caller].isKeyed || kind === 'document' || kind === 'post') return;
    const number = caller === 'greedyKeyed' ? callerNumber + populationOf('keyed', sample) : callerNumber;
    const name = kind === 'search' ? 'search' : 'browse';
    const limit = (kind === 'search' ? allowances.search.keyed : allowances.browse.keyed).count;
    if (refusals.isWrong(`${name}#k:key${number}`, limit)) wronglyRefused += 1;
  };

  const origin = async (request: SimulatedRequest): Promise<string> => {
    const { kind, subject, visitor } = request;
    byKind[kind].origin += 1;
    if (kind === 'document') {
      documentCalls += 1;
      return 'ok';
    }
    const result = await fleet.read(kind, subject, visitor);
    checkRefusal(request, result);
    return result;
  };

  const record = ({ kind, caller }: SimulatedRequest, startedAt: number, use: EdgeUse, result: string): void => {
    add(uses, `${kind} ${use}`);
    const isDuring = isIn(outage, startedAt);
    const count = (isDuring ? during : outside)[caller];
    count.requests += 1;
    if (result === 'ok') count.served += 1;
    else add(results, `${result}, ${caller}${isDuring ? ', outage' : ''}`);
  };

  scheduleTraffic({
    time,
    random,
    sample,
    zipfExponent: ZIPF_EXPONENT,
    locations: LOCATIONS,
    keys,
    request(request) {
      const startedAt = time.now();
      requests += 1;
      const { kind, subject, location, visitor } = request;
      byKind[kind].requests += 1;
      if (kind === 'tool' || visitor.authorization !== undefined) {
        void origin(request).then((result) => record(request, startedAt, 'miss', result));
        return;
      }
      cacheable.requests += 1;
      const fetch = (): Promise<string> => {
        cacheable.origin += 1;
        return origin(request);
      };
      void edge({ kind, subject, location }, fetch).then(({ use, result }) => record(request, startedAt, use, result));
    },
  });

  const HOUR = 3_600_000;
  for (let end = HOUR; end < milliseconds + HOUR; end += HOUR) {
    await time.runUntil(DAY_START + Math.min(end, milliseconds));
    report(
      `${Math.min(end, milliseconds) / HOUR} h: ${requests} requests, ${fleet.figures.calls} calls of functions, ${servers.figures.calls} provider calls, ${servers.figures.throttled} throttled, ${fleet.figures.mostInstances} instances`,
    );
  }
  // The requests that still run end; no new ones start.
  await time.runUntil(DAY_START + milliseconds + 20_000);
  time.uninstall();
  return {
    sample,
    requests,
    uses,
    results,
    outside,
    during,
    cacheable,
    byKind,
    wronglyRefused,
    ...usage,
    provider: servers.figures,
    fleet: fleet.figures,
    documentCalls,
  };
};
