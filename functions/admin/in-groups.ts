// Reads something of each key of the operator, with a bound on the calls to the store at a time.

const GROUP = 16;

/** @returns the results in the order of the items */
export const inGroups = async <Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += GROUP)
    results.push(...(await Promise.all(items.slice(start, start + GROUP).map(read))));
  return results;
};
