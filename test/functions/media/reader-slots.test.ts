// Tests which reader loses its slot, and which gets one, with a virtual clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReaderSlots, type ReaderSlot } from '../../../functions/media/reader-slots.ts';
import { clocksOf } from '../../support/clocks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param count of slots */
const setUp = (count = 20) => {
  const slots = createReaderSlots(count, clocksOf(() => Date.now()).clock);
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
  return { slots, acquire, ended, stop };
};

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test('[pictures 5] the slowest reader of the network that holds most goes for a network that has none', async () => {
  const { acquire, ended, stop } = setUp();
  await stop(...numbered(3, (at) => `6:2001:db8:0:${at}`));
  await stop(...numbered(10, (at) => `4:${at}.51.100.1`));
  await stop(...numbered(7, (at) => `4:${100 + at}.0.113.1`));
  vi.advanceTimersByTime(1000);
  expect(await acquire('4:192.0.2.1')).toBeDefined();
  expect(ended).toEqual(['6:2001:db8:0:0']);
  expect(await acquire('4:193.0.3.1')).toBeDefined();
  expect(ended).toEqual(['6:2001:db8:0:0', '6:2001:db8:0:1']);
});

test('[pictures 5] no reader goes who takes its file, or for a network that has as many slots', async () => {
  const { acquire, ended, stop } = setUp();
  const readers = await Promise.all(numbered(19, (at) => acquire(`4:${at}.51.100.1`)));
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

const CHUNK_MILLISECONDS = 900;
const FILE_MILLISECONDS = 300;

/** More than may wait. Each never ends, and takes a chunk before it counts as stopped. */
const GREEDY_READERS = 1100;

const addressIn = {
  4: (network: number, at: number) => `6:2001:db8:${network}:${at.toString(16)}`,
  10: (network: number, at: number) => `4:198.${network}.100.${at % 256}`,
} as const;

const others: Readonly<Record<string, (at: number) => string>> = {
  'one address': () => '4:192.0.2.1',
  'different networks': (at) => `4:${at}.0.2.1`,
};

const cases = ([4, 10] as const).flatMap((networks) => Object.keys(others).map((other) => [networks, other] as const));

test.each(cases)(
  '[pictures 5] %i networks that hold what they can leave the pictures of %s',
  async (networks, other) => {
    const { slots } = setUp(64);
    const hold = async (client: string): Promise<void> => {
      for (;;) {
        let isEnded = false;
        const slot = await slots.acquire(client, () => {
          isEnded = true;
        });
        if (slot === undefined) await new Promise((retry) => setTimeout(retry, CHUNK_MILLISECONDS));
        while (slot !== undefined && !isEnded) {
          slot.setWaitsForReader(true);
          await new Promise((taken) => setTimeout(taken, CHUNK_MILLISECONDS));
          slot.setWaitsForReader(false);
        }
        slot?.release();
      }
    };
    for (let at = 0; at < GREEDY_READERS; at += 1)
      void hold(addressIn[networks](at % networks, Math.floor(at / networks)));
    await vi.advanceTimersByTimeAsync(3000);
    let served = 0;
    for (let at = 0; at < 20; at += 1) {
      void slots
        .acquire(others[other]?.(at) ?? '', () => undefined)
        .then((slot) => {
          if (slot === undefined) return;
          setTimeout(() => {
            served += 1;
            slot.release();
          }, FILE_MILLISECONDS);
        });
    }
    await vi.advanceTimersByTimeAsync(9000);
    expect(served).toBeGreaterThanOrEqual(19);
  },
);
