// Follows the cursors of a list.

/** A list of the service. Nothing is requested before the list is iterated, and each iteration starts again. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Iterates pages instead of items. A page has `next_cursor`, unless it is the last one, and its own `warnings`. */
  pages(): AsyncIterable<Page>;
  /** Reads the first page only. */
  page(): Promise<Page>;
  /** Reads the first items, and no page after them. `Infinity`: all items. */
  first(count: number): Promise<Item[]>;
}

/** The first page of a list, which is requested at once. It is the list as well, which goes on after this page. */
export type FirstPage<Item, Page> = Promise<Page> & List<Item, Page>;

interface Continued<Item> {
  readonly next_cursor?: string | undefined;
  readonly posts?: readonly Item[];
  readonly users?: readonly Item[];
}

type ReadPage<Page> = (cursor: string | undefined) => Promise<Page>;

/** @param cursor the position to start at; undefined: the start of the list */
export const createList = <Item, Page extends Continued<Item>>(
  readPage: ReadPage<Page>,
  cursor: string | undefined,
): List<Item, Page> => {
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let next = cursor;
    do {
      const page = await readPage(next);
      yield page;
      next = page.next_cursor;
    } while (next !== undefined);
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const { users, posts } of pages()) yield* users ?? posts ?? [];
  }
  return {
    pages,
    page: () => readPage(cursor),
    async first(count) {
      const found: Item[] = [];
      if (count >= 1)
        for await (const item of items()) {
          found.push(item);
          if (found.length >= count) break;
        }
      return found;
    },
    [Symbol.asyncIterator]: items,
  };
};

/** As createList, but the first page is requested at once. */
export const createFirstPage = <Item, Page extends Continued<Item>>(
  readPage: ReadPage<Page>,
  cursor: string | undefined,
): FirstPage<Item, Page> => {
  const first = readPage(cursor);
  return Object.assign(
    first,
    createList<Item, Page>((next) => (next === cursor ? first : readPage(next)), cursor),
  );
};
