// Measures a route under load at a fixed rate, in each condition.
import { description, operationAt } from '../../test/support/conformance.ts';
import type { IssuedKey } from './backends-process.ts';
import { callersWithin, callerWithWindow, type LoadCaller, limitOf, newAddress } from './callers.ts';
import type { LoadRoute } from './load-routes.ts';
import { countWhere, type OpenLoopResult, runOpenLoop } from './open-loop.ts';
import { NO_ANSWER } from './send-request.ts';
import { type BackendsProcess, type LoadStand, newSubject } from './stand.ts';

/**
 * - `cached`: all requests are equal, so the shared cache answers; for MCP the cache of the instance
 * - `uncached`: every request is for another subject, by many callers within their limits
 * - `keyed`: the same with API keys
 * - `limited`, `keyed limited`: one caller, who sends more than the allowance admits
 * - `slow`: every provider call takes 2 s
 * - `failing`: every provider call ends with 500 or a reset connection
 */
export const conditions = ['cached', 'uncached', 'keyed', 'limited', 'keyed limited', 'slow', 'failing'] as const;
export type Condition = (typeof conditions)[number];

export interface LoadSettings {
  readonly seconds: number;
  /** Requests per second, except with a slow provider. */
  readonly rate: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** With more, 2 s per call fill the 20 slots of one instance; on AWS an instance has one request at a time. */
const SLOW_RATE = 4;

export interface Measured {
  readonly route: LoadRoute;
  readonly condition: Condition;
  readonly rate: number;
  readonly result: OpenLoopResult;
  /** Milliseconds of CPU of the service. */
  readonly cpuPerRequest: number;
  readonly providerCalls: number;
  readonly storeFailures: number;
}

const isKeyed = (condition: Condition): boolean => condition === 'keyed' || condition === 'keyed limited';

export const isLimited = (condition: Condition): boolean => condition === 'limited' || condition === 'keyed limited';

export const appliesTo = ({ limit, acceptsKeys, hasSubjects }: LoadRoute, condition: Condition): boolean => {
  if (condition === 'cached') return true;
  if (isKeyed(condition)) return acceptsKeys;
  return condition === 'limited' ? limit !== 'none' : hasSubjects;
};

/** At least twice as many requests as the allowance admits. */
const rateOf = (route: LoadRoute, condition: Condition, { rate, seconds }: LoadSettings): number => {
  if (condition === 'slow') return Math.min(rate, SLOW_RATE);
  return isLimited(condition) ? Math.max(rate, (2 * limitOf(route, isKeyed(condition)).count) / seconds) : rate;
};

const callersFor = (
  route: LoadRoute,
  condition: Condition,
  seconds: number,
  keys: readonly IssuedKey[],
): ((index: number) => LoadCaller) => {
  const given = isKeyed(condition) ? keys : undefined;
  if (!isLimited(condition)) return callersWithin(route, given);
  const caller = callerWithWindow(route, seconds, given);
  return () => caller;
};

export const measure = async (
  stand: LoadStand,
  route: LoadRoute,
  condition: Condition,
  settings: LoadSettings,
  rate = rateOf(route, condition, settings),
): Promise<Measured> => {
  const { seconds, random } = settings;
  const callerAt = callersFor(route, condition, seconds, takeKeys(stand, rate * seconds));
  const cached = newSubject();
  const isCached = condition === 'cached';
  if (isCached) {
    // MCP charges each call that the cache of the instance does not answer, so the first call fills it.
    await stand.client.send(route.queryOf(cached), newAddress());
  }
  const before = await stand.service.ask('cpu');
  const calls = await stand.backends.ask('calls');
  const result = await runOpenLoop({
    rate,
    seconds,
    random,
    send(index) {
      const { address, secret } = callerAt(index);
      return stand.client.send(route.queryOf(isCached ? cached : newSubject()), address, secret);
    },
  });
  const after = await stand.service.ask('cpu');
  const callsAfter = await stand.backends.ask('calls');
  return {
    route,
    condition,
    rate,
    result,
    cpuPerRequest: (after.cpu - before.cpu) / 1000 / result.sent,
    providerCalls: callsAfter.provider - calls.provider,
    storeFailures: after.storeFailures - before.storeFailures,
  };
};

const MAX_ATTEMPTS = 5;

/**
 * While the store is late, memory counts against a quarter of the allowance. The store of this machine is an emulator that
 * shares the cores with everything else, so a measurement of exact admission is repeated until the store was in time.
 */
export const measureInTime = async (
  stand: LoadStand,
  route: LoadRoute,
  condition: Condition,
  settings: LoadSettings,
): Promise<Measured> => {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measure(stand, route, condition, settings);
    if (!isLimited(condition) || measured.storeFailures === 0 || attempt === MAX_ATTEMPTS) return measured;
  }
};

const usedKeys = new WeakMap<BackendsProcess, number>();

/** @returns keys that no earlier measurement used, as long as there are some */
const takeKeys = ({ backends }: LoadStand, requests: number): readonly IssuedKey[] => {
  const { keys } = backends.ready;
  const count = Math.max(100, Math.ceil(requests / 25));
  const from = usedKeys.get(backends) ?? 0;
  usedKeys.set(backends, keys.length === 0 ? 0 : (from + count) % keys.length);
  return [...keys.slice(from), ...keys.slice(0, from)].slice(0, Math.max(count, 1));
};

const declaredStatuses = (route: LoadRoute): ReadonlySet<string> => {
  const { target, body } = route.queryOf(newSubject());
  const item = description.paths[(body === undefined ? operationAt(target) : target) ?? ''];
  const operation = item?.get ?? item?.post;
  // Pages for people are not in the description.
  return new Set(operation === undefined ? ['200'] : Object.keys(operation.responses));
};

/** Answers with a status that /openapi.json does not declare, and requests without an answer. */
export const countUndeclared = ({ route, result: { results } }: Measured): number => {
  const declared = declaredStatuses(route);
  return countWhere(results, (result) => result === NO_ANSWER || !declared.has(result.slice(0, 3)));
};

const FAILED = /^5|^200, (?:upstream|internal)/;

/** 5xx answers, and tool results that say the same. */
export const countFailed = ({ results }: OpenLoopResult): number =>
  countWhere(results, (result) => result === NO_ANSWER || FAILED.test(result));

export const countServed = ({ results }: OpenLoopResult): number => countWhere(results, (result) => result === '200');

/** Requests that were admitted beyond the allowance, or denied within it. */
export const admissionError = ({ route, condition, result }: Measured): number =>
  Math.abs(countServed(result) - limitOf(route, isKeyed(condition)).count);
