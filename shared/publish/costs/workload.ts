// Derives from the requests of a month what each service of AWS and the first provider have to do.
import {
  coldStart,
  defaults,
  LOG_COMPRESSION,
  logBytes,
  type Mix,
  type MixName,
  mixes,
  type ReadKind,
  type ReadKindName,
  readKinds,
  SECONDS_PER_MONTH,
} from './assumptions.ts';

export interface Workload {
  /** Requests per month that CloudFront receives. */
  readonly requests: number;
  /** The share that CloudFront answers by itself, of the requests that it may cache: 0 to 1. */
  readonly hitRatio: number;
  readonly mix: MixName;
  readonly keyedShare: number;
  readonly peakFactor: number;
  readonly addresses: number;
  readonly concurrency: number;
  readonly metrics: 'none' | 'service';
  readonly logRetentionDays: number;
  /** ALLOWANCE_SEARCH_POOL is set: every anonymous search also writes the item of the pool. */
  readonly hasPool: boolean;
}

export const createWorkload = (given: Partial<Workload> & Pick<Workload, 'requests' | 'hitRatio'>): Workload => ({
  ...defaults,
  metrics: 'service',
  hasPool: false,
  ...given,
});

/** All quantities are per month, except the rates. */
export interface Volume {
  readonly requests: number;
  /** Requests that an origin receives. */
  readonly misses: number;
  readonly apiRequests: number;
  readonly gigabytesOut: number;
  readonly gigabyteSeconds: number;
  /** Seconds of execution. */
  readonly seconds: number;
  /** The same while a call of the provider takes 3 s. */
  readonly slowSeconds: number;
  readonly writes: number;
  readonly poolWrites: number;
  readonly reads: number;
  readonly providerCalls: number;
  readonly logGigabytes: number;
  readonly storedLogGigabytes: number;
}

/** Answers to requests with an API key are private, so CloudFront does not keep them. */
const missShare = (kind: ReadKind, { hitRatio, keyedShare }: Workload): number => {
  if (!kind.isCacheable) return 1;
  const cacheable = kind.hasKeys ? 1 - keyedShare : 1;
  return 1 - cacheable * hitRatio;
};

const GIGABYTE = 1e9;

const kindNames = (mix: Mix): readonly ReadKindName[] => {
  const isKind = (name: string): name is ReadKindName => Object.hasOwn(readKinds, name);
  return Object.keys(mix).filter(isKind);
};

interface KindVolume {
  readonly kind: ReadKind;
  readonly requests: number;
  readonly misses: number;
}

const sum = (rows: readonly KindVolume[], of: (row: KindVolume) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

export const volumeOf = (workload: Workload): Volume => {
  const mix: Mix = mixes[workload.mix];
  const rows = kindNames(mix).map((name): KindVolume => {
    const kind: ReadKind = readKinds[name];
    const requests = workload.requests * mix[name];
    return { kind, requests, misses: requests * missShare(kind, workload) };
  });
  const misses = sum(rows, (row) => row.misses);
  const providerCalls = sum(rows, (row) => row.misses * row.kind.providerCalls);
  const secondsOf = (milliseconds: number): number => (milliseconds + coldStart.share * coldStart.milliseconds) / 1000;
  const keyed = sum(rows, ({ kind, requests }) => (kind.hasKeys ? requests * workload.keyedShare : 0));
  const charges = sum(rows, (row) => row.misses * row.kind.writes);
  const searches = workload.requests * mix.search * (1 - workload.keyedShare);
  const poolWrites = workload.hasPool ? searches * (1 - workload.hitRatio) : 0;
  const logGigabytes =
    (misses * (logBytes.platform + logBytes.request[workload.metrics]) +
      providerCalls * logBytes.providerCall[workload.metrics]) /
    GIGABYTE;
  return {
    requests: workload.requests,
    misses,
    apiRequests: sum(rows, (row) => (row.kind.origin === 'api' ? row.misses : 0)),
    gigabytesOut: sum(rows, (row) => (row.requests * row.kind.kilobytes * 1000) / GIGABYTE),
    gigabyteSeconds: sum(rows, (row) => row.misses * secondsOf(row.kind.milliseconds) * (row.kind.memoryMiB / 1024)),
    seconds: sum(rows, (row) => row.misses * secondsOf(row.kind.milliseconds)),
    slowSeconds: sum(rows, (row) => row.misses * secondsOf(row.kind.slowMilliseconds)),
    writes: charges + poolWrites,
    poolWrites,
    reads: keyed,
    providerCalls,
    logGigabytes,
    storedLogGigabytes: (logGigabytes * LOG_COMPRESSION * workload.logRetentionDays * 86_400) / SECONDS_PER_MONTH,
  };
};

/** @returns the rate per second in the busiest minute */
export const peakRate = (perMonth: number, { peakFactor }: Workload): number =>
  (perMonth / SECONDS_PER_MONTH) * peakFactor;
