// Exports lists as CSV, breaks the export off, and compares the resumed file with a complete one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExportArguments, parseExportArguments } from '../../../../client/commands/export/arguments.ts';
import { runExport } from '../../../../client/commands/export/run-export.ts';
import type { Service } from '../../../../client/commands/service.ts';
import { terminalText } from '../../../../shared/model/json.ts';
import { upstreamWithLists } from '../../../support/browse-routes.ts';
import { accountOfRow, csvRows, parseCsv, postOfRow } from '../../../support/csv.ts';
import {
  type ExportItem,
  listService,
  postsOf,
  problemAnswer,
  recordingPorts,
  serviceOf,
  textIn,
  timelineService,
} from '../../../support/export-service.ts';
import { sampleOf } from '../../../support/full-form.ts';
import { postOf } from '../../../support/post-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createTestApp } from '../../../support/test-app.ts';

const FOLLOWERS = '/api/v1/profiles/ada/followers';
const POSTS = '/api/v1/profiles/ada/posts';
const FILE = 'list.csv';

/** Records with line ends, quotation marks and separators within their cells. */
const TEXTS = ['plain', '=1+1', 'a\r\n"b",c\r\n', '"', '\r\n', '', '"\r\n"', '@a\n', 'é🚤'];
const posts = postsOf(13).map(({ id, created_at = '' }, index) => ({
  ...postOf({ id, text: TEXTS[index % TEXTS.length] ?? '' }),
  created_at,
}));
/** X does not tell the id of every account. */
const accounts: readonly Partial<ExportItem>[] = posts.map(({ text, id }, index) => ({
  ...(index % 3 > 0 && { id }),
  handle: `ada${index}`,
  name: text,
  url: 'https://x.com/ada',
}));

const given = (members: Partial<ExportArguments> = {}): ExportArguments => ({
  target: POSTS,
  limit: Number.POSITIVE_INFINITY,
  file: undefined,
  format: 'csv',
  ...members,
});

const exported = async (service: Service, members: Partial<ExportArguments> = {}): Promise<string> => {
  const { ports, output } = recordingPorts(service);
  await runExport(given(members), ports);
  return output.join('');
};

const LISTS = [
  ['accounts', FOLLOWERS, () => listService(accounts as readonly ExportItem[], 4), () => accounts, accountOfRow],
  ['posts', '/api/v1/lists/20/posts', () => listService(posts, 4), () => posts, postOfRow],
  ['a timeline that ends early', POSTS, () => timelineService(posts, { reach: 5, size: 4 }), () => posts, postOfRow],
] as const;

describe.each(LISTS)('the export of %s as CSV', (_, target, create, items, itemOf) => {
  test('[lists 17] has one header, every item once and in order, and a checkpoint for each page', async () => {
    const text = await exported(create().service, { target });
    const rows = csvRows(text);
    expect(rows.map((row) => itemOf(row))).toEqual(items());
    expect(text.match(/^id,/gm)).toHaveLength(1);
    expect(text.split('\r\n')[0]).toMatch(/,checkpoint,checkpoint_list$/);
    expect(rows.filter((row) => row['checkpoint'] || row['checkpoint_list']).length).toBeGreaterThanOrEqual(4);
    // Each cursor of a list leads to the next page, and the last one is the end.
    if (target !== POSTS) expect(rows.at(-1)).toMatchObject({ checkpoint: '', checkpoint_list: target });
  });

  test('[lists 7] a file that was cut off at any byte is the same file after --resume', async () => {
    const folder = temporaryFolder();
    const complete = Buffer.from(await exported(create().service, { target }));
    const cuts = Array.from({ length: complete.length + 1 }, (_, bytes) => bytes);
    for (const bytes of sampleOf(cuts)) {
      writeFileSync(join(folder, FILE), complete.subarray(0, bytes));
      await runExport(given({ target, file: FILE }), recordingPorts(create().service, { folder }).ports);
      expect(textIn(folder, FILE) === complete.toString(), `cut at ${bytes}`).toBe(true);
    }
  });

  test('[lists 7] a file with a checkpoint is resumed without its list and format', async () => {
    const folder = temporaryFolder();
    const complete = await exported(create().service, { target });
    const end = complete.indexOf('\r\n', complete.indexOf('cursor=8')) + 2;
    writeFileSync(join(folder, FILE), `${complete.slice(0, end)}"7","torn\r\n`);
    const { ports } = recordingPorts(create().service, { folder });
    await runExport({ target: undefined, limit: Number.POSITIVE_INFINITY, file: FILE }, ports);
    expect(textIn(folder, FILE)).toBe(complete);
  });

  test('[lists 7] an export that fails at any request is complete after --resume', async () => {
    const { service, answer, targets } = create();
    const complete = await exported(service, { target });
    const { length: count } = targets;
    for (let broken = 1; broken <= count; broken += 1) {
      const folder = temporaryFolder();
      let requests = 0;
      const failing = serviceOf((at) => {
        requests += 1;
        return requests >= broken ? problemAnswer(404, 'post_not_found') : answer(at);
      });
      await expect(
        runExport(given({ target, file: FILE }), recordingPorts(failing, { folder }).ports),
      ).rejects.toThrow();
      await runExport(given({ target, file: FILE }), recordingPorts(create().service, { folder }).ports);
      expect(textIn(folder, FILE)).toBe(complete);
    }
  });
});

test('[lists 17] an empty list is a header, of its items', async () => {
  const { service } = listService([]);
  expect(csvRows(await exported(service))).toEqual([]);
  expect(await exported(service)).toMatch(/^id,thread_id,/);
  for (const target of ['/api/v1/posts/20/reposts', '/api/v1/search?q=a&feed=users'])
    expect(await exported(service, { target })).toMatch(/^id,handle,/);
});

test('[lists 18] an export has the records that format=csv answers, and two cells for the checkpoint', async () => {
  const { get } = createTestApp({ upstream: upstreamWithLists(30) });
  const service: Service = {
    origin: 'https://api.example.test',
    async fetch(url) {
      const { status, body } = await get(url.slice('https://api.example.test'.length));
      return new Response(body, { status });
    },
    close: async () => undefined,
  };
  for (const target of ['/api/v1/search?q=fjord', FOLLOWERS, '/api/v1/search?q=fjord&feed=users']) {
    const file = parseCsv(await exported(service, { target }));
    const { body } = await get(`${target}${target.includes('?') ? '&' : '?'}format=csv&limit=100`);
    expect(file.map((record) => record.slice(0, -2))).toEqual(parseCsv(body));
  }
});

test('[lists 7] a file of an earlier version keeps its columns', async () => {
  const folder = temporaryFolder();
  const complete = await exported(listService(posts, 4).service);
  const without = (text: string): string =>
    parseCsv(text)
      .map((cells, row, [header = []]) =>
        cells
          .filter((_, index) => header[index] !== 'decorations')
          .map((cell) => (row === 0 || /^\d{1,6}$|^$/.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`))
          .join(','),
      )
      .map((record) => `${record}\r\n`)
      .join('');
  const earlier = without(complete);
  writeFileSync(join(folder, FILE), earlier.slice(0, earlier.indexOf('cursor=8') + 400));
  await runExport(given({ file: FILE }), recordingPorts(listService(posts, 4).service, { folder }).ports);
  expect(csvRows(textIn(folder, FILE))).toEqual(csvRows(earlier));
});

test('[lists 7] a file that is no export as CSV is not changed', async () => {
  const complete = await exported(listService(posts, 4).service);
  const header = complete.split('\r\n')[0] ?? '';
  const files = [
    'id,text\r\n"1","a"\r\n',
    'name;id\r\n',
    `${header}\r\n"1","a"\r\n"2"`,
    `${header}\r\nno quotation marks\r\n`,
    complete.replace('"2000000000000000000"', ''),
    complete.replace(/"\/api\/v1[^"]*cursor=4[^"]*"/, '"https://evil.example/"'),
    complete.replaceAll('\r\n', '\n'),
    '{"id":"1"}\n',
  ];
  for (const content of files) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, FILE), content);
    const run = runExport(given({ file: FILE }), recordingPorts(listService(posts).service, { folder }).ports);
    await expect(run, content.slice(0, 60)).rejects.toThrow('The file is unchanged.');
    expect(readFileSync(join(folder, FILE), 'utf8')).toBe(content);
  }
});

test('--format csv is for every list, and another format is named', () => {
  const parse = (text: string) => parseExportArguments(text.split(' '));
  for (const list of ['@ada', '@ada,@bo', '--replies 20', '--list 20', '--search tide', '--followers @ada'])
    expect(parse(`${list} --format csv`)).toMatchObject({ format: 'csv' });
  expect(parse('--resume posts.csv --format csv')).toMatchObject({ format: 'csv', target: undefined });
  expect(parse('--followers @ada --format opml')).toBeUndefined();
  expect(() => parse('--following @ada --format xml')).toThrow('--format must be one of csv, opml, graphml.');
});

test('a terminal gets the escapes of what it would obey', () => {
  expect(terminalText('a\tb\r\n\u001b[31m\rc\u0085\u202e')).toBe('a\tb\r\n\\u001b[31m\\u000dc\\u0085\\u202e');
});
