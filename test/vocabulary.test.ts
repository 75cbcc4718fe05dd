// Keeps the language of the repository plain: no word that the project has replaced by a term of the field, and comments
// that begin with their subject. Recorded texts of others are exempt.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Texts that the project did not write, or that a command writes. */
const EXEMPT =
  /^(?:test\/(?:fixtures|golden|vocabulary\.test\.ts)|infra\/local\/sample\/|shared\/publish\/examples\.json|\.ci\/(?:tools|landed-openapi\.json)|(?:test\/outside\/)?package-lock\.json|LICENSE)/;

const TEXT = /\.(?:ts|js|json|md|html|css|ya?ml|toml|svg)$|^\.ci\/[a-z-]+$|^\.gitignore$/;

/** Tracked files; without a repository, as in a copy of the tree, there is nothing to list. */
const trackedFiles = (): readonly string[] => {
  try {
    return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\0');
  } catch {
    return [];
  }
};

const files = trackedFiles()
  .filter((file) => TEXT.test(file) && !EXEMPT.test(file) && existsSync(new URL(`../${file}`, import.meta.url)))
  .map((file) => ({ file, lines: readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n') }));

/** `--ink` is a color of the style sheets, and `he` is the code of Hebrew. */
const withoutCodes = (line: string): string =>
  line.replace(/--ink|\bink: \['#|:lang\(\w+\)|'iw', (?:'he'|' lang="he"')|\bgu he hi\b/g, '');

const hitsOf = (pattern: RegExp, among: RegExp = /./): readonly string[] =>
  files
    .filter(({ file }) => among.test(file))
    .flatMap(({ file, lines }) =>
      lines.flatMap((line, index) =>
        pattern.test(withoutCodes(line)) ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`] : [],
      ),
    );

test('no text of the repository contains a word that a term of the field has replaced', () => {
  const REPLACED =
    /\b(?:till|doors?|ink|barren|owed|owes|sings|doer|deeds?|patience|papers|glimpse|whoever|nobody|somebody|anybody|begun|mends?|haste|house|desk|crowd|scarce|he|him|his|himself)\b/i;
  expect(hitsOf(REPLACED)).toEqual([]);
});

test('no identifier is made of a word that a term of the field has replaced', () => {
  expect(
    hitsOf(/(?:Door|Till|Owed|Doer|Barren|Papers|Scarce|House|Surface)(?![a-z])|\b(?:live|our|their)[A-Z]/, /\.ts$/),
  ).toEqual([]);
});

test('no identifier says address, subject or verdict for a thing that has a name of its own', () => {
  expect(
    hitsOf(
      /\b(?:subjectOf|(?:client|caller|hash|charge|secretOf|routed|base)Address(?:es)?|address(?:es)?(?:Secret|Subject|Allowances|Of|On)\w*|(?:Addresses?|Address)(?:On|Of)X|\w*Verdict|PoolMember)\b/,
      /\.ts$/,
    ),
  ).toEqual([]);
});

test('no comment begins with a relative word instead of its subject', () => {
  expect(hitsOf(/^ *(?:\/\/|\/\*\*|\*) (?:What|Of|Whether|Whose|Where) /, /\.ts$/)).toEqual([]);
});
