// Random choices that a seed repeats.

/** @returns a number in [0, 1) */
export type Random = () => number;

/** Mulberry32: the same numbers for the same seed on every machine. */
export const seededRandom = (seed = 20261121): Random => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** @throws if there are no items */
export const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
};

export const randomSampleOf = <Item>(random: Random, items: readonly Item[], size: number): readonly Item[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ item }) => item);
