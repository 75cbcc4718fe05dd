// `npm run measure -- weight`: prints what a maintainer carries as rows of the table in CONTRIBUTING.md: lines, files, commands
// and settings. Files that are generated at installation are not counted, because the repository does not hold them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../infra/command/answer-help.ts';
import { settings } from '../infra/config/settings.ts';
import manifest from '../package.json' with { type: 'json' };
import { importGraph } from '../test/support/import-graph.ts';

answerHelp();

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const isTypeScript = (file: string): boolean => /\.ts$/.test(file) && !file.endsWith('.d.ts');

const tracked = (...folders: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--', ...folders], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(isTypeScript);

const linesOf = (file: string): number => readFileSync(`${ROOT}${file}`, 'utf8').split('\n').length - 1;

const sum = (files: readonly string[]): number => files.reduce((lines, file) => lines + linesOf(file), 0);

const isTest = (file: string): boolean => /^(?:test|measure)\//.test(file);

const product = tracked('.').filter((file) => !isTest(file));
const tests = tracked('test', 'measure');

const ENTRY = 'functions/posts/handler.ts';
const chunks = await importGraph(ENTRY);

/** The files of a chunk and of those that it imports, without what is loaded on demand, such as the code of books. */
const filesOf = (chunk: string): readonly string[] => {
  const { inputs = {}, imports = [] } = chunks[chunk] ?? {};
  const needed = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
  return [...Object.keys(inputs), ...needed.flatMap(({ path }) => filesOf(path))];
};
const entry = Object.keys(chunks).find((chunk) => chunks[chunk]?.entryPoint === ENTRY) ?? '';
const ownFiles = [...new Set(filesOf(entry))];

const thousands = (count: number): string => count.toLocaleString('en-US');

const rows: readonly (readonly [figure: string, value: number])[] = [
  ['lines of product', sum(product)],
  ['files of product', product.length],
  ['own files in the bundle of a permalink', ownFiles.length],
  ['lines of tests', sum(tests)],
  ['npm scripts', Object.keys(manifest.scripts).length],
  ['settings of operators', Object.keys(settings).length],
  ['lines of README.md', linesOf('README.md')],
];
console.log(rows.map(([figure, value]) => `| ${figure} | ${thousands(value)} |`).join('\n'));
