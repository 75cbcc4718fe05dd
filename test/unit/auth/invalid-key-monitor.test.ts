import { describe, expect, test } from 'vitest';
import { createInvalidKeyMonitor } from '../../../shared/auth/invalid-key-monitor.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { testClock } from '../../support/limiter.ts';

const bench = () => {
  const clock = testClock();
  const lines: LogFields[] = [];
  const monitor = createInvalidKeyMonitor(clock.clock, (fields) => void lines.push(fields));
  const record = (times: number, identity = 'network'): void => {
    for (let index = 0; index < times; index += 1) monitor(identity);
  };
  return { clock, lines, record };
};

describe('[keys 11] the invalid-key monitor', () => {
  test('logs the tenth invalid key of a client network, and each tenth after it', () => {
    const { lines, record } = bench();
    record(9);
    expect(lines).toEqual([]);
    record(1);
    record(14);
    const line = { level: 'warn', event: 'repeated_invalid_key', caller: 'network' };
    expect(lines).toEqual([
      { ...line, rejections: 10 },
      { ...line, rejections: 20 },
    ]);
  });

  test('counts for 15 minutes after the first invalid key', () => {
    const { clock, lines, record } = bench();
    record(1);
    clock.wait(899_999);
    record(9);
    expect(lines).toHaveLength(1);
    clock.wait(1);
    record(9);
    expect(lines).toHaveLength(1);
    record(1);
    expect(lines.map(({ rejections }) => rejections)).toEqual([10, 10]);
  });

  test('counts each client network separately and remembers the latest 10,000', () => {
    const { lines, record } = bench();
    record(9, 'first');
    record(9, 'second');
    for (let index = 0; index < 9999; index += 1) record(1, String(index));
    record(1, 'second');
    expect(lines).toEqual([expect.objectContaining({ caller: 'second', rejections: 10 })]);
    record(1, 'first');
    expect(lines).toHaveLength(1);
  });
});
