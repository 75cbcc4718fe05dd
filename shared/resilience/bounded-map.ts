// Keeps at most a given number of entries, or of bytes, in memory. It is the only bounded cache of the service.
//
// Eviction: `set` makes an entry the newest, `get` does not, so the order is that of the last write. A new entry first
// removes the expired entries at the oldest end. If the map is still full, it removes all other expired entries, and if
// it is full even then, the oldest entries.
// Bounds: the number of entries and, if the size of an entry is given, their bytes. `get` and `delete` take constant time.
// `set` does so too, except in a full map with an expiry, where it takes time in proportion to the number of entries.
// Failure: no operation waits or throws. An evicted entry reads as absent, so an absent entry must be a safe answer.

export interface BoundedMap<Value, Key = string> {
  /** @returns undefined for an entry that is absent, evicted or expired */
  get(key: Key): Value | undefined;
  /** Makes the entry the newest. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

export interface ByteBound<Value> {
  /** An entry that is larger is kept alone. */
  readonly maxBytes: number;
  /** @returns the same number for the same value */
  bytesOf(value: Value): number;
}

/**
 * @param isExpired must not turn from true to false for a value; unset: values do not expire
 * @param byteBound unset: the number of entries is the only bound
 */
export const createBoundedMap = <Value, Key = string>(
  maxEntries: number,
  isExpired?: (value: Value) => boolean,
  byteBound?: ByteBound<Value>,
): BoundedMap<Value, Key> => {
  const entries = new Map<Key, Value>(); // Map iterates in order of insertion

  const bytesOf = (value: Value): number => byteBound?.bytesOf(value) ?? 0;
  let bytes = 0;

  const remove = (key: Key): void => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    bytes -= bytesOf(value);
  };

  const removeExpired = (atOldestEnd: boolean): void => {
    for (const [key, value] of isExpired ? entries : []) {
      if (isExpired?.(value)) remove(key);
      else if (atOldestEnd) return;
    }
  };

  const hasRoom = (addedBytes: number): boolean =>
    entries.size < maxEntries && (byteBound === undefined || bytes + addedBytes <= byteBound.maxBytes);

  return {
    get(key) {
      const value = entries.get(key);
      return value === undefined || isExpired?.(value) ? undefined : value;
    },
    set(key, value) {
      const added = bytesOf(value);
      remove(key);
      removeExpired(true);
      if (!hasRoom(added)) removeExpired(false);
      for (const oldest of entries.keys()) {
        if (hasRoom(added)) break;
        remove(oldest);
      }
      entries.set(key, value);
      bytes += added;
    },
    delete: remove,
  };
};
