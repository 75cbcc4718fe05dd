// Records the cursors that a release makes, for test/functions/cursors.test.ts: starts the service of a checkout in front of
// the lists of ten-pages.ts, reads them, and prints for each list the places of the posts that its pages showed, with the cursor
// after each of them.
//
//   node test/tools/record-cursors.ts FOLDER_OF_THE_CHECKOUT > test/fixtures/cursors/VERSION.json
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { CURSOR_SECRET } from '../support/cursor-secret.ts';
import { LISTS, startTenPages } from '../support/ten-pages.ts';

/** Together they are the start, the middle and the last pages of a list. */
const PAGES = [1, 2, 6];

const checkout = resolve(process.argv[2] ?? '.');
const provider = await startTenPages();
const service = spawn(process.execPath, ['infra/local/start.ts'], {
  cwd: checkout,
  stdio: ['ignore', 'pipe', 'ignore'],
  env: {
    ...process.env,
    PORT: '0',
    DATA_DIR: 'memory',
    UPSTREAM: 'live',
    FXTWITTER_BASE_URL: provider.baseUrl,
    CURSOR_SECRETS: CURSOR_SECRET,
    ALLOWANCE_BROWSE: '1000000/60',
    ALLOWANCE_SEARCH_ANONYMOUS: '1000000/60',
  },
});
const origin = await new Promise<string>((found) => {
  createInterface(service.stdout).on('line', (line) => {
    const [, url] = /postern listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) found(url);
  });
});

interface Page {
  readonly posts?: readonly { readonly id: string }[];
  readonly users?: readonly { readonly id: string }[];
  readonly next_cursor?: string;
}

interface RecordedCursor {
  /** The places in the list of what was shown before, as `first-last`. */
  readonly shown: readonly string[];
  readonly cursor: string;
}

/** @param places in order */
const rangesOf = (places: readonly number[]): readonly string[] => {
  const starts = places.filter((place, index) => places[index - 1] !== place - 1);
  const ends = places.filter((place, index) => places[index + 1] !== place + 1);
  return starts.map((start, index) => `${start}-${ends[index]}`);
};

const lists: Record<string, readonly RecordedCursor[]> = {};
for (const { path, ids } of LISTS) {
  const recorded: RecordedCursor[] = [];
  const shown = new Set<string>();
  let cursor: string | undefined;
  for (let number = 1; number <= Math.max(...PAGES); number += 1) {
    const query = new URLSearchParams({ format: 'json', limit: '20', ...(cursor !== undefined && { cursor }) });
    const response = await fetch(`${origin}${path}${path.includes('?') ? '&' : '?'}${query}`);
    if (!response.ok) {
      console.error(`${path}: ${response.status}`);
      break;
    }
    const page = (await response.json()) as Page;
    for (const { id } of page.users ?? page.posts ?? []) shown.add(id);
    cursor = page.next_cursor;
    // A release ignores parameters that it does not know.
    const isOtherList = !shown.isSubsetOf(new Set(ids)) || !ids.slice(0, 10).every((id) => shown.has(id));
    if (isOtherList) console.error(`${path}: another list`);
    if (isOtherList || cursor === undefined) break;
    const places = ids.flatMap((id, place) => (shown.has(id) ? [place] : []));
    if (PAGES.includes(number)) recorded.push({ shown: rangesOf(places), cursor });
  }
  if (recorded.length > 0) lists[path] = recorded;
}
console.log(JSON.stringify(lists, null, 1));
service.kill();
await once(service, 'exit');
await provider.close();
