// `npm run measure -- weight`: prints what a maintainer carries as rows of the table in CONTRIBUTING.md: lines, files, commands
// and settings, the files that its recipe of a new read names, what a warm request runs through, and the size of each bundle.
// Files that are generated at installation are not counted, because the repository does not hold them. For another commit,
// copy this file and request-paths.ts into its worktree.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from '../infra/build/build.ts';
import { answerHelp } from '../infra/command/answer-help.ts';
import { settings } from '../infra/config/settings.ts';
import manifest from '../package.json' with { type: 'json' };
import { importGraph } from '../test/support/import-graph.ts';
import { measureRequestPaths } from './request-paths.ts';

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

const recipe = /^### A new read$(.*?)^### /ms.exec(readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8'))?.[1] ?? '';
const filesOfRead = recipe.match(/^\d+\. /gm)?.length ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'postern-weight-'));
const bundles = await buildAll(folder).finally(() => rmSync(folder, { recursive: true }));

const paths = await measureRequestPaths();

const thousands = (count: number): string => count.toLocaleString('en-US');

const rows: readonly (readonly [figure: string, value: number])[] = [
  ['lines of product', sum(product)],
  ['files of product', product.length],
  ['own files in the bundle of a permalink', ownFiles.length],
  ['files of product that a new read touches', filesOfRead],
  ['lines of tests', sum(tests)],
  ['npm scripts', Object.keys(manifest.scripts).length],
  ['settings of operators', Object.keys(settings).length],
  ['lines of README.md', linesOf('README.md')],
  ...paths.flatMap(({ name, files, functions }) => [
    [`own files that a ${name} runs through`, files] as const,
    [`own functions that a ${name} runs through`, functions] as const,
  ]),
  ...Object.entries(bundles).map(([name, bytes]) => [`kB of ${name}`, Math.round(bytes / 1000)] as const),
];
console.log(rows.map(([figure, value]) => `| ${figure} | ${thousands(value)} |`).join('\n'));
