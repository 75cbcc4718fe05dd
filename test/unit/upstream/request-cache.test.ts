import { describe, expect, test } from 'vitest';
import { monotonic } from '../../../shared/model/time.ts';
import type { Outcome, Requester } from '../../../shared/ports/upstream.ts';
import { createRequestCache } from '../../../shared/upstream/request-cache.ts';

const found = (value: number): Outcome<number> => ({
  kind: 'found',
  value,
  source: 'test',
  fetchedAt: 0,
  warnings: [],
});

const DEADLINE = 1_008_000;

const createTestCache = (maxMilliseconds = 60_000, maxBytes?: number) => {
  let now = 1_000_000;
  let calls = 0;
  const shared = createRequestCache<number>(() => monotonic(now), maxMilliseconds, { maxBytes });
  const share = (key: string, deadline: number, call: () => Promise<Outcome<number>>, admit?: Requester['admit']) =>
    shared({ key, deadline: monotonic(deadline), call, requester: admit && { admit } });
  return {
    share,
    calls: () => calls,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: (key: string, outcome: Outcome<number> = found(1)) =>
      share(key, DEADLINE, async () => {
        calls += 1;
        return outcome;
      }),
  };
};

describe('a running call', () => {
  test('[caching 15] 50 callers of one key share one call and its result', async () => {
    const { share } = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    let calls = 0;
    const answers = Array.from({ length: 50 }, () =>
      share('a', DEADLINE, () => {
        calls += 1;
        return promise;
      }),
    );
    expect(calls).toBe(1);
    resolve(found(7));
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  test('a call that takes longer than the maximum age is still shared', async () => {
    const at = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    const early = at.share('a', DEADLINE, () => promise);
    at.wait(3_600_000);
    const late = at.ask('a');
    resolve(found(1));
    expect(await early).toBe(await late);
    expect(at.calls()).toBe(0);
  });
});

describe('cached results', () => {
  test.each([
    ['what was found', found(1), 60_000],
    ['[caching 16] what is gone', { kind: 'gone', reason: 'deleted' } as const, 30_000],
    ['[caching 16] what is absent', { kind: 'absent' } as const, 30_000],
    ['what is no valid request', { kind: 'refused', why: '' } as const, 30_000],
  ])('%s is cached for its time', async (_, outcome, milliseconds) => {
    const at = createTestCache();
    await at.ask('a', outcome);
    at.wait(milliseconds - 1);
    await at.ask('a', outcome);
    expect(at.calls()).toBe(1);
    at.wait(1);
    await at.ask('a', outcome);
    expect(at.calls()).toBe(2);
  });

  test.each<Outcome<number>>([{ kind: 'ambiguous' }, { kind: 'failed', why: '' }, { kind: 'down', why: '' }])(
    'a failure is asked again: $kind',
    async (outcome) => {
      const at = createTestCache();
      await at.ask('a', outcome);
      expect(await at.ask('a')).toMatchObject({ kind: 'found' });
      expect(at.calls()).toBe(2);
    },
  );

  test('a maximum age of 0 turns cache and coalescing off', async () => {
    const at = createTestCache(0);
    await Promise.all([at.ask('a'), at.ask('a')]);
    expect(at.calls()).toBe(2);
  });

  test('the cache evicts the oldest results first', async () => {
    const at = createTestCache();
    for (let index = 0; index < 10_000; index += 1) await at.ask(String(index));
    await at.ask('9999');
    await at.ask('9901');
    expect(at.calls()).toBe(10_000);
    await at.ask('0');
    expect(at.calls()).toBe(10_001);
  });

  test('running calls count for the bound', async () => {
    const at = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    const answers = Array.from({ length: 1000 }, (_, index) => at.share(String(index), DEADLINE, () => promise));
    resolve(found(1));
    await Promise.all(answers);
    await at.ask('999');
    expect(at.calls()).toBe(0);
    await at.ask('0');
    expect(at.calls()).toBe(1);
  });
});

describe('a call that rejects', () => {
  test.each([
    ['later', async () => Promise.reject(new Error('bug'))],
    [
      'at once',
      () => {
        throw new Error('bug');
      },
    ],
  ])(
    '%s reaches all waiting callers, is not cached, and is never an unhandled rejection',
    async (_, ask: () => Promise<never>) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', note);
      const at = createTestCache();
      const answers = await Promise.allSettled([at.share('a', DEADLINE, ask), at.share('a', DEADLINE, ask)]);
      expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(await at.ask('a')).toMatchObject({ kind: 'found' });
      await new Promise((done) => setImmediate(done));
      process.off('unhandledRejection', note);
      expect(unhandled).toEqual([]);
    },
  );

  test('an old call that fails does not remove a newer entry', async () => {
    const at = createTestCache();
    const { promise, reject } = Promise.withResolvers<Outcome<number>>();
    const old = at.share('a', DEADLINE, () => promise);
    for (let index = 0; index < 200; index += 1) await at.ask(String(index));
    await at.ask('a');
    reject(new Error('bug'));
    await expect(old).rejects.toThrow('bug');
    await at.ask('a');
    expect(at.calls()).toBe(201);
  });
});

describe('a caller with a later deadline', () => {
  const DOWN: Outcome<number> = { kind: 'down', why: 'no time left' };

  test('a caller with a later deadline repeats a call that timed out', async () => {
    const at = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    const hasty = at.share('a', DEADLINE, () => promise);
    const patient = [DEADLINE + 500, DEADLINE + 6000].map((deadline) => at.share('a', deadline, async () => found(7)));
    resolve(DOWN);
    expect(await hasty).toBe(DOWN);
    expect(await Promise.all(patient)).toEqual([found(7), found(7)]);
  });

  test('several callers with a later deadline share the repeated call', async () => {
    const at = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    let calls = 0;
    void at.share('a', DEADLINE, () => promise);
    const patient = Array.from({ length: 50 }, () =>
      at.share('a', DEADLINE + 3000, async () => {
        calls += 1;
        return DOWN;
      }),
    );
    resolve(DOWN);
    expect(new Set(await Promise.all(patient))).toEqual(new Set([DOWN]));
    expect(calls).toBe(1);
  });
});

describe('the charge of a caller', () => {
  test('[allowances 5] a provider call starts only after the charge is admitted', async () => {
    const at = createTestCache();
    const { promise: charged, resolve: admit } = Promise.withResolvers<void>();
    let calls = 0;
    const call = async (): Promise<Outcome<number>> => {
      calls += 1;
      return found(7);
    };
    const answer = at.share('a', DEADLINE, call, () => charged);
    await new Promise((done) => setImmediate(done));
    expect(calls).toBe(0);
    admit();
    expect(await answer).toEqual(found(7));
    expect(calls).toBe(1);
  });

  test('[allowances 5] a denied charge rejects the request and makes no provider call', async () => {
    const at = createTestCache();
    const denied = at.share(
      'a',
      DEADLINE,
      async () => expect.unreachable(),
      () => Promise.reject(new Error('denied')),
    );
    await expect(denied).rejects.toThrow('denied');
    expect(await at.ask('a', found(7))).toEqual(found(7));
  });

  test('[allowances 5] a cached answer is not charged, and a caller who joins a pending call is charged', async () => {
    const at = createTestCache();
    const { promise, resolve } = Promise.withResolvers<Outcome<number>>();
    let charges = 0;
    const admit = async (): Promise<void> => {
      charges += 1;
    };
    const answers = ['ada', 'bob'].map(() => at.share('a', DEADLINE, () => promise, admit));
    resolve(found(7));
    await Promise.all(answers);
    expect(charges).toBe(2);
    await at.share('a', DEADLINE, () => promise, admit);
    expect(charges).toBe(2);
  });
});

describe('[running 3] a bound of bytes', () => {
  const BYTES = 2 * JSON.stringify(found(1)).length;

  test('removes the oldest results', async () => {
    const at = createTestCache(60_000, 3 * BYTES);
    for (const key of ['a', 'b', 'c', 'd']) await at.ask(key);
    await at.ask('d');
    await at.ask('b');
    expect(at.calls()).toBe(4);
    await at.ask('a');
    expect(at.calls()).toBe(5);
  });

  test('keeps no result that is larger, but shares its call', async () => {
    const at = createTestCache(60_000, BYTES - 1);
    await Promise.all([at.ask('a'), at.ask('a')]);
    expect(at.calls()).toBe(1);
    await at.ask('a');
    expect(at.calls()).toBe(2);
  });
});
