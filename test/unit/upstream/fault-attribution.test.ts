// Tests which canaries are requested after a failed call, and who is at fault.
import { describe, expect, test } from 'vitest';
import { createFaultAttribution } from '../../../shared/upstream/fault-attribution.ts';
import { clocksOf, readingAt } from '../../support/clocks.ts';

const CANARY = '/canary';

/** @param answers true: the canary is answered; absent: the call had too little time */
const createBench = (answers: Readonly<Record<string, boolean>>, hasCanary = true) => {
  let now = 1_000_000;
  const requested: string[] = [];
  const faults = createFaultAttribution({
    canaryUrl: hasCanary ? CANARY : undefined,
    isAnswered: async (url) => {
      requested.push(url);
      return answers[url];
    },
    ...clocksOf(() => now),
  });
  return {
    faults,
    requested,
    wait(milliseconds: number): void {
      now += milliseconds;
    },
    fail: (url: string, caller?: string, startedAt = now) =>
      faults.attribute({ url, caller, startedAt: readingAt(startedAt) }),
  };
};

describe('the canaries of a failed call', () => {
  test('are the configured one, then the latest answered URLs of two callers', async () => {
    const { faults, requested, fail } = createBench({});
    for (const caller of ['a', 'b', 'c']) faults.recordSuccess(`/${caller}`, caller);
    faults.recordSuccess('/c2', 'c');
    await fail('/failed', 'd');
    expect(requested).toEqual([CANARY, '/c2', '/b']);
  });

  test('are those of all callers, if the caller is not known', async () => {
    const { faults, requested, fail } = createBench({});
    faults.recordSuccess('/a', 'a');
    faults.recordSuccess('/x', undefined);
    await fail('/failed');
    expect(requested).toEqual([CANARY, '/x', '/a']);
  });

  test('do not include the failed URL, and end with the first that is answered', async () => {
    const { faults, requested, fail } = createBench({ '/b': true });
    for (const caller of ['a', 'b']) faults.recordSuccess(`/${caller}`, caller);
    expect(await fail(CANARY, 'c')).toBe('query');
    expect(requested).toEqual(['/b']);
  });

  test('are only answered URLs without a configured one', async () => {
    const { faults, requested, wait, fail } = createBench({ '/a': true }, false);
    expect(await fail('/failed')).toBe('unknown');
    expect(requested).toEqual([]);
    faults.recordSuccess('/a', 'a');
    wait(10_000);
    expect(await fail('/failed')).toBe('query');
    expect(requested).toEqual(['/a']);
  });
});

test.each<readonly [string, string, Readonly<Record<string, boolean>>, string]>([
  ['of the subject, if the canary is answered', '/failed', { [CANARY]: true }, 'query'],
  ['of the subject, if a later canary is answered', '/failed', { [CANARY]: false, '/a': true }, 'query'],
  ['of the provider, if no canary is answered', '/failed', { [CANARY]: false, '/a': false }, 'provider'],
  ['of the provider, if one canary is not answered', '/failed', { '/a': false }, 'provider'],
  ['not known, if no canary had its full time', '/failed', {}, 'unknown'],
  ['of the provider, if the canary itself failed', CANARY, {}, 'provider'],
])('the fault is %s', async (_, url, answers, fault) => {
  const { faults, fail } = createBench(answers);
  faults.recordSuccess('/a', 'a');
  expect(await fail(url, 'b')).toBe(fault);
  expect(faults.hasFailed(url)).toBe(fault === 'query');
});

describe('a subject that failed', () => {
  test('is rejected for 30 s', async () => {
    const { faults, wait, fail } = createBench({ [CANARY]: true });
    await fail('/failed');
    expect(faults.hasFailed('/another')).toBe(false);
    wait(29_999);
    expect(faults.hasFailed('/failed')).toBe(true);
    wait(1);
    expect(faults.hasFailed('/failed')).toBe(false);
  });

  test('is rejected for 5 s, and its fault is presumed, if the canary was answered before the call', async () => {
    const { faults, wait, fail } = createBench({ [CANARY]: true });
    await fail('/first');
    wait(1);
    expect(await fail('/second')).toBe('presumed');
    wait(4999);
    expect(faults.hasFailed('/second')).toBe(true);
    wait(1);
    expect(faults.hasFailed('/second')).toBe(false);
  });
});

describe('the result of a canary', () => {
  test('holds for 10 s', async () => {
    const { requested, wait, fail } = createBench({ [CANARY]: false });
    await fail('/first');
    wait(9999);
    expect(await fail('/second')).toBe('provider');
    expect(requested).toEqual([CANARY]);
    wait(1);
    await fail('/third');
    expect(requested).toEqual([CANARY, CANARY]);
  });

  test('says nothing if the provider answered another call since', async () => {
    const { faults, wait, fail } = createBench({ [CANARY]: false });
    await fail('/first');
    faults.recordSuccess('/a', 'a');
    wait(1);
    expect(await fail('/second')).toBe('provider');
    faults.recordSuccess('/a', 'a');
    expect(await fail('/third')).toBe('unknown');
    expect(await fail('/fourth', undefined, 1_000_000)).toBe('provider');
  });
});
