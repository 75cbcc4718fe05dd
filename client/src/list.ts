// Follows the cursors of a list.

/** A list of the service. Nothing is requested before the list is iterated, and each iteration starts again. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Iterates pages instead of items. A page has `next_cursor`, unless it is the last one, and its own `warnings`. */
  pages(): AsyncIterable<Page>;
}

interface Continued {
  readonly next_cursor?: string | undefined;
}

/** @param cursor the position to start at; undefined: the start of the list */
export const createList = <Item, Page extends Continued>(
  readPage: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
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
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page) ?? [];
    },
  };
};
