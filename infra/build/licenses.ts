// Collects the licences of the packages whose code is in a bundle, because a copy of the code must come with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { ROOT } from './dist-layout.ts';

type Output = Pick<Metafile['outputs'][string], 'inputs'>;

/** The innermost package of a file below node_modules, whose path is from the repository root. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The folders of the packages that have code in the outputs. */
const foldersIn = (outputs: readonly Output[]): readonly string[] => {
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []))].sort();
};

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/** Some packages name their licence and its holders only in their README. */
const fromReadme = (folder: string, name: string, license: string): string => {
  const [copyright] = /Copyright \(c\).*/.exec(read(folder, 'README.md')) ?? [];
  if (license !== 'MIT' || copyright === undefined) throw new Error(`the package ${name} has no text of its licence`);
  return read('LICENSE').replace(/^Copyright .*$/m, () => copyright);
};

const licenseOf = (folder: string): { readonly package: string; readonly text: string } => {
  const { name, version, license } = JSON.parse(read(folder, 'package.json'));
  const files = readdirSync(join(ROOT, folder)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)(?:\.\w+)?$/i.test(file),
  );
  const text =
    files.length === 0
      ? fromReadme(folder, name, license)
      : files
          .sort()
          .map((file) => read(folder, file).trim())
          .join('\n\n');
  return { package: `${name} ${version} (${license})`, text: text.replaceAll('\r\n', '\n').trim() };
};

/** @returns each text once, below the names of its packages; undefined if no package has code in the outputs */
export const licensesOf = (...outputs: readonly Output[]): string | undefined => {
  const folders = foldersIn(outputs);
  if (folders.length === 0) return undefined;
  const byText = Map.groupBy(folders.map(licenseOf), ({ text }) => text);
  const sections = [...byText].map(
    ([text, packages]) => `${packages.map((row) => row.package).join('\n')}\n\n${text}\n`,
  );
  return ['Postern contains code of these packages.\n', ...sections].join(`\n${'-'.repeat(80)}\n\n`);
};
