// Who may import what. A package that slips into a bundle costs every cold start; an arrow that turns round makes a
// knot. The bundles are the proof for the packages, the sources for the rooms.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildFunctions } from '../infra/build/build.ts';
import type { LambdaName } from '../shared/contract/lambdas.ts';
import { bundleBars } from './support/bundle-bars.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

const packagesOf: Record<string, ReadonlySet<string>> = {};
const bytesOf: Record<string, number> = {};
const filesOf: Record<string, readonly string[]> = {};
/** Of what is in no file of ours, such as the documents. */
const generatedBytesOf: Record<string, number> = {};

beforeAll(async () => {
  const { metafile, bytes } = await buildFunctions(join(tmpdir(), `postern-architecture-${process.pid}`));
  Object.assign(bytesOf, bytes);
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    const name = /([a-z]+)\/index\.cjs$/.exec(output)?.[1] ?? output;
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

const DOOR = ['@middy/core', '@middy/http-error-handler', '@middy/util'];
const READER = [...DOOR, 'undici'];
const DYNAMO = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/core',
  '@aws-sdk/dynamodb-codec',
  '@aws-sdk/middleware-endpoint-discovery',
  '@smithy/core',
  '@smithy/node-http-handler',
  '@smithy/signature-v4',
  '@smithy/types',
];
const KEYED_READER = [...READER, ...DYNAMO, 'base-x'];
const ALLOWED: Readonly<Record<LambdaName, readonly string[]>> = {
  posts: READER,
  oembed: READER,
  profiles: KEYED_READER,
  search: KEYED_READER,
  legacy: KEYED_READER,
  discovery: DOOR,
  mcp: [...KEYED_READER, '@modelcontextprotocol/sdk', 'zod'],
  admin: KEYED_READER,
};

/** The door with its compression, the words of problems, the table of documents, what tells seen characters. */
const DISCOVERY_KILOBYTES = 30.5;

describe('a bundle holds what its surface needs', () => {
  test.each(Object.entries(ALLOWED))('%s', (name, allowed) => {
    expect([...(packagesOf[name] ?? [])].sort()).toEqual([...allowed].sort());
  });

  test.each(Object.entries(bundleBars))('and stays small: %s', (name, { kilobytes }) => {
    expect(bytesOf[name]).toBeLessThanOrEqual(kilobytes * 1000);
  });

  test('discovery is little more than its documents', () => {
    const own = (bytesOf['discovery'] ?? Number.NaN) - (generatedBytesOf['discovery'] ?? Number.NaN);
    expect(own).toBeLessThanOrEqual(DISCOVERY_KILOBYTES * 1000);
    expect(generatedBytesOf['discovery']).toBeGreaterThan(50_000);
  });

  test('posts come without what makes lists', () => {
    expect(filesOf['posts']).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/reads\/assemble|render\/list/)]),
    );
    expect(filesOf['profiles']).toEqual(expect.arrayContaining([expect.stringMatching(/reads\/assemble/)]));
  });
});

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  contract: ['model'],
  reads: ['model', 'contract', 'ports.ts'],
  upstream: ['model', 'contract', 'ports.ts', 'breaker.ts', 'bounded-map.ts'],
  access: ['contract', 'ports.ts', 'breaker.ts', 'bounded-map.ts'],
  render: ['model', 'contract', 'ports.ts'],
  publish: ['model', 'contract', 'render'],
  lambda: ['model', 'contract', 'render', 'ports.ts'],
  live: ['model', 'contract', 'reads', 'upstream', 'access', 'ports.ts', 'env.ts'],
};

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

const filesIn = (room: string): string[] => filesUnder(join('shared', room));

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier ?? '');

const roomOf = (file: string, specifier: string): string => join(file, '..', specifier).split('/')[1] ?? '';

describe('the arrows between the rooms go one way', () => {
  test.each(Object.entries(ROOMS))('%s imports no other rooms than %j', (room, allowed) => {
    for (const file of filesIn(room)) {
      const foreign = importsOf(file)
        .filter((specifier) => specifier.startsWith('.') && !specifier.includes('package.json'))
        .map((specifier) => roomOf(file, specifier))
        .filter((target) => target !== room);
      expect(
        foreign.filter((target) => !allowed.includes(target)),
        file,
      ).toEqual([]);
    }
  });

  test.each([
    ['zod', /^shared\/model\//],
    ['undici', /^shared\/upstream\/exchange\.ts$/],
    ['@middy/core', /^shared\/lambda\//],
    ['@aws-sdk/client-dynamodb', /^shared\/access\/dynamo-/],
    ['@modelcontextprotocol/sdk', /^functions\/mcp\//],
  ])('only its room imports %s', (name, home) => {
    const importers = ['shared', 'functions']
      .flatMap(filesUnder)
      .filter((file) => importsOf(file).some((specifier) => specifier === name || specifier.startsWith(`${name}/`)));
    expect(importers.filter((file) => !home.test(file))).toEqual([]);
  });

  test('only live reads the environment and the clock', () => {
    const readers = Object.keys(ROOMS)
      .flatMap(filesIn)
      .filter((file) => /process\.env|Date\.now\b|Math\.random\b/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers.filter((file) => !file.startsWith('shared/live/'))).toEqual([]);
  });
});

// A table whose members are typed by their names cannot be asked for any string: the compiler refuses it. What is looked
// up by a name from outside is a Map, or is asked with Object.hasOwn first.
describe('[105] no table of ours is asked for a name from outside', () => {
  const ALLOWED_TABLES = [
    // CloudFront's runtime: each name is looked up with Object.hasOwn before.
    'functions/edge/viewer-request.ts found',
    // Asked for names of ours.
    'infra/local/gateway.ts known',
    // Headers that are handed on as a whole.
    'shared/contract/headers.ts COMMON_HEADERS',
    'shared/contract/headers.ts PRIVATE_HEADERS',
  ];
  const TABLE = /(?:const|let) (\w+): (?:Readonly<)?Record<string, [^=]*=\s*\{/g;
  const CAST = /\[[^\]]*\bas (?:keyof|never|any)\b[^\]]*\]/;
  const sources = ['shared', 'functions', 'infra/local']
    .flatMap(filesUnder)
    .filter((file) => !file.startsWith('shared/publish/')) // our own words, when the bundles are built
    .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

  test('the compiler refuses what is not a name of the table', () => {
    const table: Readonly<Record<'a', number>> = { a: 1 };
    const outside: string = 'constructor';
    // @ts-expect-error a string is no name of the table
    expect(typeof table[outside]).toBe('function');
  });

  test('tables are typed by their names, or are Maps', () => {
    const found = sources.flatMap(({ file, source }) =>
      [...source.matchAll(TABLE)].map(([, name]) => `${file} ${name}`),
    );
    expect(found.toSorted()).toEqual(ALLOWED_TABLES);
  });

  test('no name is cast to one of a table', () => {
    expect(sources.filter(({ source }) => CAST.test(source)).map(({ file }) => file)).toEqual([]);
  });
});
