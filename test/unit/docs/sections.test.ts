// Checks the generated sections of docs/ against their tables and measurements.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMissed, measurementNames, unexplainedBars } from '../../../infra/docs/measurement.ts';
import { generatedDocuments, sectionNames, withSections } from '../../../infra/docs/sections.ts';

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

const shownIn = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^<!-- \/(\S+) -->$/gm)].map(([, name = '']) => name);

describe('the generated sections', () => {
  test.each(generatedDocuments)('%s is as `npm run update -- readme` writes it', (file) => {
    expect(read(file)).toBe(withSections(read(file)));
  });

  test('have a place each, and a document with measurements has their missed bars', () => {
    const shown = generatedDocuments.map((file) => shownIn(read(file)));
    expect(
      shown
        .flat()
        .filter((name) => name !== 'missed')
        .toSorted(),
    ).toEqual(sectionNames.toSorted());
    for (const names of shown)
      expect(names.includes('missed')).toBe(names.some((name) => measurementNames.includes(name)));
  });

  test('replace a row that was changed or removed', () => {
    const document = read('docs/local-service.md');
    const changed = document.replace('| `DATA_DIR` | `.local` |', '| `DATA_DIR` | `.data` |');
    expect(changed).not.toBe(document);
    expect(withSections(changed)).toBe(document);
    expect(withSections(document.replace(/^\| `PORT` .*\n/m, ''))).toBe(document);
  });

  test('refuse an unknown name with the names that exist', () => {
    const section = '<!-- alarm: written by `npm run update -- readme` -->\n<!-- /alarm -->';
    expect(() => withSections(section)).toThrow(/^there is no section "alarm"; known: adminRoutes, alarms, /);
  });
});

test.each([
  [{ value: 1.2, bar: 1.2 }, false],
  [{ value: 1.21, bar: 1.2 }, true],
  [{ value: Number.NaN, bar: 1.2 }, true],
  [{ value: 95, bar: 95, direction: 'atLeast' }, false],
  [{ value: 94.9, bar: 95, direction: 'atLeast' }, true],
] as const)('%j is missed: %s', (bar, missed) => {
  expect(isMissed({ name: 'a figure', unit: 'ratio', ...bar })).toBe(missed);
});

test('each missed bar has a reason', () => {
  expect(unexplainedBars()).toEqual([]);
});
