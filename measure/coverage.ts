// `npm run measure -- coverage`: the lines and branches of shared/ that the tests run, by vitest. Prints the lines of
// each file that no test runs, publishes the figures of each folder, and exits with 1 if fewer than 95 % of the
// branches run. Needs `npm ci --prefix test/outside`. Options are those of vitest, such as `test/unit/stores
// --coverage.include='shared/stores/*.ts'`, and with one of them nothing is published.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../infra/command/answer-help.ts';
import { environmentWith, writeMeasurement } from './write-measurement.ts';

answerHelp();

/** In percent. */
const BAR = 95;

/** They run shared/ in the process of vitest; the others start processes, which are not measured. */
const TESTS = ['unit', 'functions', 'contract', 'verification', 'outside/feeds', 'outside/served-feeds'];

type Figure = Readonly<Record<'covered' | 'total', number>>;
type Summary = Readonly<Record<string, Readonly<Record<'lines' | 'branches', Figure>>>>;

const root = fileURLToPath(new URL('../', import.meta.url));
const options = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'postern-coverage-'));
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--coverage.enabled',
    '--coverage.provider=custom',
    '--coverage.customProviderModule=test/outside/node_modules/@vitest/coverage-v8/dist/index.js',
    '--coverage.reporter=text',
    '--coverage.reporter=json-summary',
    `--coverage.reportsDirectory=${folder}`,
    `--coverage.thresholds.branches=${BAR}`,
    ...(options.length > 0 ? options : ['--coverage.include=shared/**/*.ts', ...TESTS.map((name) => `test/${name}`)]),
  ],
  { cwd: root, stdio: 'inherit' },
);

const percentOf = ({ covered, total }: Figure): number => (total === 0 ? 100 : (covered / total) * 100);

const publish = ({ total, ...files }: Summary): void => {
  const byFolder = Object.groupBy(Object.entries(files), ([path]) => relative(root, path).split('/', 2).join('/'));
  const sum = (rows: readonly (readonly [string, Summary[string]])[], kind: 'lines' | 'branches'): Figure => ({
    covered: rows.reduce((count, [, file]) => count + file[kind].covered, 0),
    total: rows.reduce((count, [, file]) => count + file[kind].total, 0),
  });
  const rowOf = (name: string, lines: Figure, branches: Figure): readonly string[] => [
    name,
    ...[lines, branches].map((figure) => `${percentOf(figure).toFixed(1)} %`),
    `${branches.covered} of ${branches.total}`,
  ];
  if (total === undefined) throw new Error('vitest measured nothing');
  writeMeasurement('coverage', {
    command: 'npm run measure -- coverage',
    environment: environmentWith(`${Object.keys(files).length} files`),
    bars: [
      {
        name: 'branches of shared/ that tests run',
        value: percentOf(total.branches),
        unit: '%',
        bar: BAR,
        direction: 'atLeast',
      },
    ],
    tables: [
      {
        columns: ['Folder', 'Lines', 'Branches', 'Branches run'],
        rows: [
          ...Object.entries(byFolder)
            .toSorted(([a], [b]) => a.localeCompare(b))
            .map(([name, rows = []]) => rowOf(name, sum(rows, 'lines'), sum(rows, 'branches'))),
          rowOf('shared', total.lines, total.branches),
        ],
      },
    ],
  });
};

if (status === 0 && options.length === 0)
  publish(JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8')));
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
