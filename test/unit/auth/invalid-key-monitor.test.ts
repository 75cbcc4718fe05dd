import { describe, expect, test } from 'vitest';
import { createInvalidKeyMonitor } from '../../../shared/auth/invalid-key-monitor.ts';
import type { LogFields } from '../../../shared/ports/system.ts';
import { testClock } from '../../support/limiter.ts';

const bench = () => {
  const clock = testClock();
  const lines: LogFields[] = [];
  const rejections = createInvalidKeyMonitor(clock.now, (fields) => void lines.push(fields));
  const note = (times: number, identity = 'somebody'): void => {
    for (let index = 0; index < times; index += 1) rejections.record(identity);
  };
  return { clock, lines, note };
};

describe('[spec 5.7 #45] the operator hears of who keeps trying keys that are none', () => {
  test('at the tenth, and at each tenth from then on', () => {
    const { lines, note } = bench();
    note(9);
    expect(lines).toEqual([]);
    note(1);
    note(14);
    const line = { level: 'warn', event: 'repeated_invalid_key', caller: 'somebody' };
    expect(lines).toEqual([
      { ...line, rejections: 10 },
      { ...line, rejections: 20 },
    ]);
  });

  test('and not of who tries one now and then', () => {
    const { clock, lines, note } = bench();
    for (let quarter = 0; quarter < 10; quarter += 1) {
      note(9);
      clock.wait(900_000);
    }
    expect(lines).toEqual([]);
  });

  test('for a quarter of an hour since the first', () => {
    const { clock, lines, note } = bench();
    note(1);
    clock.wait(899_999);
    note(9);
    expect(lines).toHaveLength(1);
    clock.wait(1);
    note(9);
    expect(lines).toHaveLength(1);
    note(1);
    expect(lines.map(({ rejections }) => rejections)).toEqual([10, 10]);
  });

  test('each by himself, of the latest 10,000', () => {
    const { lines, note } = bench();
    note(9, 'first');
    note(9, 'second');
    for (let index = 0; index < 9999; index += 1) note(1, String(index));
    note(1, 'second');
    expect(lines).toEqual([expect.objectContaining({ caller: 'second', rejections: 10 })]);
    note(1, 'first');
    expect(lines).toHaveLength(1);
  });
});
