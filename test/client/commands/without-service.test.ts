// Reads the whole sample without a service, and keeps files of a service on this machine: no loopback URL is left.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type InProcess, startInProcess } from '../../../infra/local/in-process.ts';
import { keptTypes } from '../../../shared/contract/media-types.ts';
import { answerOf } from '../../support/export-service.ts';
import { localOptions, shareService } from '../../support/local-service.ts';
import { runProgram } from '../../support/programs.ts';
import { readZip } from '../../support/read-zip.ts';
import { readableIds, sampleHandles, sampleQueries, unreadableIds } from '../../support/sample-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOOPBACK = /127\.0\.0\.1|localhost|\[::1?\]|0\.0\.0\.0/;

const ids = [...readableIds, ...unreadableIds];

const POST_FORMATS = ['markdown', 'obsidian', 'json', 'csl', 'epub'];
const FEEDS = ['rss', 'atom', 'jsonfeed'];
const LIST_FORMATS = ['markdown', 'json', 'ndjson', 'csv'];

/** Path and query of reads of each kind, in every format. */
const targets: readonly string[] = [
  ...ids.flatMap((id) => POST_FORMATS.map((format) => `/i/status/${id}?format=${format}`)),
  ...ids.flatMap((id) => ['replies', 'quotes', 'retweets'].map((page) => `/i/status/${id}/${page}?format=markdown`)),
  ...sampleHandles.map((handle) => `/${handle}?format=markdown`),
  ...sampleHandles.flatMap((handle) =>
    [...LIST_FORMATS, ...FEEDS].flatMap((format) => [
      `/api/v1/profiles/${handle}/posts?format=${format}`,
      `/${handle}/media?format=${format}`,
    ]),
  ),
  ...sampleHandles.flatMap((handle) =>
    [...LIST_FORMATS, 'opml'].map((format) => `/${handle}/following?format=${format}&limit=2`),
  ),
  ...sampleQueries.flatMap((query) =>
    [...LIST_FORMATS, ...FEEDS].map((format) => `/search?q=${query}&format=${format}&limit=2`),
  ),
  ...[...LIST_FORMATS, ...FEEDS, 'opml'].map((format) => `/ada_larsson,jack?format=${format}&limit=2`),
];

const textOf = (book: Buffer): string =>
  readZip(book)
    .map(({ bytes }) => bytes.toString('latin1'))
    .join('\n');

describe('[save 6] without a service', () => {
  let functions: InProcess;
  beforeAll(async () => {
    functions = await startInProcess({ UPSTREAM: 'sample', DATA_DIR: 'memory' });
    return () => functions.close();
  });

  test('no answer of the sample in any format has a loopback URL', async () => {
    const counts = new Map<number, number>();
    let links = 0;
    for (const target of targets) {
      const { status, headers, bytes } = await answerOf(functions, target);
      const text = headers.get('Content-Type') === keptTypes.epub ? textOf(bytes) : bytes.toString();
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect(text, target).not.toMatch(LOOPBACK);
      links += /https:\/\/x\.com\//.test(text) ? 1 : 0;
    }
    expect(counts.get(200)).toBeGreaterThan(150);
    expect(links).toBeGreaterThan(100);
  });

  test('no page as one file of the sample has a loopback URL, a form or a link to a page that X does not have', async () => {
    for (const id of ids) {
      const target = `/i/status/${id}?download=1`;
      const { status, body } = await answerOf(functions, target, 'text/html');
      expect(body, target).not.toMatch(LOOPBACK);
      // A problem is a page of the service, which no command shows.
      if (status === 200) expect(body, target).not.toMatch(/<form|href="[^"]*\/docs/);
    }
  });

  test.each([
    ['read.ts', 'x.com/jack/status/20', /All replies: https:\/\/x\.com\/jack\/status\/20\n/],
    ['read.ts', 'https://x.com/ada_larsson/followers', /\nMore on X: <https:\/\/x\.com\/ada_larsson\/followers>\n/],
    ['read.ts', 'https://x.com/search?q=tide', /^# Search: tide/],
  ])('%s %s leads to X, also with the URL of a service on this machine', async (program, text, output) => {
    for (const BASE_URL of ['', 'http://127.0.0.1:3000', 'http://localhost:9', 'http://[::1]:3000']) {
      const result = await runProgram(`client/commands/${program}`, [text], {
        UPSTREAM: 'sample',
        DATA_DIR: 'memory',
        BASE_URL,
      });
      expect(result).toEqual({ output: expect.stringMatching(output), errors: '', code: 0 });
      expect(result.output).not.toMatch(LOOPBACK);
    }
  });

  test('read leads to the service that BASE_URL names', async () => {
    const { output } = await runProgram('client/commands/read.ts', ['x.com/jack/status/20'], {
      UPSTREAM: 'sample',
      DATA_DIR: 'memory',
      BASE_URL: 'https://posts.example.org',
    });
    expect(output).toContain('All replies: https://posts.example.org/jack/status/20/replies');
  });

  test('a problem names no loopback URL', async () => {
    const { errors } = await runProgram('client/commands/read.ts', ['https://x.com/jack/status/21'], {
      UPSTREAM: 'sample',
    });
    expect(errors).toMatch(/^The sample has no such post\n/);
    expect(errors).not.toMatch(LOOPBACK);
  });

  test('OPML has links to X, and the command says how it has feeds', async () => {
    const args = ['--following', '@ada_larsson', '--format', 'opml'];
    const variables = { UPSTREAM: 'sample', DATA_DIR: 'memory' };
    const { output, errors, code } = await runProgram('client/commands/export.ts', args, variables);
    expect(code).toBe(0);
    expect(output.match(/<outline [^>]*type="link" url="https:\/\/x\.com\/\w+"/g)?.length).toBeGreaterThan(10);
    expect(output + errors).not.toMatch(LOOPBACK);
    expect(output).not.toContain('xmlUrl');
    expect(errors).toContain('Set BASE_URL to a service');
  });
});

describe('[save 6] a service on this machine', () => {
  const service = shareService(localOptions());

  test('its books, notes and pages as one file lead to X, and its other answers to itself', async () => {
    for (const id of ids.slice(0, 12)) {
      const book = await fetch(`${service.origin}/i/status/${id}?format=epub`);
      if (book.status !== 200) continue;
      expect(textOf(Buffer.from(await book.arrayBuffer())), id).not.toMatch(LOOPBACK);
      const page = await fetch(`${service.origin}/i/status/${id}?download=1`, { headers: { Accept: 'text/html' } });
      expect(await page.text(), id).not.toMatch(LOOPBACK);
      const note = await fetch(`${service.origin}/i/status/${id}?format=obsidian&replies=top`);
      expect(await note.text(), id).not.toMatch(LOOPBACK);
    }
    const page = await fetch(`${service.origin}/jack/status/20`);
    expect(await page.text()).toContain(`All replies: ${service.origin}/`);
  });

  test('save through it keeps files that lead to X and to each other', async () => {
    const folder = join(temporaryFolder(), 'out');
    const formats = ['epub', 'html', 'json'].flatMap((format) => ['--format', format]);
    const { errors, code } = await runProgram(
      'client/commands/save.ts',
      ['20', '2028036267832246272', '--out', folder, ...formats],
      { BASE_URL: service.origin },
    );
    expect({ errors, code }).toEqual({ errors: expect.stringContaining('2 saved'), code: 0 });
    expect(readdirSync(folder)).toHaveLength(2 * 4 + 1);
    for (const name of readdirSync(folder).filter((file) => file.includes('.'))) {
      const body = readFileSync(join(folder, name));
      expect(name.endsWith('.epub') ? textOf(body) : body.toString(), name).not.toMatch(LOOPBACK);
    }
  });
});

test('[save 6] a saved page links to the videos and pictures beside it', async () => {
  const folder = join(temporaryFolder(), 'out');
  const args = ['2032441545323447049', '--out', folder, '--format', 'html'];
  const { code } = await runProgram('client/commands/save.ts', args, { UPSTREAM: 'sample' });
  expect(code).toBe(0);
  const html = readFileSync(join(folder, 'kestrel_labs-2032441545323447049.html'), 'utf8');
  const links = [...html.matchAll(/ href="(media\/[^"]+)"/g)].map(([, link = '']) => link);
  expect(links.map((link) => link.replace(/.*-/, ''))).toEqual(['1.mp4', '2.png', '3.mp4']);
  expect(readdirSync(join(folder, 'media')).sort()).toEqual(links.map((link) => link.replace('media/', '')));
  expect(html).not.toMatch(/href="https:\/\/(?:video|pbs)\.twimg/);
});
