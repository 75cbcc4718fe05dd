// Checks that the tests cite every requirement, and that titles, comments and checks cite requirements and nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements, requirementsDocument } from './requirements.ts';

const root = new URL('../../', import.meta.url);

const sourcesOf = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, root), 'utf8'));

const tests = sourcesOf('test');
const product = ['client', 'functions', 'infra', 'measure', 'shared'].flatMap(sourcesOf);

/** Matches the citations at the start of a title. */
const CITATIONS = /['"`]((?:\[[a-z-]+ \d+\] ?)+)/g;
const CITATION = /\[([^\]]+)\]/g;

/** Matches a reference to a document that is not in the repository, or to a row without its chapter. */
const FOREIGN = /\b(?:[Ss]pec|[Dd]ecision) \d|['"`]\[[A-Z]?\d{1,3}a?\]/;

/** Matches the chapters that a comment names. */
const COMMENTED = /\brequirements: ([a-z-]+)(?: and ([a-z-]+))?/g;

const chapters = new Set([...requirements.keys()].map((name) => name.slice(0, name.indexOf(' '))));

const cited = new Set(
  tests.flatMap((source) =>
    [...source.matchAll(CITATIONS)].flatMap(([, citations = '']) =>
      [...citations.matchAll(CITATION)].map(([, citation = '']) => citation),
    ),
  ),
);

test('requirements.md has every requirement once, in the order of its numbers', () => {
  const names = [...requirementsDocument.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name);
  expect(names).toEqual([...requirements.keys()]);
  for (const chapter of chapters) {
    const numbers = names.flatMap((name = '') => (name.startsWith(`${chapter} `) ? [Number(name.split(' ')[1])] : []));
    expect(numbers, chapter).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

test('every requirement is cited by a test', () => {
  expect([...requirements.keys()].filter((name) => !cited.has(name))).toEqual([]);
});

test('every citation in a title is a requirement', () => {
  expect([...cited].filter((citation) => !requirements.has(citation))).toEqual([]);
});

test('comments name only chapters of the document', () => {
  const named = [...product, ...tests].flatMap((source) =>
    [...source.matchAll(COMMENTED)].flatMap(([, first = '', second = first]) => [first, second]),
  );
  expect(named.filter((chapter) => !chapters.has(chapter))).toEqual([]);
});

test('no source refers to a document outside the repository', () => {
  const foreign = [...product, ...tests].flatMap((source) => source.match(FOREIGN)?.[0] ?? []);
  expect(foreign).toEqual([]);
});
