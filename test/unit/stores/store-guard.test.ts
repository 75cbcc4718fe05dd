import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { later } from '../../../shared/model/time.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import {
  createStoreConnection,
  createStoreGuard,
  STORE_BUDGET_MILLISECONDS,
} from '../../../shared/stores/store-guard.ts';
import { NO_DEADLINE, testClock } from '../../support/limiter.ts';

const failingWith =
  (name: string, members: object = {}) =>
  async (): Promise<never> => {
    throw Object.assign(new Error('LEAKY'), { name, ...members });
  };

const bench = (random = () => 0.5) => {
  const clock = testClock();
  const lines: LogFields[] = [];
  const log = (fields: LogFields): void => void lines.push(fields);
  const guard = createStoreGuard('counters', { ...clock, log, random });
  let calls = 0;
  /** @returns whether the store was called, and the result */
  const tryIt = async (work: () => Promise<unknown>, attempts = 1, deadline = NO_DEADLINE) => {
    const before = calls;
    const counted = (): Promise<unknown> => {
      calls += 1;
      return work();
    };
    const result = await guard(counted, { deadline, attempts });
    return { ...result, attempts: calls - before };
  };
  return { clock, lines, guard, tryIt };
};

const answering = async (): Promise<string> => 'an answer';
const failing = failingWith('InternalServerError');

describe('the store guard', () => {
  test('makes as many attempts as allowed, and no more', async () => {
    expect(await bench().tryIt(failing, 2)).toEqual({ ok: false, attempts: 2 });
    let calls = 0;
    const answeringLast = async (): Promise<string> => {
      calls += 1;
      return calls === 1 ? failing() : 'an answer';
    };
    expect(await bench().tryIt(answeringLast, 2)).toEqual({ ok: true, value: 'an answer', attempts: 2 });
    expect(await bench().tryIt(answering, 2)).toEqual({ ok: true, value: 'an answer', attempts: 1 });
  });

  test('makes no call after the deadline', async () => {
    const { clock, tryIt, lines } = bench();
    expect(await tryIt(answering, 2, clock.clock())).toEqual({ ok: false, attempts: 0 });
    const slow = async (): Promise<never> => {
      clock.wait(100);
      return failing();
    };
    expect(await tryIt(slow, 9, later(clock.clock(), 101))).toEqual({ ok: false, attempts: 2 });
    expect(lines).toHaveLength(2);
  });

  test('does not wait for a late answer, and aborts the call', async () => {
    const { guard, lines } = bench();
    const { promise, resolve } = Promise.withResolvers<string>();
    let heard: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<string> => {
      heard = signal;
      return promise;
    };
    // Without the time limit of an attempt this test would not end.
    expect(await guard(work, { deadline: NO_DEADLINE, attempts: 1 })).toEqual({ ok: false });
    expect(heard?.aborted).toBe(true);
    expect(lines).toEqual([{ level: 'warn', event: 'store_failed', store: 'counters', kind: 'TimeoutError' }]);
    resolve('too late');
  });

  test('does not take a delay of its own process for a failure of the store', async () => {
    const { guard, lines } = bench();
    const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
    const busy = (): void => {
      const until = performance.now() + 160;
      while (performance.now() < until);
    };
    /** An answer that takes three turns of a process that is busy for longer than the time limit in each. */
    const work = async (): Promise<string> => {
      for (let turns = 0; turns < 3; turns += 1) {
        busy();
        await turn();
      }
      return 'an answer';
    };
    expect(await guard(work, { deadline: NO_DEADLINE, attempts: 1 })).toEqual({ ok: true, value: 'an answer' });
    expect(lines).toEqual([]);
  });

  test('causes no unhandled rejection when an aborted call fails', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { clock, guard } = bench();
    const { promise, reject } = Promise.withResolvers<never>();
    await guard(() => promise, { deadline: later(clock.clock(), 1), attempts: 1 });
    reject(new Error('too late'));
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('[limiter 6] the store guard during an outage', () => {
  test('lets three calls try, and then rejects calls at once', async () => {
    const { tryIt } = bench();
    for (let caller = 0; caller < 3; caller += 1) expect(await tryIt(failing)).toEqual({ ok: false, attempts: 1 });
    for (let caller = 0; caller < 50; caller += 1) expect(await tryIt(failing, 2)).toEqual({ ok: false, attempts: 0 });
  });

  test('makes no second attempt when the breaker opens', async () => {
    const { tryIt } = bench();
    await tryIt(failing, 2);
    expect(await tryIt(failing, 2)).toEqual({ ok: false, attempts: 1 });
  });

  test.each([
    [0, 1000],
    [0.5, 1500],
    [0.999, 1999],
  ])('lets one probe through after 1 to 2 s (random %s)', async (random, milliseconds) => {
    const { clock, tryIt, guard } = bench(() => random);
    for (let caller = 0; caller < 3; caller += 1) await tryIt(failing);
    clock.wait(milliseconds - 1);
    expect(await tryIt(answering)).toEqual({ ok: false, attempts: 0 });
    clock.wait(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const probe = guard(() => promise, { deadline: NO_DEADLINE, attempts: 1 });
    expect(await tryIt(answering)).toEqual({ ok: false, attempts: 0 });
    resolve('back');
    expect(await probe).toEqual({ ok: true, value: 'back' });
    expect(await tryIt(answering)).toMatchObject({ ok: true });
  });
});

describe('[keys 12] the log of the store guard', () => {
  test.each([
    'AccessDeniedException',
    'IncompleteSignatureException',
    'MissingAuthenticationTokenException',
    'ResourceNotFoundException',
    'SerializationException',
    'UnrecognizedClientException',
    'ValidationException',
  ])('names %s as a configuration error, which is not attempted again', async (kind) => {
    const { tryIt, lines } = bench();
    expect(await tryIt(failingWith(kind), 2)).toEqual({ ok: false, attempts: 1 });
    expect(lines).toEqual([{ level: 'error', event: 'store_misused', store: 'counters', kind }]);
  });

  test.each([
    ['ProvisionedThroughputExceededException', {}, 'ProvisionedThroughputExceededException'],
    ['ThrottlingException', {}, 'ThrottlingException'],
    ['InternalServerError', { code: 7 }, 'InternalServerError'],
    ['Error', { code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
    ['Error', { code: 'ECONNRESET' }, 'ECONNRESET'],
    ['SyntaxError', {}, 'SyntaxError'],
  ])('names the kind of %s %j, and nothing that the store said', async (name, members, kind) => {
    const { tryIt, lines } = bench();
    await tryIt(failingWith(name, members));
    expect(lines).toEqual([{ level: 'warn', event: 'store_failed', store: 'counters', kind }]);
  });

  test('has a line for each attempt, and none while the breaker is open', async () => {
    const { tryIt, lines } = bench();
    for (let caller = 0; caller < 20; caller += 1) await tryIt(failing, 2);
    expect(lines).toHaveLength(3);
  });
});

test('all store calls before an answer have 350 ms together', () => {
  expect(STORE_BUDGET_MILLISECONDS).toBe(350);
});

test('the first calls of an instance share 1 s of extra time', () => {
  const clock = testClock();
  const { setupMilliseconds, recordCall } = createStoreConnection(clock.clock);
  expect(setupMilliseconds()).toBe(1000);
  clock.wait(400);
  recordCall();
  expect(setupMilliseconds()).toBe(600);
  clock.wait(600);
  expect(setupMilliseconds()).toBe(0);
});

test('the first calls after 30 s without a call have extra time again', () => {
  const clock = testClock();
  const { setupMilliseconds, recordCall } = createStoreConnection(clock.clock);
  setupMilliseconds();
  clock.wait(1000);
  recordCall();
  clock.wait(29_999);
  expect(setupMilliseconds()).toBe(0);
  clock.wait(1);
  expect(setupMilliseconds()).toBe(1000);
});

test('[keys 6] concurrent first calls on an instance without a connection are no failures of the store', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = testClock();
  const lines: unknown[] = [];
  const options = { ...clock, log: (line: unknown) => void lines.push(line), random: () => 0.5 };
  // Longer than a call may take once connections exist.
  const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('an answer'), 200));
  const limits = { deadline: later(clock.clock(), 1350), attempts: 1 };
  const cold = createStoreGuard('keys', { ...options, connection: createStoreConnection(clock.clock) });
  const burst = Promise.all(Array.from({ length: 30 }, () => cold(slow, limits)));
  await vi.advanceTimersByTimeAsync(200);
  expect(await burst).toEqual(Array(30).fill({ ok: true, value: 'an answer' }));
  expect(lines).toEqual([]);
  const warm = createStoreGuard('keys', options);
  const late = warm(slow, limits);
  await vi.advanceTimersByTimeAsync(200);
  expect(await late).toEqual({ ok: false });
});
