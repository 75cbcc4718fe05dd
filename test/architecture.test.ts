// Checks the imports between folders and the packages and sizes of the bundles. An unneeded package slows every cold
// start; an arrow in the wrong direction creates an import cycle.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildFunctions } from '../infra/build/build.ts';
import { BUILD_INPUTS } from '../infra/build/kept-build.ts';
import type { LambdaName } from '../shared/contract/lambdas.ts';
import { bundleBudgets } from './support/bundle-budgets.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const directory = join(tmpdir(), `postern-architecture-${process.pid}`);

const packagesOf: Record<string, ReadonlySet<string>> = {};
const bytesOf: Record<string, number> = {};
const filesOf: Record<string, readonly string[]> = {};
/** Counts bytes from generated modules, such as the documents. */
const generatedBytesOf: Record<string, number> = {};

beforeAll(async () => {
  const { metafile, bytes } = await buildFunctions(directory);
  Object.assign(bytesOf, bytes);
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    const name = /([a-z]+)\/bundle\.cjs$/.exec(output)?.[1] ?? output;
    const packages = Object.keys(inputs).flatMap(
      (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
    );
    packagesOf[name] = new Set(packages);
    filesOf[name] = Object.keys(inputs);
    generatedBytesOf[name] = Object.entries(inputs)
      .filter(([input]) => input.startsWith('postern'))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  }
});

const HTTP = ['@middy/core', '@middy/http-error-handler', '@middy/util'];
const READER = [...HTTP, 'undici'];
const DYNAMO = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/core',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/endpoint-cache',
  '@aws-sdk/middleware-endpoint-discovery',
  '@aws/lambda-invoke-store',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
  'mnemonist',
  'obliterator',
];
const KEYED_READER = [...READER, ...DYNAMO, 'base-x', 'ipaddr.js'];
const ALLOWED: Readonly<Record<LambdaName, readonly string[]>> = {
  posts: [...READER, 'ipaddr.js'],
  engagements: KEYED_READER,
  oembed: [...READER, 'ipaddr.js'],
  profiles: KEYED_READER,
  search: KEYED_READER,
  legacy: KEYED_READER,
  discovery: HTTP,
  mcp: [...KEYED_READER, '@modelcontextprotocol/sdk', 'zod', 'zod-to-json-schema'],
  admin: KEYED_READER,
};

describe('bundle of a Lambda', () => {
  test('every file of the bundles is in the key of a kept build', () => {
    const files = Object.values(filesOf)
      .flat()
      .filter((file) => !/^(postern|node_modules\/|[a-z-]+:)/.test(file));
    expect(files).toContain('functions/posts/handler.ts');
    const isInput = (file: string): boolean =>
      BUILD_INPUTS.some((input) => file === input || file.startsWith(`${input}/`));
    expect(files.filter((file) => !isInput(file))).toEqual([]);
  });

  test.each(Object.entries(ALLOWED))('the bundle of %s contains exactly the allowed packages', (name, allowed) => {
    expect([...(packagesOf[name] ?? [])].sort()).toEqual([...allowed].sort());
  });

  test.each(Object.entries(bundleBudgets))('the bundle of %s stays within its size budget', (name, { kilobytes }) => {
    expect(bytesOf[name]).toBeLessThanOrEqual(kilobytes * 1000);
  });

  test.each([...Object.keys(ALLOWED), 'canary', 'media'])(
    'the licence of every package in the bundle of %s is beside it',
    (name) => {
      const licenses = readFileSync(join(directory, name, 'LICENSES.txt'), 'utf8').replaceAll(/\s+/g, ' ');
      const lines = [...(packagesOf[name] ?? [])].map((id) => {
        const folder = join(root, 'node_modules', id);
        const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const [file] = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry));
        if (file !== undefined)
          expect(licenses).toContain(readFileSync(join(folder, file), 'utf8').replaceAll(/\s+/g, ' ').trim());
        return `${id} ${version} (${license})`;
      });
      expect(lines.filter((line) => !licenses.includes(line))).toEqual([]);
      expect(licenses).toContain('Permission is hereby granted, free of charge');
      if (lines.some((line) => line.startsWith('@middy/'))) expect(licenses).toContain('[Middy contributors]');
    },
  );

  test('the documents of discovery are beside its bundle, which contains only where each is', () => {
    expect(generatedBytesOf['discovery']).toBeLessThanOrEqual(10_000);
    expect(statSync(join(directory, 'discovery', 'documents.br')).size).toBeGreaterThan(50_000);
    expect(readdirSync(join(directory, 'posts'))).not.toContain('documents.br');
  });

  test('the bundle of the canary contains no package but the encoder of keys, and stays small', () => {
    expect([...(packagesOf['canary'] ?? [])]).toEqual(['base-x']);
    expect(bytesOf['canary']).toBeLessThanOrEqual(66_000);
  });

  test('the bundle of pictures contains no package but undici, and stays small', () => {
    expect([...(packagesOf['media'] ?? [])]).toEqual(['undici']);
    expect(bytesOf['media']).toBeLessThanOrEqual(250_000);
  });

  test('the bundles of pictures and of the canary contain no words of error pages', () => {
    const words = 'There is no such view of a search.';
    const hasWords = (name: string): boolean =>
      readFileSync(join(directory, name, 'bundle.cjs'), 'utf8').includes(words);
    expect(['posts', 'media', 'canary'].filter(hasWords)).toEqual(['posts']);
  });

  test('the bundle of posts contains no list code', () => {
    expect(filesOf['posts']).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/paging\/fill-page|signed-cursors/)]),
    );
    expect(filesOf['profiles']).toEqual(expect.arrayContaining([expect.stringMatching(/paging\/fill-page/)]));
  });

  test('the bundle of tools contains no pages of reads, no feeds and no embeds', () => {
    expect(filesOf['mcp']).toEqual(expect.arrayContaining([expect.stringMatching(/reads\/timeline\/present/)]));
    expect(filesOf['mcp']).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /reads\/[a-z-]+\/page\.ts|render\/(?:feeds|embed)\/|html\/(?:conversation|list|thread)\.ts/,
        ),
      ]),
    );
  });

  test.each(['mcp', 'oembed'])('the bundle of %s contains no page of an error', (name) => {
    const pages = expect.stringMatching(/html\/(?:page|error-page)\.ts|presenters\/present-error/);
    expect(filesOf[name]).not.toEqual(expect.arrayContaining([pages]));
    expect(filesOf['posts']).toEqual(expect.arrayContaining([pages]));
  });

  test.each([
    ['posts', ['lookup', 'paging', 'post']],
    ['engagements', ['conversation', 'paging', 'quotes', 'replies', 'reposts']],
    ['profiles', ['follows', 'paging', 'profile', 'profile-posts', 'timeline', 'x-list']],
    ['search', ['paging', 'search']],
    ['oembed', ['oembed', 'post']],
    ['discovery', []],
    ['media', []],
    ['canary', []],
  ])('the bundle of %s contains no reads but %j', (name, rooms) => {
    const found = (filesOf[name] ?? []).flatMap((file) => /^shared\/reads\/([a-z-]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(found)].toSorted()).toEqual(rooms);
  });
});

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier ?? '');

const SOURCES = ['shared', 'functions', 'infra', 'client'].flatMap(filesUnder);

/** Lists the folders that each folder may import. An arrow points only to folders that are listed before it. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'shared/model': [],
  'shared/contract': ['shared/model'],
  'shared/ports': ['shared/contract', 'shared/model'],
  'shared/settings': ['shared/ports', 'shared/contract', 'shared/model'],
  'shared/render/content': ['shared/model'],
  'shared/render/markdown': ['shared/render/content', 'shared/contract', 'shared/model'],
  // The link of a note has Markdown.
  'shared/render/html': ['shared/render/markdown', 'shared/render/content', 'shared/contract', 'shared/model'],
  'shared/render/data': ['shared/render/html', 'shared/model'],
  'shared/render/embed': ['shared/render/html', 'shared/render/content', 'shared/model'],
  'shared/render/feeds': [
    'shared/render/embed',
    'shared/render/data',
    'shared/render/html',
    'shared/render/content',
    'shared/contract',
    'shared/model',
  ],
  'shared/render/presenters': [
    'shared/render/feeds',
    'shared/render/html',
    'shared/render/markdown',
    'shared/render/content',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/keep': [
    'shared/render/presenters',
    'shared/render/html',
    'shared/render/content',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/reads': [
    'shared/render/presenters',
    'shared/render/data',
    'shared/render/feeds',
    'shared/render/embed',
    'shared/render/html',
    'shared/render/markdown',
    'shared/render/content',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/resilience': ['shared/ports', 'shared/model'],
  'shared/upstream': ['shared/resilience', 'shared/ports', 'shared/contract', 'shared/model'],
  'shared/stores': ['shared/resilience', 'shared/ports', 'shared/contract', 'shared/model'],
  'shared/rate-limit': ['shared/stores', 'shared/resilience', 'shared/ports', 'shared/contract', 'shared/model'],
  'shared/auth': [
    'shared/rate-limit',
    'shared/stores',
    'shared/resilience',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/http': [
    'shared/keep',
    'shared/render/presenters',
    'shared/render/html',
    'shared/render/content',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/publish': [
    'shared/render/data',
    'shared/render/html',
    'shared/render/content',
    'shared/contract',
    'shared/model',
  ],
  'shared/composition': [
    'shared/auth',
    'shared/rate-limit',
    'shared/stores',
    'shared/upstream',
    'shared/reads',
    'shared/settings',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'shared/verification': ['shared/auth', 'shared/ports', 'shared/contract', 'shared/model'],
  'functions/bindings': ['shared/reads', 'shared/http', 'shared/ports', 'shared/model'],
  'functions/edge': ['shared/http', 'shared/contract', 'shared/model'],
  'functions/page': [],
  'functions/posts': ['functions/bindings', 'shared/composition'],
  'functions/profiles': ['functions/bindings', 'shared/composition'],
  'functions/search': ['functions/bindings', 'shared/composition'],
  'functions/engagements': ['functions/bindings', 'shared/composition'],
  'functions/legacy': ['functions/bindings', 'shared/composition', 'shared/http', 'shared/ports'],
  'functions/oembed': ['shared/reads', 'shared/composition', 'shared/http', 'shared/ports'],
  'functions/discovery': [
    'functions/page',
    'shared/publish',
    'shared/composition',
    'shared/http',
    'shared/resilience',
    'shared/render/html',
    'shared/render/content',
    'shared/contract',
    'shared/ports',
    'shared/model',
  ],
  'functions/mcp': [
    'functions/bindings',
    'shared/render/presenters',
    'shared/render/markdown',
    'shared/render/content',
    'shared/composition',
    'shared/http',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'functions/admin': [
    'functions/page',
    'shared/upstream',
    'shared/auth',
    'shared/rate-limit',
    'shared/stores',
    'shared/composition',
    'shared/http',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'functions/media': [
    'shared/composition',
    'shared/http',
    'shared/resilience',
    'shared/upstream',
    'shared/contract',
    'shared/ports',
    'shared/model',
  ],
  'functions/canary': [
    'shared/verification',
    'shared/http', // only the proof
    'shared/composition',
    'shared/settings',
    'shared/contract',
    'shared/model',
  ],
  'infra/command': ['shared/model'],
  'infra/build': [
    'infra/command',
    'functions/admin',
    'functions/discovery',
    'functions/edge',
    'shared/publish',
    'shared/render/html',
    'shared/render/content',
    'shared/contract',
    'shared/model',
  ],
  'client/src': ['shared/contract', 'shared/model'],
  'client/tools': ['client/src', 'infra/command', 'shared/publish', 'shared/contract', 'shared/model'],
  'infra/docs': [
    'client/tools',
    'infra/command',
    'shared/publish',
    'shared/settings',
    'shared/contract',
    'shared/model',
  ],
  'infra/config': ['shared/settings', 'shared/contract', 'shared/model'],
  infra: ['infra/config', 'shared/contract', 'shared/model'],
  'infra/deploy': ['infra/command', 'infra/config', 'shared/model'],
  'infra/constructs': ['infra', 'infra/build', 'infra/config', 'shared/settings', 'shared/contract', 'shared/model'],
  'infra/container': ['infra/build', 'infra/command'],
  'infra/local': [
    'infra/command',
    'infra',
    'infra/build',
    'functions/bindings',
    'functions/edge',
    'functions/media',
    'shared/composition',
    'shared/auth',
    'shared/stores',
    'shared/upstream',
    'shared/resilience',
    'shared/http',
    'shared/publish',
    'shared/settings',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'client/commands': [
    'client/src',
    'infra/command',
    'infra/local',
    'functions/mcp',
    'functions/media',
    'shared/composition',
    'shared/render/data',
    'shared/render/feeds',
    'shared/auth',
    'shared/upstream',
    'shared/settings',
    'shared/ports',
    'shared/contract',
    'shared/model',
  ],
  'infra/verify': [
    'infra/build',
    'infra/command',
    'infra/local',
    'functions/edge',
    'shared/verification',
    'shared/composition',
    'shared/settings',
    'shared/model',
  ],
  'infra/package': ['infra/build', 'shared/composition', 'shared/settings', 'shared/model'],
};

/** Files that start a program may import the code that they start. */
const PROGRAMS = ['infra/app.ts', 'infra/stacks.ts', 'infra/stack.ts', 'infra/local/prepare.ts'];

/** Returns the folder of FOLDERS that contains the file: the longest match. */
const folderOf = (file: string): string | undefined =>
  Object.keys(FOLDERS)
    .filter((folder) => file.startsWith(`${folder}/`))
    .toSorted((a, b) => b.length - a.length)[0];

const localTargets = (file: string): readonly string[] =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.') && !/(?:package|config\.schema)\.json$/.test(specifier))
    .map((specifier) => join(file, '..', specifier));

describe('imports between folders', () => {
  test('every source file is in one of the folders', () => {
    expect(SOURCES.filter((file) => folderOf(file) === undefined)).toEqual([]);
  });

  test('the table of folders has no cycle', () => {
    const names = Object.keys(FOLDERS);
    for (const [folder, targets] of Object.entries(FOLDERS)) {
      const before = names.slice(0, names.indexOf(folder));
      expect(
        targets.filter((target) => !before.includes(target)),
        folder,
      ).toEqual([]);
    }
  });

  test.each(Object.entries(FOLDERS))('%s imports only the folders %j', (folder, allowed) => {
    for (const file of SOURCES.filter((source) => folderOf(source) === folder && !PROGRAMS.includes(source))) {
      const foreign = localTargets(file)
        .map(folderOf)
        .filter((target) => target !== folder);
      expect(
        foreign.filter((target) => target === undefined || !allowed.includes(target)),
        file,
      ).toEqual([]);
    }
  });

  test.each(Object.entries(FOLDERS))('%s imports every folder that the table allows: %j', (folder, allowed) => {
    const files = SOURCES.filter((source) => folderOf(source) === folder);
    const targets = new Set(files.flatMap(localTargets).map(folderOf));
    expect(allowed.filter((target) => !targets.has(target))).toEqual([]);
  });

  test.each([
    ['zod', /^shared\/model\//],
    ['undici', /^shared\/upstream\/(?:http-request|pictures)\.ts$/],
    ['@middy/core', /^shared\/http\//],
    ['@aws-sdk/client-dynamodb', /^shared\/stores\/dynamodb-/],
    ['@modelcontextprotocol/sdk', /^functions\/mcp\//],
    ['ipaddr.js', /^shared\/auth\/client-network\.ts$/],
  ])('only the listed files import %s', (name, owner) => {
    const importers = ['shared', 'functions']
      .flatMap(filesUnder)
      .filter((file) => importsOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`)));
    expect(importers.filter((file) => !owner.test(file))).toEqual([]);
  });

  test('the client for npm imports only its own files and what the service reads links with, and no bundle contains it', () => {
    const specifiers = filesUnder('client/src').flatMap(importsOf);
    expect(specifiers.length).toBeGreaterThan(5);
    expect(specifiers.filter((specifier) => !/^\.\/[a-z-]+\.ts$/.test(specifier)).toSorted()).toEqual([
      '../../shared/contract/bounds.ts',
      '../../shared/model/account-list.ts',
      '../../shared/model/x-urls.ts',
    ]);
    expect(
      Object.values(filesOf)
        .flat()
        .filter((file) => file.startsWith('client/')),
    ).toEqual([]);
  });

  test('a read imports the paging of lists, and another read only where it is part of it', () => {
    const roomOf = (file: string): string | undefined => /^shared\/reads\/([a-z-]+)\//.exec(file)?.[1];
    const arrows = filesUnder('shared/reads').flatMap((file) =>
      localTargets(file)
        .map(roomOf)
        .filter((room) => room !== undefined && room !== roomOf(file))
        .map((room) => `${roomOf(file)} > ${room}`),
    );
    expect([...new Set(arrows)].filter((arrow) => !arrow.endsWith(' > paging')).toSorted()).toEqual([
      'oembed > post',
      'profile > profile-posts',
      'timeline > profile-posts',
    ]);
  });

  test('only test/measure imports the measuring programs', () => {
    const importers = ['shared', 'functions', 'infra', 'client', 'test']
      .flatMap(filesUnder)
      .filter((file) => !file.includes('node_modules'))
      .filter((file) => localTargets(file).some((target) => target.startsWith('measure/')));
    expect(importers.length).toBeGreaterThan(3);
    expect(importers.filter((file) => !file.startsWith('test/measure/'))).toEqual([]);
  });

  test('only shared/composition reads the environment and the clock', () => {
    const readers = filesUnder('shared').filter((file) =>
      /process\.env|Date\.now\b|Math\.random\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(readers.filter((file) => !file.startsWith('shared/composition/'))).toEqual([]);
  });
});

// A table that is typed by its member names rejects other strings at compile time. A lookup by a name from outside uses
// a Map, or calls Object.hasOwn first.
describe('[text 12] tables and names from outside', () => {
  const ALLOWED_TABLES = [
    // The CloudFront runtime needs a plain object: every lookup calls Object.hasOwn first.
    'functions/edge/viewer-request.ts found',
    // These headers are passed on as a whole.
    'shared/contract/headers.ts BASE_HEADERS',
  ];
  const TABLE = /(?:const|let) (\w+): (?:Readonly<)?Record<string, [^=]*=\s*\{/g;
  const CAST = /\[[^\]]*\bas (?:keyof|never|any)\b[^\]]*\]/;
  const sources = ['shared', 'functions', 'infra/local', 'client/commands']
    .flatMap(filesUnder)
    .filter((file) => !file.startsWith('shared/publish/')) // reads only text of this repository, at build time
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

  test('the compiler rejects a string that is not a member name of the table', () => {
    const table: Readonly<Record<'a', number>> = { a: 1 };
    const outside: string = 'constructor';
    // @ts-expect-error a string is not a member name of the table
    expect(typeof table[outside]).toBe('function');
  });

  test('every table is typed by its member names or is a Map', () => {
    const found = sources.flatMap(({ file, source }) =>
      [...source.matchAll(TABLE)].map(([, name]) => `${file} ${name}`),
    );
    expect(found.toSorted()).toEqual(ALLOWED_TABLES);
  });

  test('no lookup casts a string to a member name', () => {
    expect(sources.filter(({ source }) => CAST.test(source)).map(({ file }) => file)).toEqual([]);
  });
});
