// Measures one surface during one fault of the providers: the answer, what stays served, and the time to recover.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendTimed } from '../../test/support/faults/client.ts';
import type { ProviderFault } from '../../test/support/faults/provider-faults.ts';
import type { PlantedFault, ProviderProxy } from '../../test/support/faults/provider-proxy.ts';
import { concernsFailing, failingSubject, healthySubject } from '../../test/support/faults/subjects.ts';
import { type Asked, type ReadRoute, readAnswer, type Subject } from '../../test/support/faults/surfaces.ts';
import { parseProviderPath } from '../../test/support/truthful-provider.ts';
import { isInTime, LEAST_FAILURES, outageErrors, RECOVERY_MILLISECONDS, type Victims, victimErrors } from './rules.ts';
import type { ServiceInstance } from './service.ts';

/** Below the fair-use bound of posts, 120 reads a minute, while a circuit breaker stays open for 30 s. */
const POLL_MILLISECONDS = 400;
/** Requests of other callers during an outage. */
const OUTAGE_REQUESTS = 8;
/** Concurrent requests of the caller whose subjects fail. */
const FAILING_CONCURRENCY = 24;
/** The longest wait for the fault to meet them. A call to a provider that does not answer takes up to 6.5 s. */
const FAILURES_MILLISECONDS = 8000;

/** The last part of the IP addresses of one measurement. Victims have 10 and more. */
const CALLER = 1;
const OTHER = 2;
const MISBEHAVING = 3;
const victimOf = (index: number): number => 10 + index;

export interface ProviderCell {
  readonly fault: string;
  readonly surface: string;
  readonly status: number;
  readonly code: string | undefined;
  /** The time until the first answer during the fault. */
  readonly milliseconds: number;
  /** The longest time until any answer of the cell, also to other callers and while the service recovers. */
  readonly longestMilliseconds: number;
  readonly calls: number;
  /** Undefined: the answer may not be stored. */
  readonly cacheControl: string | undefined;
  /** A stored answer about another subject was served to another caller. */
  readonly isCachedServed: boolean;
  /** Undefined: the surface has one provider, or the first one answered in spite of the fault. */
  readonly isServedBySecond: boolean | undefined;
  /** From the end of the fault until a true answer; undefined: the service cannot notice the fault. */
  readonly recoveryMilliseconds: number | undefined;
  /** Undefined: the fault concerns all subjects. */
  readonly victims: Victims | undefined;
  readonly errors: readonly string[];
}

export interface ProviderMeasurement {
  readonly fault: ProviderFault;
  readonly surface: ReadRoute;
  readonly provider: ProviderProxy;
  /** Starts an instance without state. @param limits the allowances of callers */
  start(limits: 'ample' | 'default'): Promise<ServiceInstance>;
  /** Different for each measurement: all share a store, so the counters of their callers must differ. */
  readonly index: number;
  /** The number of requests for healthy subjects. */
  readonly victims: number;
}

type Ask = (asked: Subject, caller: number) => Promise<Asked>;

/** @param times gets the milliseconds until each answer */
const createAsk =
  ({ surface, index }: ProviderMeasurement, { origin }: ServiceInstance, times: number[]): Ask =>
  async (asked, caller) => {
    const query = surface.queryOf(asked);
    const answer = await sendTimed(origin, query, `127.${40 + Math.floor(index / 250)}.${1 + (index % 250)}.${caller}`);
    times.push(answer.milliseconds);
    return { query, answer, reading: readAnswer(surface, asked, answer) };
  };

const measureOutage = async ({ fault, surface, provider }: ProviderMeasurement, ask: Ask) => {
  const [cached, fresh] = [healthySubject(1), healthySubject(2)];
  const errors: string[] = [];
  while (!(await ask(cached, OTHER)).reading.isTrue) await sleep(POLL_MILLISECONDS);
  await provider.plant({ fault });
  const callsBefore = provider.calls.length;
  const { query, answer, reading } = await ask(fresh, CALLER);
  const calls = provider.calls.length - callsBefore;
  const mayLie = fault.lies === true && !surface.readsPost;
  errors.push(...outageErrors(query, answer, reading, mayLie));
  // Enough evidence against the provider to open its circuit breakers.
  const others = await Promise.all(
    Array.from({ length: OUTAGE_REQUESTS }, (_, index) => ask(healthySubject(100 + index), victimOf(index))),
  );
  for (const other of others) errors.push(...outageErrors(other.query, other.answer, other.reading, mayLie));
  const stale = await ask(cached, CALLER);
  await provider.plant(undefined);
  const recover = async (): Promise<number> => {
    const endedAt = performance.now();
    let recovered = await ask(fresh, CALLER);
    while (!recovered.reading.isTrue && performance.now() - endedAt < 2 * RECOVERY_MILLISECONDS) {
      errors.push(...outageErrors(recovered.query, recovered.answer, recovered.reading, mayLie));
      await sleep(POLL_MILLISECONDS);
      recovered = await ask(fresh, CALLER);
    }
    const recoveryMilliseconds = performance.now() - endedAt;
    if (!isInTime(recoveryMilliseconds, RECOVERY_MILLISECONDS)) {
      errors.push(`not recovered after ${Math.round(recoveryMilliseconds)} ms: ${recovered.answer.status}`);
    }
    return recoveryMilliseconds;
  };
  // A lie about a list shows no sign, so it stays until its cache ends.
  const mayLast = mayLie && reading.isServed && !reading.isTrue;
  const recoveryMilliseconds = mayLast ? undefined : await recover();
  if (!stale.reading.isTrue) errors.push(`a stored answer was not served: ${stale.answer.status}`);
  const cacheControl = answer.headers['cache-control'];
  return {
    status: reading.status,
    code: reading.code,
    milliseconds: answer.milliseconds,
    calls,
    cacheControl: cacheControl?.includes('no-store') ? undefined : cacheControl,
    isCachedServed: stale.reading.isTrue,
    recoveryMilliseconds,
    errors,
  };
};

const measureVictims = async (
  { fault, provider, victims }: ProviderMeasurement,
  instance: ServiceInstance,
  ask: Ask,
): Promise<Victims> => {
  await provider.plant({ fault, concerns: concernsFailing });
  let isOver = false;
  let turns = 0;
  const misbehave = async (): Promise<void> => {
    while (!isOver) {
      turns += 1;
      // Closing the instance ends the requests that still wait.
      const asked = await ask(failingSubject(turns), MISBEHAVING).catch(() => undefined);
      // A refusal costs the service next to nothing, so a loop of them would only occupy this process.
      if (asked?.reading.status === 429) await sleep(POLL_MILLISECONDS);
    }
  };
  const misbehaving = Array.from({ length: FAILING_CONCURRENCY }, misbehave);
  const startedAt = performance.now();
  while (provider.faulted < LEAST_FAILURES && performance.now() - startedAt < FAILURES_MILLISECONDS) await sleep(10);
  const failures = provider.faulted;
  let served = 0;
  for (let index = 0; index < victims; index += 1) {
    const { reading } = await ask(healthySubject(10 + index), victimOf(index));
    if (reading.isServed && reading.isTrue) served += 1;
  }
  isOver = true;
  await instance.close();
  await Promise.all(misbehaving);
  await provider.plant(undefined);
  return { served, total: victims, failures };
};

const measureSecond = async ({ fault, surface, provider }: ProviderMeasurement, ask: Ask) => {
  const planted: PlantedFault = { fault, concerns: (path) => path.startsWith('/fx/') };
  await provider.plant(planted);
  const asked = healthySubject(3);
  const callsBefore = provider.calls.length;
  const { query, answer, reading } = await ask(asked, CALLER);
  await provider.plant(undefined);
  const wasCalled = provider.calls
    .slice(callsBefore)
    .some((path) => path.startsWith('/synd/') && parseProviderPath(path).subject === asked.id);
  const isServed = reading.isServed && reading.isTrue;
  const errors = outageErrors(query, answer, reading, false).map((error) => `second provider: ${error}`);
  return {
    isServed: isServed && !wasCalled ? undefined : isServed,
    errors: reading.isServed ? errors : [...errors, `${surface.name}: the second provider was not used`],
  };
};

const withInstance = async <T>(
  instance: ServiceInstance,
  use: (instance: ServiceInstance) => Promise<T>,
): Promise<T> => {
  try {
    return await use(instance);
  } finally {
    await instance.close();
  }
};

export const measureProviderCell = async (measurement: ProviderMeasurement): Promise<ProviderCell> => {
  const { fault, surface, start } = measurement;
  const times: number[] = [];
  const { errors, ...outage } = await withInstance(await start('ample'), (instance) =>
    measureOutage(measurement, createAsk(measurement, instance, times)),
  );
  // A port that refuses connections refuses them for both providers.
  const hasSecond = surface.readsPost && fault.plant !== 'down';
  const { second, victims } = await withInstance(await start('default'), async (instance) => {
    const ask = createAsk(measurement, instance, times);
    return {
      second: hasSecond ? await measureSecond(measurement, ask) : undefined,
      victims: fault.concernsAll === true ? undefined : await measureVictims(measurement, instance, ask),
    };
  });
  return {
    fault: fault.name,
    surface: surface.name,
    ...outage,
    longestMilliseconds: Math.max(...times),
    isServedBySecond: second?.isServed,
    victims,
    errors: [...errors, ...(second?.errors ?? []), ...victimErrors(victims)],
  };
};
