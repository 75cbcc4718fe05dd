import { describe, expect, test } from 'vitest';
import {
  type BreakerChange,
  type CallResult,
  type CircuitBreaker,
  createCircuitBreaker,
} from '../../../shared/resilience/circuit-breaker.ts';
import { retryAfterMilliseconds } from '../../../shared/upstream/http-request.ts';
import { readingAt } from '../../support/clocks.ts';

const START = Date.parse('2026-11-21T12:00:00Z');

const bench = (random = () => 0.5) => {
  let now = START;
  const breaker = createCircuitBreaker(() => readingAt(now), random, { failureThreshold: 5, openMilliseconds: 5000 });
  return {
    breaker,
    wait: (milliseconds: number): void => {
      now += milliseconds;
    },
    call: (...healths: readonly CallResult[]): void => {
      for (const health of healths) breaker.acquire()?.report(health);
    },
  };
};

const admits = ({ breaker }: { readonly breaker: CircuitBreaker }): boolean => {
  const permit = breaker.acquire();
  permit?.report('inconclusive');
  return permit !== undefined;
};

const waitOf = (field: string | undefined, now = START): number | undefined =>
  retryAfterMilliseconds(field, undefined, { now: () => now });

/** The open time after one call, in whole seconds. */
const closedFor = (health: CallResult, field?: string): number => {
  const at = bench();
  at.breaker.acquire()?.report(health, waitOf(field));
  let seconds = 0;
  for (; seconds <= 1000 && !admits(at); seconds += 1) at.wait(1000);
  return seconds;
};

describe('consecutive failures', () => {
  test('five open the breaker, four do not, and a success in between starts the count again', () => {
    const at = bench();
    at.call('failure', 'failure', 'failure', 'failure', 'success', 'failure', 'failure', 'failure', 'failure');
    expect(admits(at)).toBe(true);
    at.call('failure');
    expect(admits(at)).toBe(false);
  });

  test.each([0, 0.5, 0.999])('the breaker is open for 2.5 to 5 s (random %s)', (random) => {
    const at = bench(() => random);
    at.call('failure', 'failure', 'failure', 'failure', 'failure');
    at.wait(2499);
    expect(admits(at)).toBe(false);
    at.wait(2501);
    expect(admits(at)).toBe(true);
  });

  test('an inconclusive result does not count', () => {
    const at = bench();
    at.call('failure', 'failure', 'failure', 'failure', 'inconclusive', 'inconclusive', 'inconclusive');
    expect(admits(at)).toBe(true);
    at.call('failure');
    expect(admits(at)).toBe(false);
  });
});

describe('the half-open breaker', () => {
  const rested = () => {
    const at = bench();
    at.call('throttled');
    at.wait(5000);
    return at;
  };

  test('admits one probe at a time', () => {
    const at = rested();
    const probe = at.breaker.acquire();
    expect(probe).toBeDefined();
    at.wait(60_000);
    expect(at.breaker.acquire()).toBeUndefined();
    probe?.report('success');
    expect([admits(at), admits(at)]).toEqual([true, true]);
    const both = [at.breaker.acquire(), at.breaker.acquire()];
    expect(both).not.toContain(undefined);
  });

  test('admits another probe when the probe is inconclusive', () => {
    const at = rested();
    at.call('inconclusive');
    const probe = at.breaker.acquire();
    expect(probe).toBeDefined();
    expect(at.breaker.acquire()).toBeUndefined();
  });

  test('does not close for the success of a call from before it opened', () => {
    const at = bench();
    const early = at.breaker.acquire();
    at.breaker.acquire()?.report('throttled', 60_000);
    early?.report('success');
    at.wait(59_000);
    expect(admits(at)).toBe(false);
  });

  test('does not shorten its open time for the failure of a call from before it opened', () => {
    const at = bench();
    const early = at.breaker.acquire();
    at.breaker.acquire()?.report('throttled', 60_000);
    early?.report('throttled', 1000);
    at.wait(59_000);
    expect(admits(at)).toBe(false);
    at.wait(1000);
    expect(admits(at)).toBe(true);
  });
});

describe('[provider-faults 13] Retry-After', () => {
  test.each([
    ['seconds', '7', 7],
    ['padded seconds', ' 7 ', 7],
    ['an IMF date', 'Sat, 21 Nov 2026 12:00:20 GMT', 20],
    ['an RFC 850 date', 'Saturday, 21-Nov-26 12:00:20 GMT', 20],
    ['a huge number', '99999999999999999999999', 300],
    ['a number of more digits than a double holds', '9'.repeat(400), 300],
    ['a date years ahead', 'Sun, 21 Nov 2077 12:00:00 GMT', 300],
  ])('opens the breaker for %s, and never for more than 5 minutes', (_, field, seconds) => {
    expect(closedFor('throttled', field)).toBe(seconds);
    // A 503 with Retry-After is one failure.
    expect(closedFor('failure', field)).toBe(0);
  });

  test.each([
    ['7', 7],
    ['30', 30],
    ['300', 30],
  ])('of the failure that opens the breaker is the open time, for at most 30 s: %s', (field, seconds) => {
    const at = bench();
    for (let times = 0; times < 5; times += 1) at.breaker.acquire()?.report('failure', waitOf(field));
    at.wait(seconds * 1000 - 1);
    expect(admits(at)).toBe(false);
    at.wait(1);
    expect(admits(at)).toBe(true);
  });

  test.each([
    undefined,
    '',
    '0',
    '-5',
    '1.5',
    '0x10',
    'soon',
    '2099-01-01',
    'Sat, 99 Nov 2099 12:00:00 GMT',
    'Fri, 20 Nov 2026 12:00:00 GMT',
  ])('is ignored as %o: a 429 opens for the usual time, a 5xx counts as one failure', (field) => {
    expect(closedFor('throttled', field)).toBeGreaterThanOrEqual(3);
    expect(closedFor('throttled', field)).toBeLessThanOrEqual(5);
    expect(closedFor('failure', field)).toBe(0);
  });
});

describe('[outages 2] the probe of a half-open breaker', () => {
  test('passes to the next request when the calls of the last one end inconclusively', () => {
    const at = bench();
    at.call('throttled');
    at.wait(5000);
    const [one, another] = [{}, {}];
    const first = at.breaker.acquire(one);
    const second = at.breaker.acquire(one);
    expect([first, second]).not.toContain(undefined);
    expect(at.breaker.acquire(another)).toBeUndefined();
    first?.report('inconclusive');
    expect(at.breaker.acquire(another)).toBeUndefined();
    second?.report('inconclusive');
    expect(at.breaker.acquire(another)).toBeDefined();
  });

  test('ends with recorded evidence', () => {
    for (const [health, isOpen] of [
      ['success', false],
      ['failure', true],
    ] as const) {
      const at = bench();
      at.call('throttled');
      at.wait(5000);
      at.breaker.record(health);
      expect([admits(at), admits(at)]).toEqual([!isOpen, !isOpen]);
    }
  });

  test('is not replaced by recorded evidence before the open time ends', () => {
    const at = bench();
    at.call('throttled');
    at.breaker.record('success');
    expect(admits(at)).toBe(false);
  });

  test('is ended by recorded evidence from the first moment of the half-open state', () => {
    const at = bench();
    at.call('throttled');
    at.wait(3749);
    at.breaker.record('success');
    expect(at.breaker.isClosed()).toBe(false);
    at.wait(1);
    at.breaker.record('success');
    expect(at.breaker.isClosed()).toBe(true);
  });
});

test('onChange reports each opening once, a failed probe as an opening, and the success of a probe as the closing', () => {
  let now = START;
  const changes: BreakerChange[] = [];
  const breaker = createCircuitBreaker(
    () => readingAt(now),
    () => 0.5,
    {
      failureThreshold: 2,
      openMilliseconds: 5000,
      onChange: (change) => void changes.push(change),
    },
  );
  const late = [breaker.acquire(), breaker.acquire(), breaker.acquire(), breaker.acquire()];
  for (const permit of late) permit?.report('failure');
  expect(changes).toEqual([{ state: 'open', why: 'failures' }]);
  now += 5000;
  breaker.acquire()?.report('failure');
  now += 5000;
  breaker.acquire()?.report('throttled', 60_000);
  now += 60_000;
  breaker.acquire()?.report('success');
  breaker.acquire()?.report('success');
  expect(changes.slice(1)).toEqual([
    { state: 'open', why: 'probe_failed' },
    { state: 'open', why: 'throttled' },
    { state: 'closed', why: 'probe_succeeded' },
  ]);
});
