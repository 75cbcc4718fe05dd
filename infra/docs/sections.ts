// Writes the generated sections of docs/ and of the README of the npm client: the text between `<!-- NAME: written by … -->` and `<!-- /NAME -->`.
import { readFileSync, writeFileSync } from 'node:fs';
import { methodsTable } from '../../client/tools/methods.ts';
import { billTable } from './bill.ts';
import { measurementNames, measurementSection, missedSection, readMeasurement } from './measurement.ts';
import { operatorTables } from './operator-tables.ts';

/** The files with generated sections, from the repository root. */
export const generatedDocuments = [
  'client/README.md',
  'docs/local-service.md',
  'docs/operators/benchmarks.md',
  'docs/operators/reliability.md',
  'docs/operators/scaling.md',
  'docs/operators/self-hosting.md',
  'docs/operators/standing.md',
] as const;

const tables: ReadonlyMap<string, () => string> = new Map(
  Object.entries({ ...operatorTables, bill: billTable, methods: methodsTable }),
);

/** The names of all sections but `missed`. */
export const sectionNames: readonly string[] = [...tables.keys(), ...measurementNames];

const SECTION = /(<!-- (\S+): written by `npm run update -- readme` -->\n).*?(<!-- \/\2 -->)/gs;

/** @returns the document with the present content of its sections @throws if there is no section of a name */
export const withSections = (markdown: string): string => {
  const names = [...markdown.matchAll(SECTION)].map(([, , name = '']) => name);
  const measured = names.filter((name) => measurementNames.includes(name));
  const contentOf = (name: string): string => {
    if (name === 'missed') return missedSection(measured);
    if (measured.includes(name)) return measurementSection(readMeasurement(name));
    const table = tables.get(name);
    if (table === undefined) throw new Error(`there is no section "${name}"; known: ${sectionNames.join(', ')}`);
    return table();
  };
  return markdown.replace(SECTION, (_, begin: string, name: string, end: string) =>
    [begin, contentOf(name), '', end].join('\n'),
  );
};

export const writeSections = (): void => {
  for (const file of generatedDocuments) {
    const url = new URL(`../../${file}`, import.meta.url);
    writeFileSync(url, withSections(readFileSync(url, 'utf8')));
  }
};
