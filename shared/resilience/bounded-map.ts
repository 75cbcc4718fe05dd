// Keeps at most a given number of entries in memory. It is the only bounded cache of the service.
//
// Eviction: `set` makes an entry the newest, `get` does not, so the order is that of the last write. A new entry first
// removes the expired entries at the oldest end. If the map is still full, it removes all other expired entries, and if
// it is full even then, the oldest entry.
// Bounds: the number of entries, not their bytes. `get` and `delete` take constant time. `set` does so too, except in a
// full map with an expiry, where it takes time in proportion to the number of entries.
// Failure: no operation waits or throws. An evicted entry reads as absent, so an absent entry must be a safe answer.

export interface BoundedMap<Value, Key = string> {
  /** @returns undefined for an entry that is absent, evicted or expired */
  get(key: Key): Value | undefined;
  /** Makes the entry the newest. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/** @param isExpired must not turn from true to false for a value; unset: values do not expire */
export const createBoundedMap = <Value, Key = string>(
  maxEntries: number,
  isExpired?: (value: Value) => boolean,
): BoundedMap<Value, Key> => {
  const entries = new Map<Key, Value>(); // Map iterates in order of insertion

  const removeExpired = (atOldestEnd: boolean): void => {
    for (const [key, value] of isExpired ? entries : []) {
      if (isExpired?.(value)) entries.delete(key);
      else if (atOldestEnd) return;
    }
  };

  return {
    get(key) {
      const value = entries.get(key);
      return value === undefined || isExpired?.(value) ? undefined : value;
    },
    set(key, value) {
      entries.delete(key);
      removeExpired(true);
      if (entries.size >= maxEntries) removeExpired(false);
      const [oldest] = entries.size < maxEntries ? [] : entries;
      if (oldest !== undefined) entries.delete(oldest[0]);
      entries.set(key, value);
    },
    delete: (key) => void entries.delete(key),
  };
};
