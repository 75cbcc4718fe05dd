// Declares the alarms: the condition, the window and the text of each. The name of an alarm is also the anchor of its
// paragraph in the runbook.
//
// One caller must not raise an alarm by requests that fail, so a share counts only what exceeds the requests of one
// caller (ONE_CALLER_PER_MINUTE). At low traffic this leaves no request, so some alarms also count a surface of which no
// request succeeds, and requests that reach no function, which one caller cannot cause.
//
// The canary sends wrong requests, whose answers are right in every outage of a provider. Two of three periods are without
// them, because it runs seldom; otherwise the conditions leave them out.
import { canaryAlarm, mediaAlarms } from './other-functions.ts';

/** Requests per minute of one caller that no share counts. */
export const ONE_CALLER_PER_MINUTE = 60;

/** The fewest failures in a window in which nothing succeeds. */
export const TOTAL_FAILURE_FLOOR = 10;

/** A request that takes longer is slow; a use case has 8 seconds. */
export const SLOW_MILLISECONDS = 5000;

/**
 * `page`: mailed, cannot wait. `ticket`: mailed, can wait. `part`: only a part of the composite alarm. `half`: the halves
 * together are such a part.
 */
export type AlarmUrgency = 'page' | 'part' | 'half' | 'ticket';

export interface AlarmRow {
  readonly urgency: AlarmUrgency;
  /** One alarm for the service, or one for each function or each base URL of a provider. */
  readonly per: 'service' | 'function' | 'baseUrl';
  /** The alarm reads metrics that the functions write, so with `metrics: none` it does not exist. */
  readonly isOfFunctions?: true;
  /** In percent or in events. The alarm is raised at this value or above. */
  readonly threshold: number;
  /** The value, in words. */
  readonly condition: string;
  /** The length of a period. */
  readonly minutes: number;
  /** The number of periods at the threshold that raises the alarm, among the latest `of` periods. */
  readonly breaching: number;
  readonly of: number;
  readonly meaning: string;
}

const part = { urgency: 'part', per: 'service' } as const;
const half = { urgency: 'half', per: 'service' } as const;
const ticket = <Per extends AlarmRow['per']>(per: Per) => ({ urgency: 'ticket', per }) as const;
const quick = { minutes: 1, breaching: 3, of: 5 } as const;
const steady = { minutes: 5, breaching: 2, of: 3 } as const;
const once = (minutes: number) => ({ minutes, breaching: 1, of: 1 }) as const;

export const alarms = {
  'edge-failing': {
    ...part,
    threshold: 5,
    condition:
      '5 % of the requests to CloudFront fail, beyond one caller; or at least 10, while none reaches the HTTP API or the function URL',
    ...quick,
    meaning:
      'CloudFront answers 5xx, 501 excepted. The answers are its own or those of API Gateway or a function. A service in another region has the alarm in the stack NAME-watch in us-east-1, where CloudFront writes its metrics; it counts 501, too.',
  },
  'api-failing': {
    ...part,
    threshold: 5,
    condition: '5 % of the requests to the HTTP API and the function URL fail, beyond one caller; or all, at least 10',
    ...quick,
    meaning:
      'API Gateway or the function URL answers 5xx, 501 excepted. The answers are its own or those of a function.',
  },
  // One expression has at most 10 metrics, and it reads one of each function.
  'functions-unreached': {
    ...half,
    threshold: 5,
    condition: '5 % of the requests to the HTTP API, at least 10, reach no function',
    ...steady,
    meaning:
      'API Gateway answers by itself, without a line in any log: it may not invoke a function, it has lost its routes, or Lambda rejects the requests.',
  },
  'gateway-failing': {
    ...half,
    threshold: 1,
    condition: 'the HTTP API answers at least 10 requests with 5xx; or at least 10 requests, and each with 4xx or 5xx',
    ...steady,
    meaning:
      'Requests to the HTTP API fail. Without this alarm, a caller whose requests are too large or malformed could raise `functions-unreached`.',
  },
  'mcp-unreached': {
    ...part,
    threshold: 1,
    condition: 'at least 10 requests reach the function URL, and none the function `mcp`',
    ...steady,
    meaning: 'The function URL of `/mcp` answers by itself, without a line in any log: it may not invoke the function.',
  },
  'origin-refused': {
    ...part,
    isOfFunctions: true,
    threshold: 50,
    condition:
      '50 % of the requests lack the origin secret, beyond one caller; or all, at least 10; and CloudFront answers 4xx as often',
    ...steady,
    meaning: 'CloudFront and the functions have different origin secrets: every request that is not cached gets 403.',
  },
  'tools-failing': {
    ...part,
    isOfFunctions: true,
    threshold: 5,
    condition: '5 % of the calls of MCP tools fail, beyond one caller',
    ...steady,
    meaning: 'Tools of the MCP server fail as a 5xx of REST, but HTTP answers 200.',
  },
  'function-failing': {
    ...ticket('function'),
    isOfFunctions: true,
    threshold: 5,
    condition: '5 % of the requests fail, beyond one caller; or all, at least 10',
    ...steady,
    meaning: 'The function answers 5xx, 501 excepted.',
  },
  'function-crashing': {
    ...ticket('function'),
    threshold: 5,
    condition: '5 % of the invocations crash, beyond one caller; or all, at least 10',
    ...steady,
    meaning: 'The function crashes, times out or does not start.',
  },
  throttled: {
    ...ticket('function'),
    threshold: 5,
    condition: '5 % of the invocations are rejected, beyond one caller; or all, at least 10',
    ...steady,
    meaning: 'Lambda rejects requests: the account has reached its limit of concurrent executions.',
  },
  slow: {
    ...ticket('function'),
    threshold: 1,
    condition: 'the slowest 1 % of the requests take more than 5 seconds (p99), beyond one caller; or all, at least 10',
    ...steady,
    meaning: 'The function answers slowly. Usually a provider is slow.',
  },
  'all-rejected': {
    ...ticket('service'),
    threshold: 1,
    condition:
      'the HTTP API answers every request with 4xx, and at least 10 requests reach functions that read from X, at least two of them',
    ...steady,
    meaning:
      'No request to the HTTP API succeeds. The functions reject all requests, or the few callers of a small service all make mistakes.',
  },
  'provider-failing': {
    ...ticket('baseUrl'),
    isOfFunctions: true,
    threshold: 25,
    condition: '25 % of the calls of the provider fail, beyond one caller',
    ...steady,
    meaning: 'The provider does not answer, or answers with errors.',
  },
  'circuit-open': {
    ...ticket('baseUrl'),
    isOfFunctions: true,
    threshold: 1,
    condition: 'a circuit breaker opens',
    ...steady,
    meaning:
      'Functions stop calling the provider for seconds at a time, because it failed for several subjects and for the canary.',
  },
  'store-trouble': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 5,
    condition: '5 calls of DynamoDB fail, or one is rejected as invalid',
    ...once(5),
    meaning:
      'DynamoDB does not answer or rejects requests: API keys are not verified, and each instance counts allowances in memory.',
  },
  'keys-unverified': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 10,
    condition: '10 % of at least 10 requests with an API key are not verified',
    ...steady,
    meaning: 'Requests with an API key have the anonymous allowance, because the key table does not answer.',
  },
  degraded: {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 25,
    condition: '25 % of the answers are degraded, beyond one caller',
    ...steady,
    meaning: 'Answers come from a later provider, or lack a part.',
  },
  'wrong-tokens': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 100,
    condition: '100 wrong operator tokens',
    ...once(60),
    meaning: 'Sign-ins to the dashboard repeatedly use wrong tokens.',
  },
  'repeated-invalid-keys': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 1,
    condition: 'one client network sends ten invalid API keys',
    ...once(15),
    meaning: 'One client network repeatedly sends invalid API keys. Its requests get 401.',
  },
  'edge-error': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 1,
    condition: 'the edge function cannot normalize a request',
    ...once(15),
    meaning:
      'The edge function throws. Callers get right answers, but requests that differ only in spelling miss the cache.',
  },
  'paid-ceiling': {
    ...ticket('service'),
    isOfFunctions: true,
    threshold: 1,
    condition: 'the daily number of paid rows is reached',
    ...once(15),
    meaning: 'The official X API is not called until the next day (UTC). Other providers answer.',
  },
} as const satisfies Readonly<Record<string, AlarmRow>>;

export type AlarmName = keyof typeof alarms;

export const alarmEntries = Object.entries<AlarmRow>(alarms);

/** The composite alarm. */
export const hurtAlarm = {
  name: 'users-are-hurt',
  condition:
    'a part is raised, or both halves of one; or two functions fail or crash; or one function fails while a circuit breaker opens. The function `admin` does not count',
  meaning: 'Users of the service get errors. The reason of the alarm names its parts.',
} as const;

/** Anchors of the runbook: one per alarm, and those of notifications that other services create. */
export const runbookAnchors: readonly string[] = [
  hurtAlarm.name,
  ...Object.keys(alarms),
  'budget',
  canaryAlarm.name,
  ...Object.keys(mediaAlarms),
];

export const RUNBOOK_FILE = 'docs/runbook.md';
