// Withholds posts and profiles of the sample while the local service runs, with its caches filled before.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseJson } from '../../shared/model/json.ts';
import { localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'postern-withheld-')), 'withheld.json');
});
afterEach(() => rmSync(dirname(file), { recursive: true, force: true }));

const write = (list: unknown): void => writeFileSync(file, typeof list === 'string' ? list : JSON.stringify(list));

const SUBJECTS = [
  '/jack/status/20',
  '/i/status/20?format=json',
  '/api/v1/posts?url=x.com/jack/status/20',
  '/oembed?url=x.com/jack/status/20',
  '/ada_larsson',
  '/ada_larsson/rss',
  '/ada_larsson/status/2034932961899447678',
  '/i/status/2034932961899447678',
  '/api/v1/posts/2034932961899447678/replies',
];
/** Show the profile, too. */
const POSITIONS = ['/search?q=fjord&format=json', '/api/v1/posts/lookup?ids=2034932961899447678&format=json'];

test('[withheld 1] [withheld 2] [withheld 4] [withheld 5] a change of the file is in force at once, whatever the caches have', async () => {
  write([]);
  const lines: string[] = [];
  const service = await startSlowService({
    ...localOptions({ WITHHELD_FILE: file }),
    writeLog: (text) => void lines.push(text),
  });
  const statuses = () =>
    Promise.all(SUBJECTS.map(async (target) => (await sendRequest(service.origin, target)).status));
  const shown = async () =>
    (await Promise.all(POSITIONS.map((target) => sendRequest(service.origin, target)))).map(({ body }) =>
      body.includes('Ada Larsson'),
    );
  const isLogged = () => lines.filter((line) => line.includes('withheld_file'));
  const all = (status: number) => SUBJECTS.map(() => status);
  try {
    for (let times = 0; times < 2; times += 1) expect(await statuses()).toEqual(all(200));
    expect(await shown()).toEqual([true, true]);

    write([
      { post: 'https://x.com/jack/status/20', reason: 'copyright' },
      { profile: 'ada_larsson', reason: 'court' },
    ]);
    expect(await statuses()).toEqual(all(451));
    expect(await shown()).toEqual([false, false]);

    write([{ post: '20' }]);
    expect(await statuses()).toEqual(all(451));
    expect(await shown()).toEqual([false, false]);
    rmSync(file);
    expect(await statuses()).toEqual(all(451));
    write('[\n  {"post": "20", "reason": "court"},\n]\n');
    expect(await statuses()).toEqual(all(451));
    const line = { level: 'error', event: 'withheld_file', file };
    const cause =
      'line 1, column 2: entry 1, {"post":"20"}, must have one of copyright, court, privacy, terms, other as reason';
    expect(isLogged().map((text) => parseJson(text))).toMatchObject([
      { ...line, cause },
      { ...line, cause: 'cannot be read: ENOENT' },
      { ...line, cause: 'line 3, column 1: expected a value after the comma, found ]' },
    ]);

    write([]);
    expect(await statuses()).toEqual(all(200));
    expect(await shown()).toEqual([true, true]);
  } finally {
    await service.close();
  }
});

test.each<readonly [string, unknown, string]>([
  [
    'is wrong',
    [{ profile: 'a-b', reason: 'court' }],
    'line 1, column 2: entry 1, {"profile":"a-b","reason":"court"}, has no handle as profile, nor an id such as id:12',
  ],
  ['is not JSON', '[\n{"post" "20"}]', 'line 2, column 9: expected a colon, found a text'],
  ['is no list', '{}', 'line 1, column 1: must be a JSON array of at most 1,000 objects'],
  ['is missing', undefined, 'cannot be read: ENOENT'],
])('[withheld 4] [withheld 5] the service does not start with a file that %s', async (_, list, sentence) => {
  if (list !== undefined) write(list);
  await expect(startSlowService(localOptions({ WITHHELD_FILE: file }))).rejects.toThrow(
    `WITHHELD_FILE ${file}: ${sentence}`,
  );
});
