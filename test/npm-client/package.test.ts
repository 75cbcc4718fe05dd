// Packs the npm client, installs it in an empty folder, and uses it there as its README says: as JavaScript, and as
// TypeScript with both ways of finding its types.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildClient } from '../../client/tools/build.ts';
import { readDescription } from '../../client/tools/description.ts';
import { methodsOf } from '../../client/tools/methods.ts';
import type { LocalService } from '../../infra/local/service.ts';
import service from '../../package.json' with { type: 'json' };
import { readPageText } from '../../shared/publish/pages/read-page.ts';
import { startLiveService } from '../support/local-service.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8');

const blocksOf = (language: string): readonly string[] =>
  new MarkdownIt()
    .parse(readme, {})
    .filter(({ type, info }) => type === 'fence' && info === language)
    .map(({ content }) => content);

/** The examples share their variables, so they are one program. */
const program = blocksOf('ts').join('\n');

const [, pageProgram = ''] = /^## The client for npm$.*?^```ts\n(.*?)^```$/ms.exec(readPageText('client')) ?? [];

/** Settings of the npm that runs the tests are not for the npm that they run. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

let folder = '';
let running: LocalService;
const inFolder = async (file: string, text: string): Promise<string> => {
  const path = join(folder, file);
  writeFileSync(path, text.replaceAll(/https:\/\/postern\.example|\{base_url\}/g, running.origin));
  return path;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-client-'));
  running = await startLiveService();
  const built = join(folder, 'built');
  buildClient(built);
  const npm = (...args: readonly string[]) => run('npm', args, { cwd: folder, env: environment });
  const { stdout } = await npm('pack', built, '--ignore-scripts', '--json');
  const [{ filename }] = JSON.parse(stdout);
  rmSync(built, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await npm('install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await running.close();
});

describe('the package', () => {
  test('has the version of the service, no dependency and no file but its own', () => {
    const installed = join(folder, 'node_modules', 'postern-client');
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'postern-client', version: service.version, license: 'MIT' });
    expect(Object.keys(manifest).filter((member) => /dependencies|scripts|private/i.test(member))).toEqual([]);
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).toEqual(['', 'node_modules/postern-client']);
  });

  test('has one module, which imports nothing, and declarations that name only each other', () => {
    const installed = join(folder, 'node_modules', 'postern-client');
    const files = readdirSync(installed);
    expect(files.filter((file) => file.endsWith('.js'))).toEqual(['index.js']);
    const specifiersIn = (file: string): readonly string[] =>
      [...readFileSync(join(installed, file), 'utf8').matchAll(/(?:from|import\(?) ?["']([^"']+)["']/g)].map(
        ([, specifier = '']) => specifier,
      );
    expect(specifiersIn('index.js')).toEqual([]);
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    const named = declarations.flatMap(specifiersIn);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !declarations.includes(name.replace(/^\.\/(.*)\.js$/, '$1.d.ts')))).toEqual([]);
  });

  test('prints as JavaScript what its README shows', async () => {
    expect(blocksOf('ts').length).toBeGreaterThan(5);
    const { stdout, stderr } = await run(process.execPath, [await inFolder('examples.js', program)]);
    expect(stdout).toBe(blocksOf('text').join(''));
    expect(stderr).toBe('');
  });

  test('prints what the page about clients says', async () => {
    const { stdout } = await run(process.execPath, [await inFolder('page.js', pageProgram)]);
    expect(stdout).toBe(
      'just setting up my twttr\n@Zeynep_vrea0\nprofile_not_found Check the handle or the id; do not retry soon.\n',
    );
  });

  test('is installed by the command of its README', () => {
    expect(blocksOf('sh')).toEqual(['npm install postern-client\n']);
  });

  test('exports only the names of its README', async () => {
    const script = 'console.log(Object.keys(await import("postern-client")).join())';
    const { stdout } = await run(process.execPath, [await inFolder('names.js', script)]);
    const names = stdout.trim().split(',');
    expect(names).toEqual(['PosternError', 'SunsetError', 'createClient']);
    expect(names.filter((name) => !readme.includes(name))).toEqual([]);
  });
});

const compilers = {
  'the TypeScript of the project': createRequire(import.meta.url),
  'TypeScript 5': createRequire(new URL('../client/package.json', import.meta.url)),
};
const resolutions = [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const;
const cases = Object.entries(compilers).flatMap(([name, { resolve }]) =>
  resolutions.map(([module, moduleResolution]) => ({ name, resolve, module, moduleResolution })),
);

const METHODS = methodsOf(readDescription());
const optionsOf = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}Options`;
const OPTION_TYPES = [...METHODS.map(({ name }) => optionsOf(name)), 'MarkdownOptions', 'UserListOptions'];
const ITEM_TYPES = [...new Set(METHODS.flatMap(({ items }) => items))];
const BODY_TYPES = [...new Set(METHODS.map(({ body }) => body))];
const OPTION_CHECKS = [...METHODS.map(({ name }) => name), 'markdown'].map(
  (name) => `export const ${name}Takes: Same<OptionsOf<'${name}'>, ${optionsOf(name)}> = true;`,
);
const RESULT_CHECKS = METHODS.filter(({ name }) => name !== 'search').map(({ name, body, items, result }) => {
  const list = `<${items[0]}, ${body}>`;
  const type = { answer: `Promise<${body}>`, list: `List${list}`, firstPage: `FirstPage${list}` }[result];
  return `export const ${name}Gives: Same<ReturnType<Client['${name}']>, ${type}> = true;`;
});

/** An expected error that does not occur is an error. */
const TYPES = `
import { createClient, type Client, type ErrorCode, type PosternError } from 'postern-client';
import type { FirstPage, List, ${[...OPTION_TYPES, ...BODY_TYPES, ...ITEM_TYPES].join(', ')} } from 'postern-client';
type Same<A, B> = [A, B] extends [B, A] ? true : never;
type OptionsOf<Name extends keyof Client> = NonNullable<Parameters<Client[Name]>[1]>;
${OPTION_CHECKS.join('\n')}
${RESULT_CHECKS.join('\n')}
const postern = createClient({ baseUrl: 'https://postern.example', fetch, cache: new Map() });
const { post } = await postern.post('20');
export const text: string = post.text;
// @ts-expect-error no member of a post
post.words;
for await (const item of postern.search('tide', { feed: 'top' })) {
  const found: Post = item;
  // @ts-expect-error no member of a post
  found.bio;
}
for await (const item of postern.search('tide', { feed: 'users' })) {
  const found: User = item;
  // @ts-expect-error no member of an account
  found.text;
}
const search = (feed: 'top' | 'users') => postern.search('tide', { feed });
for await (const item of search('top')) {
  const url: string = item.url;
  // @ts-expect-error no member of an account
  item.text;
}
// @ts-expect-error no feed
postern.search('tide', { feed: 'best' });
// @ts-expect-error no list
for await (const _ of postern.post('20')) {}
for await (const item of postern.profile('jack', { limit: 1, signal: new AbortController().signal })) {
  const found: Post = item;
}
const named: string = (await postern.profile('jack')).profile.handle;
const users: readonly User[] = await postern.followers('jack').first(3);
const page: UserListBody = await postern.followers('jack').page();
// @ts-expect-error the service refuses it for JSON
postern.posts('jack', { threads: 'merged' });
postern.posts('jack', { since: new Date(), until: '2026-01-01' });
createClient({ baseUrl: 'https://postern.example', timeout: false, retry: false });
const options: UserListOptions = { limit: 3 };
postern.following('jack', options);
// @ts-expect-error ids are strings
postern.oembed(20);
export const codeOf = ({ code }: PosternError): ErrorCode => (code === 'rate_limited' ? code : 'a_new_code');
`;

test.each(cases)(
  '[releases 7] the types compile with $name and moduleResolution $moduleResolution, and allow only what the service has',
  async ({ resolve, module, moduleResolution }) => {
    const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
    const compilerOptions = { ...strict, target: 'es2022', lib: ['es2022', 'dom'], types: [], noEmit: true };
    await inFolder('examples.ts', program);
    await inFolder('page.ts', pageProgram);
    await inFolder('types.ts', TYPES);
    await inFolder(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, module, moduleResolution }, include: ['*.ts'] }),
    );
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch(
      ({ stdout }: { readonly stdout: string }) => ({ stdout }),
    );
    expect(stdout).toBe('');
  },
);
