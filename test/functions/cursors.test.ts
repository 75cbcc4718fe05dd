// Walks over every list to its end, by REST and by tools, with cursors of this release and with those of earlier ones.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../functions/mcp/registry.ts';
import type { Upstream } from '../../shared/ports/upstream.ts';
import { idsOf, withQuery } from '../support/browse-routes.ts';
import { isFullForm } from '../support/full-form.ts';
import { fxTwitterAt } from '../support/fxtwitter.ts';
import { createTestRegistry } from '../support/mcp-registry.ts';
import { LISTS, startTenPages, type TenPagesList } from '../support/ten-pages.ts';
import { createTestApp, cursors, type TestApp, type TestResponse } from '../support/test-app.ts';

let provider: Awaited<ReturnType<typeof startTenPages>>;
let get: TestApp['get'];
let callTool: (name: string, args: object) => Promise<ToolResult>;

beforeAll(async () => {
  provider = await startTenPages();
  const upstream: Upstream = fxTwitterAt({ fxtwitter: provider.baseUrl });
  get = createTestApp({ upstream }).get;
  callTool = createTestRegistry({ upstream }).call;
});

afterAll(() => provider.close());

interface Walk {
  readonly ids: readonly string[];
  /** In the order of the pages. */
  readonly cursors: readonly string[];
}

const PAGES = 10;

/** Reads a list to its end: ten pages of 20 items, and then longer ones. @param first of an earlier page; its next pages are long */
const walk = async (path: string, first?: string): Promise<Walk> => {
  const ids: string[] = [];
  const cursors: string[] = [];
  for (let cursor = first; ids.length < 5000; ) {
    const limit = first === undefined && cursors.length < PAGES ? 20 : 100;
    const query = `format=json&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const answer: TestResponse = await get(withQuery(path, query));
    expect(answer.status, answer.body.slice(0, 300)).toBe(200);
    ids.push(...idsOf(answer));
    const { next_cursor: next } = answer.json();
    if (next === undefined) return { ids, cursors };
    cursor = String(next);
    cursors.push(cursor);
  }
  throw new Error('the list does not end');
};

/** Reads ten pages of a list by its tool. @returns the cursors that the texts name */
const walkByTool = async ({ tool, args }: TenPagesList): Promise<readonly string[]> => {
  const cursors: string[] = [];
  while (cursors.length < PAGES) {
    const { content, isError } = await callTool(tool, { ...args, limit: 20, cursor: cursors.at(-1) });
    const text = content[0]?.text ?? '';
    expect(isError, text).not.toBe(true);
    const [, cursor] = /\bcursor "([\w-]+)"/.exec(text) ?? [];
    if (cursor === undefined) break;
    cursors.push(cursor);
  }
  return cursors;
};

const MERGED = /timeline\?handles=([\w,]+)(&reposts)?/;

/** What the cursors of the provider need, and the posts that are held back. */
const exemptCharacters = (path: string, text: string): number => {
  const [, handles = '', reposts] = MERGED.exec(path) ?? [];
  const list = ['merged', 'posts', handles.split(',').toSorted().join(','), '', '', ...(reposts ? ['reposts'] : [])];
  const { accounts } = cursors.decode(list, text) ?? {};
  if (accounts === undefined) throw new Error(`no cursor of ${path}`);
  const active = accounts.filter((account) => typeof account === 'object' && 'idle' in account);
  const held = active.flatMap((account) => account.held ?? []);
  const ofProvider = [...active.map(({ cursor }) => cursor), ...held.map(({ page }) => page?.cursor)].join('');
  const places = active.length + held.length;
  return ofProvider.length + 8 * places + 11 * held.flatMap(({ ids }) => ids).length;
};

const mostCharacters = (path: string, cursor: string): number => {
  if (MERGED.test(path)) return 300 + exemptCharacters(path, cursor);
  // They have the ids of the posts that a search has to leave out.
  if (path.includes('/replies')) return 1100;
  if (path.includes('until=')) return 640;
  return /search|quotes|lists/.test(path) ? 400 : 240;
};

describe.each(LISTS)('the list $path', (list) => {
  const { path, ids } = list;
  const isShort = (cursor: string): boolean => cursor.length <= mostCharacters(path, cursor);

  test('[bounds 8] [lists 8] has each item once and short cursors, by REST and by its tool', async () => {
    const walked = await walk(path);
    expect(walked.ids.toSorted()).toEqual(ids.toSorted());
    expect(walked.cursors.filter((cursor) => !isShort(cursor))).toEqual([]);
    const byTool = await walkByTool(list);
    expect(byTool.length).toBeGreaterThan(6);
    expect(byTool.filter((cursor) => !isShort(cursor))).toEqual([]);
  });
});

interface RecordedCursor {
  readonly shown: readonly string[];
  readonly cursor: string;
}

const RECORDED = new URL('../fixtures/cursors/', import.meta.url);

const placesOf = (ranges: readonly string[]): readonly number[] =>
  ranges.flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

describe.each(readdirSync(RECORDED).toSorted())('a cursor of the release in %s', (file) => {
  const lists: Readonly<Record<string, readonly RecordedCursor[]>> = JSON.parse(
    readFileSync(new URL(file, RECORDED), 'utf8'),
  );

  test.each(Object.entries(lists))('[bounds 9] goes on where it was in %s', async (path, recorded) => {
    const { ids = [] } = LISTS.find((list) => list.path === path) ?? {};
    for (const { shown, cursor } of isFullForm ? recorded : recorded.slice(1, 2)) {
      const { ids: after } = await walk(path, cursor);
      const read = [...placesOf(shown), ...after.map((id) => ids.indexOf(id))];
      expect(
        read
          .toSorted((a, b) => a - b)
          .map(String)
          .join(' '),
      ).toBe([...ids.keys()].join(' '));
    }
  });
});
