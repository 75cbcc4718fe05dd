import { describe, expect, test } from 'vitest';
import type { LogFields } from '../../../shared/ports/system.ts';
import { createStoreGuard } from '../../../shared/stores/store-guard.ts';
import { NO_DEADLINE, testClock } from '../../support/limiter.ts';

const failing =
  (name: string, members: object = {}) =>
  async (): Promise<never> => {
    throw Object.assign(new Error('LEAKY'), { name, ...members });
  };

const bench = (random = () => 0.5) => {
  const clock = testClock();
  const lines: LogFields[] = [];
  const log = (fields: LogFields): void => void lines.push(fields);
  const guard = createStoreGuard('counters', { clock: clock.now, log, random });
  let calls = 0;
  /** @returns whether the store was asked, and what came of it */
  const tryIt = async (work: () => Promise<unknown>, attempts = 1, deadline = NO_DEADLINE) => {
    const before = calls;
    const counted = (): Promise<unknown> => {
      calls += 1;
      return work();
    };
    const tried = await guard(counted, { deadline, attempts });
    return { ...tried, asked: calls - before };
  };
  return { clock, lines, guard, tryIt };
};

const well = async (): Promise<string> => 'an answer';
const ill = failing('InternalServerError');

describe('an answer of the store', () => {
  test('is handed on, and not logged', async () => {
    const { tryIt, lines } = bench();
    expect(await tryIt(well)).toEqual({ ok: true, value: 'an answer', asked: 1 });
    expect(await tryIt(async () => undefined)).toEqual({ ok: true, value: undefined, asked: 1 });
    expect(lines).toEqual([]);
  });

  test('is worth as many attempts as are allowed, and no more', async () => {
    expect(await bench().tryIt(ill, 2)).toEqual({ ok: false, asked: 2 });
    let calls = 0;
    const atLast = async (): Promise<string> => {
      calls += 1;
      return calls === 1 ? ill() : 'an answer';
    };
    expect(await bench().tryIt(atLast, 2)).toEqual({ ok: true, value: 'an answer', asked: 2 });
    expect(await bench().tryIt(well, 2)).toEqual({ ok: true, value: 'an answer', asked: 1 });
  });

  test('is not asked for when there is no time left', async () => {
    const { clock, tryIt, lines } = bench();
    expect(await tryIt(well, 2, clock.now())).toEqual({ ok: false, asked: 0 });
    const slow = async (): Promise<never> => {
      clock.wait(100);
      return ill();
    };
    expect(await tryIt(slow, 9, clock.now() + 101)).toEqual({ ok: false, asked: 2 });
    expect(lines).toHaveLength(2);
  });

  test('that comes too late is not waited for, and the store hears of it', async () => {
    const { guard, lines } = bench();
    const { promise, resolve } = Promise.withResolvers<string>();
    let heard: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<string> => {
      heard = signal;
      return promise;
    };
    // An attempt has its own limit, or this would wait for ever.
    expect(await guard(work, { deadline: NO_DEADLINE, attempts: 1 })).toEqual({ ok: false });
    expect(heard?.aborted).toBe(true);
    expect(lines).toEqual([{ level: 'warn', event: 'store_failed', store: 'counters', kind: 'TimeoutError' }]);
    resolve('too late');
  });

  test('is waited for no longer than there is time', async () => {
    const { clock, guard } = bench();
    const asked: AbortSignal[] = [];
    const work = (signal: AbortSignal): Promise<never> => {
      asked.push(signal);
      clock.wait(8);
      return new Promise(() => undefined);
    };
    expect(await guard(work, { deadline: clock.now() + 10, attempts: 9 })).toEqual({ ok: false });
    expect(asked).toHaveLength(2);
    expect(asked.every(({ aborted }) => aborted)).toBe(true);
  });

  test('that fails after it was given up is nobody’s unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { clock, guard } = bench();
    const { promise, reject } = Promise.withResolvers<never>();
    await guard(() => promise, { deadline: clock.now() + 1, attempts: 1 });
    reject(new Error('too late'));
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('work that throws at once is a fault like any other', async () => {
    const { tryIt } = bench();
    const thrown = (): never => {
      throw new Error('at once');
    };
    expect(await tryIt(thrown)).toEqual({ ok: false, asked: 1 });
  });
});

describe('[limiter #6] an outage', () => {
  test('costs three callers an attempt each, and the next ones nothing', async () => {
    const { tryIt } = bench();
    for (let caller = 0; caller < 3; caller += 1) expect(await tryIt(ill)).toEqual({ ok: false, asked: 1 });
    for (let caller = 0; caller < 50; caller += 1) expect(await tryIt(ill, 2)).toEqual({ ok: false, asked: 0 });
  });

  test('is one of failures in a row: an answer in between starts anew', async () => {
    const { tryIt } = bench();
    for (const work of [ill, ill, well, ill, ill]) await tryIt(work);
    expect(await tryIt(well)).toMatchObject({ ok: true });
  });

  test('stops a second attempt as well', async () => {
    const { tryIt } = bench();
    await tryIt(ill, 2);
    expect(await tryIt(ill, 2)).toEqual({ ok: false, asked: 1 });
  });

  test.each([
    [0, 1000],
    [0.5, 1500],
    [0.999, 1999],
  ])('is looked at again by one caller after one to two seconds (random %s)', async (random, milliseconds) => {
    const { clock, tryIt, guard } = bench(() => random);
    for (let caller = 0; caller < 3; caller += 1) await tryIt(ill);
    clock.wait(milliseconds - 1);
    expect(await tryIt(well)).toEqual({ ok: false, asked: 0 });
    clock.wait(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const probe = guard(() => promise, { deadline: NO_DEADLINE, attempts: 1 });
    expect(await tryIt(well)).toEqual({ ok: false, asked: 0 });
    resolve('back');
    expect(await probe).toEqual({ ok: true, value: 'back' });
    expect(await tryIt(well)).toMatchObject({ ok: true });
  });

  test('goes on when that caller hears nothing either', async () => {
    const { clock, tryIt } = bench();
    for (let caller = 0; caller < 3; caller += 1) await tryIt(ill);
    clock.wait(2000);
    expect(await tryIt(ill)).toEqual({ ok: false, asked: 1 });
    expect(await tryIt(well)).toEqual({ ok: false, asked: 0 });
    clock.wait(2000);
    expect(await tryIt(well)).toMatchObject({ ok: true });
  });

  test('of one store is none of another', async () => {
    const { tryIt } = bench();
    const other = bench();
    for (let caller = 0; caller < 3; caller += 1) await tryIt(ill);
    expect(await other.tryIt(well)).toMatchObject({ ok: true });
  });
});

describe('[spec 5.4 #46] the log', () => {
  test.each([
    'AccessDeniedException',
    'IncompleteSignatureException',
    'MissingAuthenticationTokenException',
    'ResourceNotFoundException',
    'SerializationException',
    'UnrecognizedClientException',
    'ValidationException',
  ])('calls %s what it is: a fault of ours, which another attempt does not mend', async (kind) => {
    const { tryIt, lines } = bench();
    expect(await tryIt(failing(kind), 2)).toEqual({ ok: false, asked: 1 });
    expect(lines).toEqual([{ level: 'error', event: 'store_misused', store: 'counters', kind }]);
  });

  test.each([
    ['ProvisionedThroughputExceededException', {}, 'ProvisionedThroughputExceededException'],
    ['ThrottlingException', {}, 'ThrottlingException'],
    ['InternalServerError', { code: 7 }, 'InternalServerError'],
    ['Error', { code: 'ECONNREFUSED' }, 'ECONNREFUSED'],
    ['Error', { code: 'ECONNRESET' }, 'ECONNRESET'],
    ['SyntaxError', {}, 'SyntaxError'],
  ])('says of %s %j what kind it is, and nothing that the store said', async (name, members, kind) => {
    const { tryIt, lines } = bench();
    await tryIt(failing(name, members));
    expect(lines).toEqual([{ level: 'warn', event: 'store_failed', store: 'counters', kind }]);
  });

  test('has a line for each attempt, and none while the store is left alone', async () => {
    const { tryIt, lines } = bench();
    for (let caller = 0; caller < 20; caller += 1) await tryIt(ill, 2);
    expect(lines).toHaveLength(3);
  });

  test('takes whatever is thrown', async () => {
    const { tryIt, lines } = bench();
    const odd = async (): Promise<never> => Promise.reject('LEAKY');
    await tryIt(odd);
    expect(lines).toMatchObject([{ event: 'store_failed', kind: 'unknown' }]);
  });
});
