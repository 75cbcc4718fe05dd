// Checks that the tests cite every row of requirements.ts and no other row.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const tests = new URL('../', import.meta.url);
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, tests), 'utf8'));

/** Matches the citations at the start of a title, in the form that requirements.ts describes. */
const CITATIONS = /['"`]((?:\[[a-z-]+ (?:[\d.]+ )?#\d+a?\] ?)+)/g;
const CITATION = /\[([^\]]+)\]/g;

/** Matches an id without its section. */
const BARE_ID = /['"`]\[[A-Z]?\d{1,3}a?\]/;

const cited = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(CITATIONS)].flatMap(([, citations = '']) =>
      [...citations.matchAll(CITATION)].map(([, citation = '']) => citation),
    ),
  ),
);

test('requirements.ts has every row once', () => {
  const source = readFileSync(new URL('contract/requirements.ts', tests), 'utf8');
  const ids = [...source.matchAll(/\[\s*'([a-z-]+ (?:[\d.]+ )?#\d+a?)',/g)].map(([, id]) => id);
  expect(ids).toEqual([...requirements.keys()]);
});

test('every row of requirements.ts is cited by a test', () => {
  expect([...requirements.keys()].filter((row) => !cited.has(row))).toEqual([]);
});

test('every citation in a title is a row of requirements.ts', () => {
  expect([...cited].filter((citation) => !requirements.has(citation))).toEqual([]);
});

test('every citation in a title has its section', () => {
  expect(sources.filter((source) => BARE_ID.test(source))).toEqual([]);
});
