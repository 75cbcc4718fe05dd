// `npm run measure -- weight`: prints what a maintainer carries as rows of the table in CONTRIBUTING.md: lines, files, commands
// and settings. Files that are generated at installation are not counted, because the repository does not hold them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { settings } from '../../infra/config/settings.ts';
import manifest from '../../package.json' with { type: 'json' };

answerHelp();

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const isTypeScript = (file: string): boolean => /\.ts$/.test(file) && !file.endsWith('.d.ts');

const tracked = (...folders: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--', ...folders], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(isTypeScript);

const linesOf = (file: string): number => readFileSync(`${ROOT}${file}`, 'utf8').split('\n').length - 1;

const sum = (files: readonly string[]): number => files.reduce((lines, file) => lines + linesOf(file), 0);

const isTest = (file: string): boolean => file.startsWith('test/');

const product = tracked('.').filter((file) => !isTest(file));
const tests = tracked('test');

const { metafile } = await build({
  entryPoints: [`${ROOT}functions/posts/handler.ts`],
  absWorkingDir: ROOT,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'silent',
});
const ownFiles = Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules'));

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
