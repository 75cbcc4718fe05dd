// Collects the licences of the packages whose code is in a bundle, because a copy of the code must come with them. A
// package that brings no text gets that of the licence which it names. None fails a build: an update would have to wait.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { asRecord } from '../../shared/model/json.ts';
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

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8').replaceAll('\r\n', '\n');

/** `LICENSE`, `licence.md`, `LICENSE-MIT.txt`, `NOTICE`; not a module such as `license.js`. */
const TEXT_FILE = /^(?:(?:un)?licen[cs]es?|copying|notice)(?:[-.](?!.*(?:[cm]?[jt]s|json|map)$).*)?$/i;

const textsIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map((file) => read(folder, file).trim())
    .filter((text) => text !== '');

/** @returns the text of a member that a manifest has as text or in an object, such as `MIT` or `{ "type": "MIT" }` */
const textOf = (value: unknown, member: string): string | undefined => {
  const text = asRecord(value)?.[member] ?? value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** SPDX identifier to text. */
const wellKnown: ReadonlyMap<string, string> = new Map(
  read('infra/build/license-texts.txt')
    .split(/^== /m)
    .slice(1)
    .map((section): [string, string] => {
      const [id = '', ...lines] = section.split('\n');
      return [id, lines.join('\n').trim()];
    }),
);

/** Old packages name their licence in an object, or several in a list of which a user chooses one. */
const expressionOf = ({ license, licenses }: Readonly<Record<string, unknown>>): string =>
  [license ?? licenses]
    .flat()
    .flatMap((value) => textOf(value, 'type') ?? [])
    .join(' OR ');

/** @returns the texts of the first choice of an SPDX expression that are all known; undefined if there is none */
const knownTexts = (expression: string): readonly string[] | undefined => {
  const plain = expression.replace(/^\(([^()]*)\)$/, '$1');
  if (/[()]/.test(plain)) return undefined;
  return plain
    .split(' OR ')
    .map((choice) => choice.split(' AND ').map((id) => wellKnown.get(id.trim()) ?? ''))
    .find((texts) => texts.every((text) => text !== ''));
};

/** Some packages name the holders only in their README. */
const copyrightOf = (folder: string, name: string, author: unknown): string => {
  const readme = readdirSync(join(ROOT, folder)).find((file) => /^readme(?:\.|$)/i.test(file));
  const [line] = (readme !== undefined && /^.*?(Copyright \([cC]\) .*)/m.exec(read(folder, readme))?.slice(1)) || [];
  const person = textOf(author, 'name')?.replace(/\s*[<(].*$/, '');
  return line ?? `Copyright (c) ${person ?? `the authors of ${name}`}`;
};

interface License {
  /** Name, version and licence. */
  readonly package: string;
  readonly text: string;
}

const readLicense = (folder: string): License => {
  const manifest: Readonly<Record<string, unknown>> = JSON.parse(read(folder, 'package.json'));
  const { version, author, homepage, repository } = manifest;
  const name = String(manifest['name']);
  const expression = expressionOf(manifest);
  const id = `${name} ${version} (${expression === '' ? 'no licence named' : expression})`;
  const texts = textsIn(folder);
  if (texts.length > 0) return { package: id, text: texts.join('\n\n') };
  const known = knownTexts(expression);
  if (known !== undefined) {
    const copyright = copyrightOf(folder, name, author);
    return { package: id, text: known.map((text) => text.replace('<copyright>', () => copyright)).join('\n\n') };
  }
  console.warn(`warning: ${id} brings no text of its licence, and there is none for what it names`);
  const home = textOf(homepage, 'url') ?? textOf(repository, 'url') ?? 'none named';
  return { package: id, text: `This package brings no text of its licence. Its home page: ${home}` };
};

/** Folder to licence. Several bundles contain the same packages, and a warning is printed once. */
const licenses = new Map<string, License>();

const licenseOf = (folder: string): License => {
  const license = licenses.get(folder) ?? readLicense(folder);
  licenses.set(folder, license);
  return license;
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
