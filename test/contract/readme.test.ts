// Compares the README and the other documents of the repository with the project: commands, links, tables and the map.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tasks } from '../../infra/command/tasks.ts';
import { generatedDocuments } from '../../infra/docs/sections.ts';
import type { LocalService } from '../../infra/local/service.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { documents } from '../../shared/contract/documents.ts';
import { METRICS_NAMESPACE } from '../../shared/contract/metrics.ts';
import { paidRowsSetting, providerNames, providerRow } from '../../shared/contract/providers.ts';
import { tableNames, tables } from '../../shared/contract/tables.ts';
import { commandsOf, curlRequestOf } from '../../shared/publish/code-examples/requests.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import { sendRequest, startLiveService } from '../support/local-service.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const LOCAL_ORIGIN = 'http://127.0.0.1:3000';

/** Parts of HTML pages, which only a page requests. */
const PAGE_PARTS = /^\/(?:assets\/|favicon\.ico$)/;

const records = readdirSync(new URL('docs/decisions/', root)).filter((file) => /^\d{4}-/.test(file));
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'docs/architecture.md',
  'docs/local-service.md',
  'docs/operators/one-machine.md',
  'docs/runbook.md',
  'docs/decisions/README.md',
  ...records.map((file) => `docs/decisions/${file}`),
];

const readme = read('README.md');
const blocksOf = (markdown: string) => new MarkdownIt().parse(markdown, {}).filter(({ type }) => type === 'fence');
const commandsIn = (markdown: string) =>
  blocksOf(markdown)
    .filter(({ info }) => info === 'sh')
    .flatMap(({ content }) => commandsOf(content));
const curls = commandsIn(readme).filter(({ name }) => name === 'curl');

let service: LocalService;
beforeAll(async () => {
  service = await startLiveService();
});
afterAll(() => service.close());

const responseTo = (command: (typeof curls)[number]) => {
  const { method, url, headers } = curlRequestOf(command);
  expect(url.startsWith(`${LOCAL_ORIGIN}/`)).toBe(true);
  return sendRequest(service.origin, url.slice(LOCAL_ORIGIN.length), { method, headers });
};

describe('an example request of the README', () => {
  test.each(curls.slice(0, -1).map((command) => [command.line, command] as const))(
    'succeeds: %s',
    async (_, command) => {
      expect((await responseTo(command)).status).toBe(200);
    },
  );

  test('returns a problem document if it is the last one', async () => {
    const last = curls.at(-1);
    if (last === undefined) throw new Error('the README has no examples');
    const { status, headers } = await responseTo(last);
    expect(status).toBe(400);
    expect(headers['content-type']).toBe('application/problem+json');
  });

  test('returns the Markdown below it if it is the first one', async () => {
    const [first] = curls;
    const shown = blocksOf(readme).find(({ info }) => info === 'markdown')?.content;
    if (first === undefined || shown === undefined) throw new Error('the README begins otherwise');
    const { body } = await responseTo(first);
    const withoutCounts = (text: string) => text.replace(/ · .*|(?<=127\.0\.0\.1):\d+/g, '').trim();
    expect(withoutCounts(body)).toBe(withoutCounts(shown));
  });
});

describe('the commands', () => {
  const scripts = Object.keys(packageJson.scripts);
  const BUILT_IN = ['start', 'test'];
  const commands = ['README.md', 'CONTRIBUTING.md', 'docs/local-service.md'].flatMap((file) => commandsIn(read(file)));
  const npmScripts = commands
    .filter(({ name }) => name === 'npm')
    .map(({ args }) => args.filter((argument) => argument !== '-s'))
    .flatMap(([verb = '', script = '']) => (verb === 'run' ? [script] : BUILT_IN.includes(verb) ? [verb] : []));

  test('of npm are scripts of package.json', () => {
    expect(npmScripts.length).toBeGreaterThan(5);
    expect(npmScripts.filter((name) => !scripts.includes(name))).toEqual([]);
    const programs = commands.filter(({ args: [, script = ''] }) => Object.hasOwn(tasks, script));
    expect(programs.length).toBeGreaterThan(5);
    expect(programs.filter(({ args: [, script = '', , name = ''] }) => tasks[script]?.[name] === undefined)).toEqual(
      [],
    );
  });

  test('start no file with the Node of the machine', () => {
    const bare = commands.filter(({ name, args }) => name === 'node' && !args.includes('-p'));
    expect(bare.map(({ line }) => line)).toEqual([]);
  });

  test('of package.json start files that exist', () => {
    const started = Object.values(packageJson.scripts).flatMap((script) => script.match(/[\w./-]+\.ts\b/g) ?? []);
    expect(started.length).toBeGreaterThan(5);
    expect(started.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });
});

test('the README says within its first ten lines for whom it is, what to do with a link, and the first commands', () => {
  const lines = readme.split('\n');
  const top = lines.slice(0, 10).join('\n');
  expect(top).toMatch(/For people .* programs/);
  expect(top).toContain('Swap the host of a link of X');
  expect(top).toContain('npm ci && npm start');
  expect(lines.length).toBeLessThanOrEqual(91);
});

describe('the table of environment variables', () => {
  test('has a row for every variable of every table', () => {
    const names = [
      ...Object.values(env),
      ...Object.values(localEnv),
      METRICS_NAMESPACE,
      ...Object.values(allowanceSettings).map(({ variable }) => variable),
      ...providerNames.flatMap((name) => [providerRow(name).variable, providerRow(name).secret?.variable ?? []].flat()),
      ...tableNames.map((name) => tables[name].variable),
      paidRowsSetting.variable,
    ];
    expect(Object.keys(variableDescriptions).toSorted()).toEqual(names.toSorted());
  });
});

test('the README leads to a table that names every document for programs', () => {
  const page = 'docs/local-service.md';
  expect(readme).toContain(`](${page}#documents-for-programs)`);
  const [, section = ''] = /^## Documents for programs\n(.*?)^## /ms.exec(read(page)) ?? [];
  const paths = Object.values(documents).flatMap(({ path, kind }) =>
    kind === 'page' || PAGE_PARTS.test(path) ? [] : [path],
  );
  expect(paths.filter((path) => !section.includes(`\`${path}\``))).toEqual([]);
});

/** Folder paths of the map: a name with a slash starts a folder, and lines below it name its folders. */
const mappedFolders = (markdown: string): readonly string[] => {
  const [, section = ''] = /^## Repository map\n+```\n(.*?)^```$/ms.exec(markdown) ?? [];
  let parent = '';
  return section.split('\n').flatMap((line) => {
    parent = /^(\w+\/)$/.exec(line)?.[1] ?? parent;
    const [, name] = /^ {2}([\w-]+) +\S/.exec(line) ?? [];
    return name === undefined ? [] : [`${parent}${name}`];
  });
};

test('the repository map has a line for every folder, and no line for another', () => {
  const parents = ['shared', 'functions', 'client', 'infra', 'measure', 'test'];
  const existing = parents.flatMap((parent) =>
    readdirSync(new URL(`${parent}/`, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`),
  );
  expect(mappedFolders(read('docs/architecture.md')).toSorted()).toEqual(existing.toSorted());
});

describe('the documents of the repository', () => {
  test.each([...new Set([...files, ...generatedDocuments])])(
    '%s links only to files and headings that exist',
    (file) => {
      const headingsOf = (text: string) =>
        [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
          title
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
      const isThere = (target: string): boolean => {
        const [path = '', heading] = target.split('#');
        const url = path === '' ? new URL(file, root) : new URL(path, new URL(file, root));
        return existsSync(url) && (heading === undefined || headingsOf(readFileSync(url, 'utf8')).includes(heading));
      };
      const targets = [...read(file).matchAll(/\]\(([^)]+)\)/g)].flatMap(([, target]) => target ?? []);
      expect(targets.filter((target) => !target.startsWith('https://') && !isThere(target))).toEqual([]);
    },
  );

  test('name in code only files that exist', () => {
    const named = [
      ...read('CONTRIBUTING.md').matchAll(/`((?:shared|functions|infra|test|docs|\.ci|\.github)\/[\w./-]+)`/g),
    ];
    const paths = named.flatMap(([, path]) => path ?? []).filter((path) => !path.includes('NAME'));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });
});

describe('a decision record', () => {
  test('is listed in the index by its title, in order and without gaps', () => {
    const lines = records.toSorted().map((file, index) => {
      expect(Number(file.slice(0, 4))).toBe(index + 1);
      const title = /^# \d+\. (.*)$/m.exec(read(`docs/decisions/${file}`))?.[1] ?? '';
      return `${index + 1}. [${title}](${file})`;
    });
    const index = read('docs/decisions/README.md');
    expect(index.split('\n').filter((line) => /^\d+\. /.test(line))).toEqual(lines);
  });
});
