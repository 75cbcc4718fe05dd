// A memory of bounded size: the oldest goes first.

export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  /** Makes it the newest. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export const createBoundedMap = <Value>(maxEntries: number): BoundedMap<Value> => {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key); // the order of the map is the order of setting
      const [oldest] = entries.size >= maxEntries ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(key, value);
    },
    delete: (key) => void entries.delete(key),
  };
};
