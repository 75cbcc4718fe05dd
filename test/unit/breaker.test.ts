import { describe, expect, test } from 'vitest';
import { type Breaker, createBreaker, type Health } from '../../shared/breaker.ts';

const START = Date.parse('2026-11-21T12:00:00Z');

const bench = (
  random = () => 0.5,
): { breaker: Breaker; wait(milliseconds: number): void; call(...health: Health[]): void } => {
  let now = START;
  const breaker = createBreaker(() => now, random, { failures: 5, openMilliseconds: 5000 });
  return {
    breaker,
    wait: (milliseconds) => {
      now += milliseconds;
    },
    call: (...healths) => {
      for (const health of healths) breaker.admit()?.settle(health);
    },
  };
};

const admits = ({ breaker }: { readonly breaker: Breaker }): boolean => {
  const permit = breaker.admit();
  permit?.settle('unclear');
  return permit !== undefined;
};

/** How long a source is left alone after one call, to the second. */
const closedFor = (health: Health, retryAfter?: string): number => {
  const at = bench();
  at.breaker.admit()?.settle(health, retryAfter);
  let seconds = 0;
  for (; seconds <= 1000 && !admits(at); seconds += 1) at.wait(1000);
  return seconds;
};

describe('a row of failures', () => {
  test('five in a row close the source, four do not, and an answer in between starts anew', () => {
    const at = bench();
    at.call('ill', 'ill', 'ill', 'ill', 'well', 'ill', 'ill', 'ill', 'ill');
    expect(admits(at)).toBe(true);
    at.call('ill');
    expect(admits(at)).toBe(false);
  });

  test.each([0, 0.5, 0.999])('the source rests for 2.5 to 5 seconds (random %s)', (random) => {
    const at = bench(() => random);
    at.call('ill', 'ill', 'ill', 'ill', 'ill');
    at.wait(2499);
    expect(admits(at)).toBe(false);
    at.wait(2501);
    expect(admits(at)).toBe(true);
  });

  test('what was not given its time proves nothing', () => {
    const at = bench();
    at.call('ill', 'ill', 'ill', 'ill', 'unclear', 'unclear', 'unclear');
    expect(admits(at)).toBe(true);
    at.call('ill');
    expect(admits(at)).toBe(false);
  });
});

describe('after the rest', () => {
  const rested = () => {
    const at = bench();
    at.call('closed');
    at.wait(5000);
    return at;
  };

  test('one probe goes at a time', () => {
    const at = rested();
    const probe = at.breaker.admit();
    expect(probe).toBeDefined();
    at.wait(60_000);
    expect(at.breaker.admit()).toBeUndefined();
    probe?.settle('well');
    expect([admits(at), admits(at)]).toEqual([true, true]);
    const both = [at.breaker.admit(), at.breaker.admit()];
    expect(both).not.toContain(undefined);
  });

  test('a probe that fails closes the source again, at once', () => {
    const at = rested();
    at.call('ill');
    expect(admits(at)).toBe(false);
    at.wait(5000);
    expect(admits(at)).toBe(true);
  });

  test('a probe that proves nothing leaves the next one to another', () => {
    const at = rested();
    at.call('unclear');
    const probe = at.breaker.admit();
    expect(probe).toBeDefined();
    expect(at.breaker.admit()).toBeUndefined();
  });

  test('after a probe that answered it takes a whole row of failures again', () => {
    const at = rested();
    at.call('well', 'ill', 'ill', 'ill', 'ill');
    expect(admits(at)).toBe(true);
  });

  test('an answer to a call from before does not reopen the source', () => {
    const at = bench();
    const early = at.breaker.admit();
    at.breaker.admit()?.settle('closed', '60');
    early?.settle('well');
    at.wait(59_000);
    expect(admits(at)).toBe(false);
  });

  test('nor does its failure shorten the rest', () => {
    const at = bench();
    const early = at.breaker.admit();
    at.breaker.admit()?.settle('closed', '60');
    early?.settle('closed', '1');
    at.wait(59_000);
    expect(admits(at)).toBe(false);
    at.wait(1000);
    expect(admits(at)).toBe(true);
  });
});

describe('[S13] Retry-After', () => {
  test.each([
    ['seconds', '7', 7],
    ['padded seconds', ' 7 ', 7],
    ['an IMF date', 'Sat, 21 Nov 2026 12:00:20 GMT', 20],
    ['an RFC 850 date', 'Saturday, 21-Nov-26 12:00:20 GMT', 20],
    ['a huge number', '99999999999999999999999', 300],
    ['a number of more digits than a double holds', '9'.repeat(400), 300],
    ['a date years ahead', 'Sun, 21 Nov 2077 12:00:00 GMT', 300],
  ])('closes the source for %s, and never for more than five minutes', (_, field, seconds) => {
    expect(closedFor('closed', field)).toBe(seconds);
    // A 503 may say so too: it is one failure.
    expect(closedFor('ill', field)).toBe(0);
  });

  test.each([
    ['7', 7],
    ['30', 30],
    ['300', 30],
  ])('of the failure that opens it is waited for, for 30 seconds at most: %s', (field, seconds) => {
    const at = bench();
    for (let times = 0; times < 5; times += 1) at.breaker.admit()?.settle('ill', field);
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
    '1e3',
    'soon',
    'garbage 2099',
    '2099-01-01',
    'Sat, 99 Nov 2099 12:00:00 GMT',
    'Fri, 20 Nov 2026 12:00:00 GMT',
  ])('says nothing as %o: a 429 then closes for the usual while, a 5xx counts as one failure', (field) => {
    expect(closedFor('closed', field)).toBeGreaterThanOrEqual(3);
    expect(closedFor('closed', field)).toBeLessThanOrEqual(5);
    expect(closedFor('ill', field)).toBe(0);
  });

  test('of an answer says nothing', () => {
    expect(closedFor('well', '60')).toBe(0);
    expect(closedFor('unclear', '60')).toBe(0);
  });
});

describe('[98] half-open', () => {
  test('goes to the next request as soon as the calls of the one before are over and prove nothing', () => {
    const at = bench();
    at.call('closed');
    at.wait(5000);
    const [one, another] = [{}, {}];
    const first = at.breaker.admit(one);
    const second = at.breaker.admit(one);
    expect([first, second]).not.toContain(undefined);
    expect(at.breaker.admit(another)).toBeUndefined();
    first?.settle('unclear');
    expect(at.breaker.admit(another)).toBeUndefined();
    second?.settle('unclear');
    expect(at.breaker.admit(another)).toBeDefined();
  });

  test('ends by what was found out in another way', () => {
    for (const [health, isOpen] of [
      ['well', false],
      ['ill', true],
    ] as const) {
      const at = bench();
      at.call('closed');
      at.wait(5000);
      at.breaker.record(health);
      expect([admits(at), admits(at)]).toEqual([!isOpen, !isOpen]);
    }
  });

  test('is not reached by it before its time', () => {
    const at = bench();
    at.call('closed');
    at.breaker.record('well');
    expect(admits(at)).toBe(false);
  });
});
