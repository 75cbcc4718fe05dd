import { describe, expect, test } from 'vitest';
import { createRefundLimit } from '../../../shared/rate-limit/refund-limit.ts';
import { testClock } from '../../support/limiter.ts';

const ALLOWANCE = { count: 3, seconds: 900 };

const createLimit = () => {
  const clock = testClock();
  const limit = createRefundLimit(clock.clock);
  return {
    wait: clock.wait,
    allows: (subject?: string, partition = 'browse#a:1') => limit(partition, ALLOWANCE, subject),
  };
};

const LARGE = { count: 100_000, seconds: 900 };

const createMany = () => {
  const clock = testClock();
  return { clock, limit: createRefundLimit(clock.clock) };
};

describe('[limiter 5] the limit of refunds', () => {
  test('allows one refund of a subject per minute', () => {
    const { allows, wait } = createLimit();
    expect(allows('20')).toBe(true);
    wait(59_999);
    expect(allows('20')).toBe(false);
    wait(1);
    expect(allows('20')).toBe(true);
  });

  test('counts each subject and each partition for itself', () => {
    const { allows } = createLimit();
    expect([allows('20'), allows('21'), allows('20', 'browse#a:2')]).toEqual([true, true, true]);
    expect([allows('20'), allows('21'), allows('20', 'browse#a:2')]).toEqual([false, false, false]);
  });

  test('allows as many refunds per window as the allowance has units', () => {
    const { allows, wait } = createLimit();
    expect(['1', '2', '3', '4'].map((subject) => allows(subject))).toEqual([true, true, true, false]);
    wait(899_999);
    expect(allows('5')).toBe(false);
    wait(1);
    expect(['5', '6', '7', '8'].map((subject) => allows(subject))).toEqual([true, true, true, false]);
  });

  test('remembers 10,000 subjects, and forgets the oldest', () => {
    const { clock, limit } = createMany();
    const allows = (subject: string) => limit('browse#a:1', LARGE, subject);
    allows('first');
    allows('second');
    for (let count = 2; count < 10_000; count += 1) allows(`${count}`);
    expect(allows('first')).toBe(false);
    allows('one more');
    expect([allows('second'), allows('first')]).toEqual([false, true]);
    clock.wait(60_000);
    expect(allows('second')).toBe(true);
  });
});
