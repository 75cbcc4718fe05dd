// `npm run measure -- coverage`: measures which lines and branches of shared/ the tests run, lists every branch that no test
// runs, and exits with 1 if fewer than 95 % of the branches run. Installs the coverage provider into .ci/coverage.
//
//   --folders stores   a pattern of folders of shared/; test files can follow
//   --publish          publishes the figures also of a part
//   --workers 2
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { environmentWith, writeMeasurement } from '../tools/write-measurement.ts';
import { type CoveredFile, type FileCoverage, percentOf, readFileCoverage, sumOf } from './branches.ts';
import { reasonOf } from './gaps.ts';

answerHelp();

/** In percent. */
const BAR = 95;

/** Folders whose tests run shared/ in the process of vitest; the others start processes, which are not measured. */
const TESTS = ['test/unit', 'test/functions', 'test/contract', 'test/verification'];

/** Tests that start processes or take long, and run nothing of shared/ that the others do not run. */
const LEFT_OUT = ['example-programs', 'readme', 'runbook', 'multi-process', 'response-size', 'regular-expressions'];

const { values, positionals } = parseArgs({
  options: {
    /** A pattern of folders of shared/. */
    folders: { type: 'string', default: '**' },
    workers: { type: 'string' },
    /** Publishes the figures also if not all tests ran. */
    publish: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const isWhole = values.folders === '**' && positionals.length === 0;

const run = (command: string, ...parameters: readonly string[]): boolean =>
  spawnSync(command, parameters, { cwd: root, stdio: 'inherit' }).status === 0;

const provider = join(root, '.ci/coverage/provider.mjs');
if (
  !existsSync(join(root, '.ci/coverage/node_modules')) &&
  !run('npm', 'ci', '--prefix', '.ci/coverage', '--ignore-scripts')
) {
  console.log('skipped: the coverage provider could not be installed');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'postern-coverage-'));
const hasPassed = run(
  process.execPath,
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...(positionals.length === 0 ? TESTS : positionals),
  ...LEFT_OUT.flatMap((name) => ['--exclude', `**/${name}.test.ts`]),
  '--reporter=dot',
  ...(values.workers === undefined ? [] : [`--maxWorkers=${values.workers}`]),
  '--coverage.enabled',
  '--coverage.provider=custom',
  `--coverage.customProviderModule=${provider}`,
  `--coverage.include=shared/${values.folders}/*.ts`,
  '--coverage.reporter=json',
  '--coverage.reportOnFailure',
  `--coverage.reportsDirectory=${folder}`,
);
const found: Readonly<Record<string, FileCoverage>> = JSON.parse(
  readFileSync(join(folder, 'coverage-final.json'), 'utf8'),
);
rmSync(folder, { recursive: true, force: true });

const files = Object.values(found).map((coverage) => {
  const file = relative(root, coverage.path);
  return readFileCoverage(coverage, file, readFileSync(coverage.path, 'utf8'));
});
const uncovered = files.flatMap((file) => file.uncovered);
for (const branch of uncovered)
  console.log(`${branch.file}:${branch.line} ${branch.type}: ${branch.source}  (${reasonOf(branch) ?? 'unexplained'})`);

const folderOf = ({ file }: CoveredFile): string => file.split('/').slice(0, 2).join('/');
const inPercent = (part: CoveredFile['lines']): string => `${percentOf(part).toFixed(1)} %`;
const rowOf = (name: string, members: readonly CoveredFile[]): readonly string[] => {
  const branches = sumOf(members.map((file) => file.branches));
  const lines = sumOf(members.map((file) => file.lines));
  return [name, inPercent(lines), inPercent(branches), `${branches.covered} of ${branches.total}`];
};
const folders = Object.entries(Object.groupBy(files, folderOf)).toSorted(([a], [b]) => a.localeCompare(b));
const rows = folders.map(([name, members]) => rowOf(name, members ?? []));
for (const row of [...rows, rowOf('shared', files)]) console.log(row.join('  '));

const share = percentOf(sumOf(files.map((file) => file.branches)));
const gaps = Object.entries(Object.groupBy(uncovered, (branch) => reasonOf(branch) ?? 'not explained'));
console.log(`branches of shared/ that tests run: ${share.toFixed(1)} %, bar ${BAR} %`);
if (hasPassed && (isWhole || values.publish))
  writeMeasurement('coverage', {
    command: ['npm run measure -- coverage', ...process.argv.slice(2)].join(' '),
    environment: environmentWith(`${files.length} files`),
    bars: [{ name: 'branches of shared/ that tests run', value: share, unit: '%', bar: BAR, direction: 'atLeast' }],
    tables: [
      { columns: ['Folder', 'Lines', 'Branches', 'Branches run'], rows },
      {
        caption: 'The branches that no test runs:',
        columns: ['Why', 'Branches'],
        rows: gaps.map(([reason, branches = []]) => [reason, String(branches.length)]),
      },
    ],
  });
if (!hasPassed || share < BAR) process.exitCode = 1;
