// The README, held against the project: its commands are run or are scripts that exist, its figures are those of the
// benchmark, its tables name all that there is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalService, startLocalService } from '../../infra/local/service.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { documents } from '../../shared/contract/documents.ts';
import { providerNames, providerRow } from '../../shared/contract/providers.ts';
import { tableNames, tables } from '../../shared/contract/tables.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { createCursorCodec } from '../../shared/use-cases/signed-cursors.ts';
import { withFigures } from '../bench/figures.ts';
import type { Row } from '../bench/measure.ts';
import measured from '../bench/published.json' with { type: 'json' };
import { localOptions, sendRequest } from '../support/local-service.ts';
import { commandsOf, curlRequestOf } from '../support/shell-commands.ts';

const root = new URL('../../', import.meta.url);
const readme = readFileSync(new URL('README.md', root), 'utf8');
const OWN = 'http://127.0.0.1:3000';

/** Parts of pages, which nothing but a page asks for. */
const PAGE_PARTS = /^\/(?:assets\/|favicon\.ico$)/;

const blocks = new MarkdownIt().parse(readme, {}).filter(({ type }) => type === 'fence');
const commands = blocks.filter(({ info }) => info === 'sh').flatMap(({ content }) => commandsOf(content));
const curls = commands.filter(({ name }) => name === 'curl');

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService(localOptions());
});
afterAll(() => service.close());

const answerTo = (command: (typeof commands)[number]) => {
  const { method, url, headers } = curlRequestOf(command);
  expect(url.startsWith(`${OWN}/`)).toBe(true);
  return sendRequest(service.origin, url.slice(OWN.length), { method, headers });
};

describe('an example request of the README', () => {
  test.each(curls.slice(0, -1).map((command) => [command.line, command] as const))('%s', async (_, command) => {
    expect((await answerTo(command)).status).toBe(200);
  });

  test('the last one is answered with a problem document', async () => {
    const last = curls.at(-1);
    if (last === undefined) throw new Error('the README has no examples');
    const { status, headers } = await answerTo(last);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/problem+json');
  });

  test('the first one is answered with the Markdown below it', async () => {
    const [first] = curls;
    const shown = blocks.find(({ info }) => info === 'markdown')?.content;
    if (first === undefined || shown === undefined) throw new Error('the README begins otherwise');
    const { body } = await answerTo(first);
    const withoutCounts = (text: string) => text.replace(/ · .*/g, '').trim();
    expect(withoutCounts(body)).toBe(withoutCounts(shown));
  });
});

describe('a command of the README', () => {
  const scripts = Object.keys(packageJson.scripts);
  const named = [...readme.matchAll(/\bnpm run (?:-s )?([a-z]+)/g)].flatMap(([, name]) => name ?? []);

  test('is a script of package.json', () => {
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('runs under the Node of the project: none starts a file with the Node of the machine', () => {
    const bare = commands.filter(({ name, args }) => name === 'node' && !args.includes('-p'));
    expect(bare.map(({ line }) => line)).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['exact', 'revocation']));
  });

  test('of package.json starts a file that exists', () => {
    const files = Object.values(packageJson.scripts).flatMap((script) => script.match(/[\w./-]+\.ts\b/g) ?? []);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });
});

describe('a figure of the README', () => {
  const rows = measured.rows as readonly Row[];

  test('is the one that was measured', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(readme).toBe(withFigures(readme, { node: measured.node, rows }));
  });

  test('is typed nowhere else', () => {
    const prose = withFigures(readme, { node: '', rows: [] });
    expect(prose.match(/[\d.]+ ?(?:µs|us\b|kB\b|times (?:the|as)\b)/g)).toBeNull();
    expect(prose).not.toMatch(/\ba (?:twelfth|tenth|quarter) of the (?:documented|time)/);
  });

  test('about the length of a cursor is a bound that the longest cursor keeps', () => {
    const bound = /at most ([\d,]+) characters/.exec(readme)?.[1]?.replaceAll(',', '') ?? '0';
    const longest = createCursorCodec(['a secret']).encode(['followers', 'ada_larsson'], {
      provider: 'syndication',
      cursor: 'x'.repeat(2000),
      size: 100,
      isPartial: true,
      emptyPages: 19,
      firstPageFingerprint: 2 ** 32 - 1,
      recentFingerprints: Array.from({ length: 130 }, (_, n) => 2 ** 32 - 1 - n),
    });
    expect(longest.length).toBeGreaterThan(1000);
    expect(longest.length).toBeLessThanOrEqual(Number(bound));
  });
});

describe('the README names every', () => {
  test.each([
    [
      'variable',
      [
        ...Object.values(env),
        ...Object.values(allowanceSettings).map(({ variable }) => variable),
        ...providerNames.flatMap((name) =>
          [providerRow(name).variable, providerRow(name).secret?.variable ?? []].flat(),
        ),
        ...tableNames.map((name) => tables[name].variable),
        'PORT',
        'HOST',
        'ADMIN_TOKEN',
        'DATA_DIR',
      ],
    ],
    ['provider', providerNames],
    [
      'document for programs',
      Object.values(documents).flatMap(({ path, kind }) => (kind === 'page' || PAGE_PARTS.test(path) ? [] : [path])),
    ],
  ])('%s', (_, names) => {
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  test('folder of shared/, and no other', () => {
    const folders = readdirSync(new URL('shared/', root), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const named = [...readme.matchAll(/^shared\/(\w+)/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });
});

test('a link of the README to a file or a heading leads to one', () => {
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, target]) => target ?? []);
  const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'));
  const isThere = (target: string): boolean =>
    target.startsWith('#') ? headings.includes(target.slice(1)) : existsSync(new URL(target, root));
  expect(targets.filter((target) => !target.startsWith('https://') && !isThere(target))).toEqual([]);
});
