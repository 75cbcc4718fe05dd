// Lists what the tables of costs assume about requests. AWS bills what happens, so an operator compares these figures
// with the dashboard.
import { lambdas } from '../../contract/lambdas.ts';

/** A month of AWS price lists has 730 hours. */
export const SECONDS_PER_MONTH = 730 * 3600;

export interface ReadKind {
  readonly what: string;
  /** CloudFront may keep the answer, unless the request has an API key. */
  readonly isCacheable: boolean;
  /** Accepts API keys, whose answers are private. */
  readonly hasKeys: boolean;
  readonly origin: 'api' | 'functionUrl';
  readonly memoryMiB: number;
  /** The billed time of a warm call. Most of it is waiting for the provider. */
  readonly milliseconds: number;
  /** The same while a call of the provider takes 3 s. */
  readonly slowMilliseconds: number;
  readonly providerCalls: number;
  /** Charges of an allowance, each a write of one item. */
  readonly writes: number;
  /** As sent by CloudFront, compressed. */
  readonly kilobytes: number;
}

/** Durations and sizes are assumptions; calls and writes are the most that the use cases need. */
export const readKinds = {
  post: {
    what: 'a post with its conversation',
    isCacheable: true,
    hasKeys: false,
    origin: 'api',
    memoryMiB: lambdas.posts.memoryMiB,
    milliseconds: 300,
    slowMilliseconds: 3400,
    providerCalls: 2,
    writes: 0,
    kilobytes: 4,
  },
  list: {
    what: 'a profile or a list',
    isCacheable: true,
    hasKeys: true,
    origin: 'api',
    memoryMiB: lambdas.profiles.memoryMiB,
    milliseconds: 300,
    slowMilliseconds: 3400,
    providerCalls: 1.5,
    writes: 1,
    kilobytes: 10,
  },
  search: {
    what: 'a search',
    isCacheable: true,
    hasKeys: true,
    origin: 'api',
    memoryMiB: lambdas.search.memoryMiB,
    milliseconds: 400,
    slowMilliseconds: 8000,
    providerCalls: 1,
    writes: 1,
    kilobytes: 10,
  },
  tool: {
    what: 'a call of an MCP tool',
    isCacheable: false,
    hasKeys: true,
    origin: 'functionUrl',
    memoryMiB: lambdas.mcp.memoryMiB,
    milliseconds: 350,
    slowMilliseconds: 3400,
    providerCalls: 1.5,
    writes: 1,
    kilobytes: 8,
  },
  document: {
    what: 'a page of the documentation or another document',
    isCacheable: true,
    hasKeys: false,
    origin: 'api',
    memoryMiB: lambdas.discovery.memoryMiB,
    milliseconds: 5,
    slowMilliseconds: 5,
    providerCalls: 0,
    writes: 0,
    kilobytes: 12,
  },
} as const satisfies Readonly<Record<string, ReadKind>>;

export type ReadKindName = keyof typeof readKinds;

/** The share of each kind; the shares of a mix sum to 1. */
export type Mix = Readonly<Record<ReadKindName, number>>;

export const mixes = {
  reading: { post: 0.7, list: 0.2, search: 0.05, tool: 0.03, document: 0.02 },
  searching: { post: 0.3, list: 0.2, search: 0.45, tool: 0.03, document: 0.02 },
  agents: { post: 0.3, list: 0.1, search: 0.08, tool: 0.5, document: 0.02 },
} as const satisfies Readonly<Record<string, Mix>>;

export type MixName = keyof typeof mixes;

export const defaults = {
  mix: 'reading',
  /** The share of requests with an API key, of those that can have one. */
  keyedShare: 0.1,
  /** The busiest minute of the month has this many times the average rate. */
  peakFactor: 5,
  /** Base URLs of the first provider, each with its own allowance of requests. */
  addresses: 1,
  /** Concurrent executions of the account in the region. */
  concurrency: 1000,
  logRetentionDays: 30,
} as const satisfies { readonly mix: MixName } & Readonly<Record<string, number | string>>;

/** Calls that start an instance, and the billed time of a start. */
export const coldStart = { share: 0.01, milliseconds: 600 } as const;

/** Bytes of log lines. The platform writes the start and the report of each call. */
export const logBytes = {
  platform: 500,
  request: { none: 600, service: 1200 },
  providerCall: { none: 350, service: 800 },
} as const;

/** Stored logs relative to ingested logs. */
export const LOG_COMPRESSION = 0.15;

/** Compressed bytes of one line of the access log of CloudFront. */
export const ACCESS_LOG_BYTES = 80;
