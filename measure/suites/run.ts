// `npm run measure -- suites`: runs .ci/run, and publishes one line for each suite of checks that others wrote. `.ci/feeds`
// runs only the scripts that are named and prints their lines. `--records FOLDER` reads a run with CI_SUITES=FOLDER.
// `--packages` runs nothing and publishes only the packages that tests use.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { readMeasurement } from '../../infra/docs/measurement.ts';
import { environmentWith, writeMeasurement } from '../write-measurement.ts';
import { createUserFinder, PACKAGES } from './packages.ts';
import { type OutsideSuite, outsideSuites } from './records.ts';

answerHelp();

const { values, positionals } = parseArgs({
  options: { records: { type: 'string' }, packages: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const root = fileURLToPath(new URL('../../', import.meta.url));

const versionOf = (name: string): string =>
  ['node_modules', 'test/outside/node_modules']
    .map((packages) => join(root, packages, name, 'package.json'))
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')).version)
    .at(0) ?? '-';

const publishPackages = (): void => {
  const usersOf = createUserFinder(root);
  const rows = PACKAGES.toSorted((a, b) => a.subject.localeCompare(b.subject) || a.name.localeCompare(b.name)).map(
    ({ name, package: id, subject }) => [subject, name, versionOf(id), String(usersOf(id).length)],
  );
  writeMeasurement('packages', {
    command: 'npm run measure -- suites --packages',
    environment: `${rows.length} packages`,
    bars: [],
    tables: [{ columns: ['Subject', 'Package', 'Version', 'Files of the tests that use it'], rows }],
  });
};

if (values.packages) {
  publishPackages();
  process.exit();
}

const folder = values.records ?? mkdtempSync(join(tmpdir(), 'postern-suites-'));
const scripts = positionals.length === 0 ? ['.ci/run'] : positionals;

if (values.records === undefined)
  for (const script of scripts)
    spawnSync(join(root, script), { cwd: root, stdio: 'inherit', env: { ...process.env, CI_SUITES: folder } });

const recordFile = join(folder, 'records.tsv');
const suites = outsideSuites({
  records: existsSync(recordFile) ? readFileSync(recordFile, 'utf8').split('\n').filter(Boolean) : [],
  reports: globSync('*.json', { cwd: folder }).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  root,
});
if (values.records === undefined) rmSync(folder, { recursive: true, force: true });

const rowOf = ({ name, version, subject, passed, failed, expected, isSkipped }: OutsideSuite): readonly string[] => {
  const figures = isSkipped ? ['not run', '', ''] : [passed, failed, expected].map(String);
  return [subject, name, version, ...figures];
};

const ran = suites.filter(({ isSkipped }) => !isSkipped);
const failed = ran.reduce((sum, suite) => sum + suite.failed, 0);
const rows = suites.map(rowOf);
for (const row of rows) console.log(row.join('  '));
console.log(`${ran.length} suites of others ran, ${suites.length - ran.length} did not; ${failed} checks failed`);
/** A script that stops early records none of its suites, which must not look as if they were no more. */
const published = readMeasurement('suites').tables.flatMap((table) => table.rows.flatMap(([, name = '']) => [name]));
const isWhole = positionals.length === 0;
const missing = isWhole ? published.filter((name) => !suites.some((suite) => suite.name === name)) : [];
if (missing.length > 0) console.log(`without a record: ${missing.join(', ')}`);
else if (isWhole) {
  publishPackages();
  writeMeasurement('suites', {
    command: 'npm run measure -- suites',
    environment: environmentWith(`${ran.length} of ${suites.length} suites`),
    bars: [{ name: 'checks of outside suites that failed', value: failed, unit: 'count', bar: 0 }],
    tables: [{ columns: ['Subject', 'Suite', 'Version', 'Passed', 'Failed', 'Expected failures'], rows }],
  });
}
if (failed > 0 || ran.length === 0 || missing.length > 0) process.exitCode = 1;
