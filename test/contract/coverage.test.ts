// Proves that the tests cite every row of requirements.ts, and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const tests = new URL('../', import.meta.url);
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, tests), 'utf8'));

/** One or several citations at the start of a title, in the form that requirements.ts describes. */
const CITATIONS = /['"`]((?:\[[a-z-]+ (?:[\d.]+ )?#\d+a?\] ?)+)/g;
const CITATION = /\[([^\]]+)\]/g;

/** An id without its section. */
const BARE_ID = /['"`]\[[A-Z]?\d{1,3}a?\]/;

const cited = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(CITATIONS)].flatMap(([, citations = '']) =>
      [...citations.matchAll(CITATION)].map(([, citation = '']) => citation),
    ),
  ),
);

test('requirements.ts: every row is cited by a test', () => {
  expect([...requirements.keys()].filter((row) => !cited.has(row))).toEqual([]);
});

test('requirements.ts: no test cites a row that is not listed', () => {
  expect([...cited].filter((citation) => !requirements.has(citation))).toEqual([]);
});

test('requirements.ts: no title cites a row without its section', () => {
  expect(sources.filter((source) => BARE_ID.test(source))).toEqual([]);
});
