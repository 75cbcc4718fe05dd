// Tests fillPage with provider pages that are short, empty, overlapping or repeated.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListPosition } from '../../../shared/model/lists.ts';
import type { Outcome, PageRequest, UpstreamPage } from '../../../shared/ports/upstream.ts';
import { type FilledPage, fillPage } from '../../../shared/reads/paging/fill-page.ts';
import { createCursorCodec } from '../../../shared/reads/paging/signed-cursors.ts';
import { cases } from '../../support/full-form.ts';
import { found, NOW } from '../../support/test-app.ts';

const LIST = ['followers', 'jack'];
const cursors = createCursorCodec(['a secret']);

const ids = (count: number, first = 0): string[] => Array.from({ length: count }, (_, index) => String(first + index));

/** Creates a provider with these pages. Its cursors are page numbers. */
const provider = (pages: readonly (readonly string[])[], calls: PageRequest[] = []) => {
  const fetch = async (request: PageRequest): Promise<Outcome<UpstreamPage<string>>> => {
    calls.push(request);
    const at = Number(request.cursor ?? '0');
    return found({
      items: pages[at] ?? [],
      provider: 'fxtwitter',
      isFallback: false,
      ...(at + 1 < pages.length && { next: String(at + 1) }),
    });
  };
  return fetch;
};

type Fetch = ReturnType<typeof provider>;

const readPage = async (fetch: Fetch, limit: number, position?: ListPosition): Promise<FilledPage<string>> => {
  const page = await fillPage({ limit, position, fetch, idOf: (id: string) => id });
  if (page.kind !== 'found') throw new Error(page.kind);
  return page;
};

/** Reads all pages, each with the cursor of the previous page. */
const readAllPages = async (fetch: Fetch, limit: number | (() => number)): Promise<FilledPage<string>[]> => {
  const pages: FilledPage<string>[] = [];
  let position: ListPosition | undefined;
  do {
    const page = await readPage(fetch, typeof limit === 'number' ? limit : limit(), position);
    pages.push(page);
    position = page.next && cursors.decode(LIST, cursors.encode(LIST, page.next));
    if (pages.length > 2000) throw new Error('the list does not end');
  } while (position !== undefined);
  return pages;
};

const itemsOf = (pages: readonly FilledPage<string>[]): string[] => pages.flatMap(({ items }) => items);

const chunk = (all: readonly string[], sizes: readonly number[]): string[][] => {
  const pages: string[][] = [];
  let at = 0;
  for (let index = 0; at < all.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    pages.push(all.slice(at, at + size));
    at += size;
  }
  return pages;
};

/**
 * A provider page has new items, may repeat the end of what came before, at its start or, if it is not longer than what a
 * cursor remembers, at its end, and may be empty or twice.
 */
const worlds = fc
  .array(
    fc.record({
      fresh: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.constant(100)),
      repeated: fc.nat(12),
      isAtEnd: fc.boolean(),
      isTwice: fc.boolean(),
      emptyPages: fc.constantFrom(0, 0, 0, 1, 12),
    }),
    { minLength: 1, maxLength: 25, size: 'max' },
  )
  .map((shapes) => {
    let at = 0;
    const pages = shapes.flatMap(({ fresh, repeated, isAtEnd, isTwice, emptyPages }) => {
      const old = repeated === 0 ? [] : ids(at).slice(-repeated);
      const page = isAtEnd && fresh <= 25 ? [...ids(fresh, at), ...old] : [...old, ...ids(fresh, at)];
      at += fresh;
      return [page, ...Array.from({ length: emptyPages }, () => []), ...(isTwice ? [page] : [])];
    });
    return { pages: shapes[0]?.isTwice ? [[], ...pages] : pages, all: ids(at) };
  });

test('fillPage returns every item once and in order, for any provider pages and limits', async () => {
  const sizes = fc.infiniteStream(fc.oneof(fc.constantFrom(1, 7, 20, 100), fc.integer({ min: 1, max: 100 })));
  await fc.assert(
    fc.asyncProperty(worlds, sizes, async ({ pages, all }, limits) => {
      const asked: number[] = [];
      const nextLimit = (): number => {
        const limit = limits.next().value ?? 1;
        asked.push(limit);
        return limit;
      };
      const walked = await readAllPages(provider(pages), nextLimit);
      expect(itemsOf(walked)).toEqual(all);
      for (const [index, { next, isShort, items }] of walked.entries())
        if (next !== undefined && !isShort) expect(items).toHaveLength(asked[index] ?? 0);
    }),
    { numRuns: cases(200, 600) },
  );
});

describe('a timeline with old posts before younger ones', () => {
  const POSTS = 300;
  const idAt = (place: number): string => String(2_000_000_000_000_000_000n - BigInt(place) * 1_000_000_000_000n);
  /** A row is a post or a module: old parts of a thread, then the post of the row. */
  const timelineOf = (modules: ReadonlyMap<number, readonly number[]>, pinned: number, reposts: readonly number[]) => [
    idAt(pinned),
    ...Array.from({ length: POSTS }, (_, place) => [
      ...(modules.get(place) ?? []).flatMap((distance) => (place + distance < POSTS ? [idAt(place + distance)] : [])),
      ...(reposts.includes(place) ? ['900000000000000000'] : []),
      idAt(place),
    ]).flat(),
  ];
  const isOwn = (id: string): boolean => id !== '900000000000000000';

  const readTimeline = async (rows: readonly string[], pageSize: number, limit: number): Promise<string[]> => {
    const fetch = provider(chunk(rows, [pageSize]));
    const returned: string[] = [];
    let position: ListPosition | undefined;
    do {
      const page = await fillPage({
        limit,
        position,
        fetch,
        idOf: (id: string) => id,
        belongs: isOwn,
        isPlacedById: () => true,
      });
      if (page.kind !== 'found') throw new Error(page.kind);
      returned.push(...page.items);
      const text = page.next && cursors.encode(LIST, page.next);
      expect(text?.length ?? 0).toBeLessThanOrEqual(240);
      position = text === undefined ? undefined : cursors.decode(LIST, text);
    } while (position !== undefined);
    return returned;
  };
  const ALL_POSTS = Array.from({ length: POSTS }, (_, place) => idAt(place));

  test.each([5, 20, 50, 100])('has every post once with pages of %i', async (limit) => {
    const modules = fc
      .uniqueArray(
        fc.tuple(fc.nat(POSTS - 1), fc.array(fc.integer({ min: 1, max: 290 }), { minLength: 1, maxLength: 2 })),
        { maxLength: 30, selector: ([place]) => place },
      )
      .map((entries) => new Map(entries));
    const reposts = fc.array(fc.nat(POSTS - 1), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(modules, fc.nat(POSTS - 1), reposts, fc.constantFrom(20, 21, 100), async (...model) => {
        const [places, pinned, others, pageSize] = model;
        const returned = await readTimeline(timelineOf(places, pinned, others), pageSize, limit);
        expect(returned.toSorted()).toEqual(ALL_POSTS.toSorted());
      }),
      { numRuns: 40 },
    );
  });
});

describe('the end of a list', () => {
  test('a list ends if a page points to itself', async () => {
    const calls: PageRequest[] = [];
    const loop = async (request: PageRequest) => {
      calls.push(request);
      return found({ items: ids(5), provider: 'fxtwitter', isFallback: false, next: 'SAME' });
    };
    const page = await readPage(loop, 20);
    expect(page.items).toEqual(ids(5));
    expect(page).not.toHaveProperty('next');
    expect(calls).toHaveLength(2);
  });

  test.each(['only', 'after an empty page'])(
    'a list ends if pages point in a circle that is longer than one request: %s',
    async (start) => {
      let calls = 0;
      const circle = async ({ cursor }: PageRequest) => {
        calls += 1;
        const at = Number(cursor ?? '0');
        const shown =
          start === 'only' || cursor !== undefined
            ? { items: [`item ${at}`], next: String((at + 1) % 13) }
            : { items: [], next: '0' };
        return found({ ...shown, provider: 'fxtwitter', isFallback: false });
      };
      expect(itemsOf(await readAllPages(circle, 4))).toEqual(Array.from({ length: 13 }, (_, at) => `item ${at}`));
      expect(calls).toBeLessThan(30);
    },
  );

  test.each([1, 7, 20, 100])('a long list ends when it starts again, with pages of %i', async (limit) => {
    const pages = chunk(ids(310), [20]);
    const anew = async (request: PageRequest) => {
      const outcome = await provider(pages)(request);
      if (outcome.kind !== 'found') throw new Error(outcome.kind);
      // The last cursor leads to the first page, but has another name.
      return { ...outcome, value: { ...outcome.value, next: outcome.value.next ?? '00' } };
    };
    expect(itemsOf(await readAllPages(anew, limit))).toEqual(ids(310));
  });

  test('a list continues after a partial first page and after two pages that point to each other', async () => {
    const world: Record<string, { items: string[]; next: string }> = {
      start: { items: ids(10), next: 'a' },
      a: { items: ids(10, 10), next: 'b' },
      b: { items: ids(10, 20), next: 'a' },
    };
    const fetch = async ({ cursor = 'start' }: PageRequest) =>
      found({ ...(world[cursor] ?? { items: [] }), provider: 'fxtwitter', isFallback: false });
    for (const limit of [1, 7, 20]) expect(itemsOf(await readAllPages(fetch, limit))).toEqual(ids(30));
  });

  test('a list ends after 20 empty pages although each has a new cursor', async () => {
    let calls = 0;
    const nothing = async () => {
      calls += 1;
      return found({ items: [], provider: 'fxtwitter', isFallback: false, next: `cursor ${calls}` });
    };
    const pages = await readAllPages(nothing, 20);
    expect(itemsOf(pages)).toEqual([]);
    expect(calls).toBe(20);
    expect(pages.map(({ isShort }) => isShort)).toEqual([true, false]);
  });
});

describe('one request of fillPage', () => {
  test('fillPage does not return to a page whose remaining items do not belong to the list', async () => {
    const page = await fillPage({
      limit: 1,
      position: undefined,
      fetch: provider([['mine', 'other', 'another'], ['mine too']]),
      idOf: (id: string) => id,
      belongs: (id) => id.startsWith('mine'),
    });
    expect(page).toMatchObject({ items: ['mine'], next: { cursor: '1', isPartial: false } });
  });

  test('fillPage requests a partial page from the same provider with the same size', async () => {
    const calls: PageRequest[] = [];
    const fetch = provider(chunk(ids(60), [20]), calls);
    const first = await readPage(fetch, 7);
    await readPage(fetch, 30, first.next);
    expect(calls).toEqual([
      { size: 7 },
      { size: 7, provider: 'fxtwitter' },
      { size: 17, provider: 'fxtwitter', cursor: '1' },
    ]);
  });

  test('fillPage leaves out items that were added to the top of a partial first page', async () => {
    const first = await readPage(provider([ids(20)]), 5);
    const later = await readPage(provider([['new 1', 'new 2', ...ids(20)]]), 20, first.next);
    expect(later.items).toEqual(ids(15, 5));
  });

  test.each([
    [7, 20],
    [1, 20],
    [7, 40],
    [20, 100],
  ])('fillPage loses no item when, after a page of %i, %i items are added to the top', async (limit, fresh) => {
    const size = Math.max(20, fresh === 100 ? 100 : 20);
    /** A cursor names an item, as on X, and means the older items. */
    const live = (all: readonly string[]) => async (request: PageRequest) => {
      const at = request.cursor === undefined ? 0 : all.indexOf(request.cursor) + 1;
      const items = all.slice(at, at + size);
      const next = at + size < all.length ? items.at(-1) : undefined;
      return found({ items, provider: 'fxtwitter', isFallback: false, ...(next !== undefined && { next }) });
    };
    const first = await readPage(live(ids(330)), limit);
    const later = live([...ids(fresh, 1000), ...ids(330)]);
    const seen = [...first.items];
    let position = first.next;
    while (position !== undefined) {
      const read = await readPage(later, limit, position);
      seen.push(...read.items);
      position = read.next;
    }
    expect(ids(330).filter((id) => !seen.includes(id))).toEqual([]);
  });

  test('a list continues after two pages that start with the same item', async () => {
    const world: Record<string, { items: string[]; next: string }> = {
      start: { items: ['pinned', ...ids(19)], next: 'p1' },
      p1: { items: ['pinned', ...ids(16, 19)], next: 'p1' },
    };
    const fetch = async ({ cursor = 'start' }: PageRequest) =>
      found({ ...(world[cursor] ?? { items: [] }), provider: 'fxtwitter', isFallback: false });
    for (const limit of [1, 7, 20]) expect(itemsOf(await readAllPages(fetch, limit))).toEqual(['pinned', ...ids(35)]);
  });

  test('fillPage continues at the right item although the previous item was deleted', async () => {
    const first = await readPage(provider([ids(20)]), 5);
    const later = await readPage(provider([ids(20).filter((id) => id !== '4')]), 20, first.next);
    expect(later.items).toEqual(ids(15, 5));
  });
});

describe('a failed provider call', () => {
  const failingAt =
    (failing: number, outcome: Outcome<UpstreamPage<string>>, pages = chunk(ids(60), [20])): Fetch =>
    async (request) =>
      Number(request.cursor ?? '0') === failing ? outcome : provider(pages)(request);

  const down: Outcome<UpstreamPage<string>> = { kind: 'down', why: 'time-out' };

  test('fillPage returns a short page when a later call fails, and the next request repeats the call', async () => {
    const page = await readPage(failingAt(1, down), 50);
    expect(page).toMatchObject({ items: ids(20), isShort: true, next: { cursor: '1' } });
    expect(await fillPage({ limit: 50, position: page.next, fetch: failingAt(1, down), idOf: String })).toBe(down);
    expect((await readPage(provider(chunk(ids(60), [20])), 50, page.next)).items).toEqual(ids(40, 20));
  });
});

describe('a page with posts that do not belong to the list', () => {
  const withOthers =
    (others: (page: number) => readonly string[]) =>
    async ({ cursor = '0' }: PageRequest) => {
      const page = Number(cursor);
      const items = page === 25 ? ['mine'] : [];
      const next = page < 40 ? String(page + 1) : undefined;
      return found({ items, others: others(page), provider: 'x_api', isFallback: false, ...(next && { next }) });
    };

  test.each([1, 100])('is no empty page if %i of them are new', async (count) => {
    const pages = await readAllPages(
      withOthers((page) => ids(count, page * count)),
      5,
    );
    expect(itemsOf(pages)).toEqual(['mine']);
  });

  test('is an empty page if they were met before', async () => {
    const pages = await readAllPages(
      withOthers(() => ids(100)),
      5,
    );
    expect(itemsOf(pages)).toEqual([]);
  });
});

describe('a page that the provider sorts again between two requests', () => {
  const read = async (items: readonly string[], limit: number, position?: ListPosition) => {
    const page = await fillPage({ limit, position, fetch: provider([items]), idOf: String, isRanked: true });
    if (page.kind !== 'found') throw new Error(page.kind);
    return page;
  };

  test('loses no item that has risen above the last returned one', async () => {
    const first = await read(ids(30), 5);
    const risen = ['20', '29', ...ids(20), ...ids(8, 21)];
    const second = await read(risen, 7, first.next);
    const third = await read(risen.toReversed(), 100, second.next);
    const seen = [first, second, third].flatMap(({ items }) => items);
    expect(seen.toSorted()).toEqual(ids(30).toSorted());
    expect(third.next).toBeUndefined();
  });
});

test('fillPage without a call to a provider is a failed outcome', async () => {
  const fetch = provider([ids(5)]);
  const page = await fillPage({ limit: 5, position: undefined, fetch, idOf: String, shouldContinue: () => false });
  expect(page).toEqual({ kind: 'failed', why: 'no page was requested' });
});

describe('a page that is ended after fewer items', () => {
  const pages = chunk(ids(60), [5]);

  test.each([
    [12, { cursor: '2', isPartial: true, size: 10, emptyPages: 0 }],
    [10, { cursor: '2', isPartial: false, size: 10, emptyPages: 0 }],
    [9, { cursor: '1', isPartial: true, size: 15, emptyPages: 0 }],
    [1, { isPartial: true, size: 20, emptyPages: 0 }],
  ])('has the first %i items, continues after them and calls no provider', async (count, next) => {
    const calls: PageRequest[] = [];
    const whole = await readPage(provider(pages, calls), 20);
    expect(calls.map(({ size }) => size)).toEqual([20, 15, 10, 5]);
    const ended = whole.endedAfter(count);
    expect(calls).toHaveLength(4);
    expect(ended).toMatchObject({ items: ids(count), isShort: true, source: 'fxtwitter', isFallback: false });
    expect(ended.next).toMatchObject({ provider: 'fxtwitter', ...next });
    expect('cursor' in (ended.next ?? {})).toBe('cursor' in next);
    expect((await readPage(provider(pages), 20, ended.next)).items).toEqual(ids(20, count));
  });

  test('has the time and the warnings of the provider pages that it needs', async () => {
    let call = 0;
    const fetch: Fetch = async (request) => {
      call += 1;
      const outcome = await provider(chunk(ids(20), [5]))(request);
      const warnings = [{ code: 'recent_only', message: `page ${call}` }];
      return outcome.kind === 'found' ? { ...outcome, fetchedAt: NOW - call, warnings } : outcome;
    };
    const whole = await readPage(fetch, 15);
    expect(whole.fetchedAt).toBe(NOW - 3);
    expect(whole.endedAfter(6).fetchedAt).toBe(NOW - 2);
    expect(whole.endedAfter(5).fetchedAt).toBe(NOW - 1);
  });
});

test('after a response that was too large, later pages are requested with its size', async () => {
  const calls: PageRequest[] = [];
  const fetch: Fetch = async (request) => {
    const outcome = await provider(chunk(ids(60), [4]), calls)(request);
    return outcome.kind === 'found' ? { ...outcome, value: { ...outcome.value, size: 4 } } : outcome;
  };
  const page = await readPage(fetch, 10);
  expect(calls.map(({ size }) => size)).toEqual([10, 4, 2]);
  expect(page).toMatchObject({ items: ids(10), next: { cursor: '2', isPartial: true, size: 4 } });
  const cut = page.endedAfter(3);
  expect(cut.next).toMatchObject({ isPartial: true, size: 4 });
});

test('the position remembers the fingerprints of the items, of the first and of the last page', async () => {
  const next = (page: FilledPage<string>) => page.next?.recentFingerprints.length;
  const short = await readPage(provider(chunk(ids(200), [20])), 20);
  expect([next(short), short.next?.firstPageFingerprint === undefined]).toEqual([20, false]);
  const long = await readPage(provider(chunk(ids(400), [100])), 100);
  expect(next(await readPage(provider(chunk(ids(400), [100])), 100, long.next))).toBe(60);
  expect(long.next?.lastPageFingerprint).not.toBe(short.next?.lastPageFingerprint);
  // Empty pages leave the remembered items as they are.
  const position = { provider: 'fxtwitter', size: 20, cursor: '0', isPartial: false, emptyPages: 0 };
  const empty = await readPage(provider(Array.from({ length: 15 }, () => [])), 20, {
    ...position,
    recentFingerprints: Array.from({ length: 50 }, (_, index) => index),
    lastPageFingerprint: 9,
  });
  expect([next(empty), empty.next?.emptyPages, empty.next?.lastPageFingerprint]).toEqual([50, 10, 9]);
});
