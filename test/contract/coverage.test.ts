import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const tests = new URL('../', import.meta.url);
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, tests), 'utf8'));

/** `[20]`, `[11a]`, `[C3]` at the beginning of a title. */
const TITLE = /['"`]((?:\[(?:[UIHCMDPSLKA]?\d{1,3}a?)\])+)/g;

const cited = new Set(
  sources.flatMap((source) => [...source.matchAll(TITLE)].flatMap(([, ids]) => (ids ?? '').slice(1, -1).split(']['))),
);

test('every requirement is cited by a test', () => {
  expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([]);
});

test('no test cites a requirement that is not listed', () => {
  expect([...cited].filter((id) => !Object.hasOwn(requirements, id))).toEqual([]);
});
