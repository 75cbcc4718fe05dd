import { describe, expect, test } from 'vitest';
import { createBoundedMap } from '../../../shared/resilience/bounded-map.ts';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

describe('a bounded map', () => {
  const keysOf = (map: { get(key: string): unknown }): string =>
    KEYS.filter((key) => map.get(key) !== undefined).join('');

  test('evicts the oldest entry when a new entry finds it full', () => {
    const map = createBoundedMap<number>(3);
    for (const key of ['a', 'b', 'c']) map.set(key, 0);
    expect(keysOf(map)).toBe('abc');
    map.set('d', 0);
    expect(keysOf(map)).toBe('bcd');
  });

  test('keeps falsy values, and keys of another type', () => {
    const map = createBoundedMap<string, number>(2);
    map.set(0, '');
    expect(map.get(0)).toBe('');
    expect(map.get(1)).toBeUndefined();
  });

  describe('with a bound of bytes', () => {
    const bench = (isExpired?: (value: number) => boolean) =>
      createBoundedMap<number>(4, isExpired, { maxBytes: 10, bytesOf: (value) => value });

    test('evicts the oldest entries until the new one fits', () => {
      const map = bench();
      for (const key of ['a', 'b', 'c']) map.set(key, 3);
      map.set('d', 1);
      expect(keysOf(map)).toBe('abcd');
      map.set('e', 5);
      expect(keysOf(map)).toBe('cde');
    });

    test('does not count entries that are deleted, replaced or expired', () => {
      let expired = 0;
      const map = bench((value) => value === expired);
      map.set('a', 9);
      map.delete('a');
      map.delete('a');
      map.set('b', 9);
      map.set('b', 2);
      map.set('c', 8);
      expect(keysOf(map)).toBe('bc');
      expired = 8;
      map.set('d', 7);
      expect(keysOf(map)).toBe('bd');
    });

    test('keeps an entry alone that is larger than the bound', () => {
      const map = bench();
      map.set('a', 1);
      map.set('b', 11);
      expect(keysOf(map)).toBe('b');
      map.set('c', 1);
      expect(keysOf(map)).toBe('c');
    });
  });

  describe('whose values expire', () => {
    const bench = (maxEntries: number) => {
      const clock = { now: 0 };
      const map = createBoundedMap<number>(maxEntries, (expiresAt) => expiresAt <= clock.now);
      return { clock, map };
    };

    test('evicts all expired entries before the oldest entry', () => {
      const { clock, map } = bench(4);
      for (const [key, expiresAt] of [
        ['a', 99],
        ['b', 10],
        ['c', 99],
        ['d', 10],
      ] as const) {
        map.set(key, expiresAt);
      }
      clock.now = 10;
      map.set('e', 99);
      expect(keysOf(map)).toBe('ace');
      map.set('b', 99);
      expect(keysOf(map)).toBe('abce');
      map.set('d', 99);
      expect(keysOf(map)).toBe('bcde');
    });

    test('drops the expired entries at its oldest end though it is not full', () => {
      const asked: number[] = [];
      const map = createBoundedMap<number>(9, (value) => {
        asked.push(value);
        return value < 3;
      });
      for (const value of [1, 2, 3]) map.set(String(value), value);
      asked.length = 0;
      map.set('4', 4);
      map.set('5', 5);
      expect(asked).toEqual([3, 3]);
    });
  });
});
