// Tests which reader loses its slot, with a virtual clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReaderSlots, type ReaderSlot } from '../../../functions/media/reader-slots.ts';
import { clocksOf } from '../../support/clocks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const slots = createReaderSlots(20, clocksOf(() => Date.now()).clock);
  const ended: string[] = [];
  /** @param name of the reader, whose network precedes `#` */
  const acquire = async (name: string): Promise<ReaderSlot | undefined> => {
    let held: ReaderSlot | undefined;
    held = await slots.acquire(name.replace(/#.*/, ''), () => {
      ended.push(name);
      held?.release();
    });
    return held;
  };
  const stop = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      (await acquire(name))?.setWaitsForReader(true);
      vi.advanceTimersByTime(10);
    }
  };
  return { acquire, ended, stop };
};

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test('[pictures 5] the slowest reader of the surroundings that hold most goes for a network that has none', async () => {
  const { acquire, ended, stop } = setUp();
  await stop(...numbered(10, (at) => `4:198.51.${at}.1`));
  await stop(...numbered(6, (at) => `6:2001:db8:0:${at}`));
  await stop(...numbered(4, (at) => `4:203.0.${at}.1`));
  vi.advanceTimersByTime(1000);
  expect(await acquire('4:192.0.2.1')).toBeDefined();
  expect(ended).toEqual(['6:2001:db8:0:0']);
  expect(await acquire('4:192.0.3.1')).toBeDefined();
  expect(ended).toEqual(['6:2001:db8:0:0', '6:2001:db8:0:1']);
});

test('[pictures 5] no reader goes who takes its file, or for a network that has a slot', async () => {
  const { acquire, ended, stop } = setUp();
  const readers = await Promise.all(numbered(19, (at) => acquire(`4:198.51.${at}.1`)));
  await stop('4:192.0.2.1');
  readers[0]?.setWaitsForReader(true);
  readers[0]?.setWaitsForReader(false);
  const other = acquire('4:192.0.3.1');
  const second = acquire('4:192.0.2.1#2');
  await vi.advanceTimersByTimeAsync(900);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(ended).toEqual(['4:192.0.2.1']);
  expect(await other).toBeDefined();
  await vi.advanceTimersByTimeAsync(8000);
  expect(await second).toBeUndefined();
});

test('[pictures 5] a network has no more waiting readers than 256', async () => {
  const { acquire } = setUp();
  const readers = numbered(300, (at) => acquire(`4:192.0.2.1#${at}`));
  const refused = Promise.all(readers.slice(-30));
  expect((await refused).filter((slot) => slot !== undefined)).toEqual([]);
  await vi.advanceTimersByTimeAsync(8000);
  await Promise.all(readers);
});
