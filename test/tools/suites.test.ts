// Proves that the table of outside suites has the figures of the run: from the records of .ci/steps and from vitest.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMeasurement } from '../../infra/docs/measurement.ts';
import { createUserFinder, PACKAGES } from '../suites/packages.ts';
import { outsideSuites, type RecordedRun } from '../suites/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const steps = fileURLToPath(new URL('../../.ci/steps', import.meta.url));

/** @returns the records of a script with these steps */
const recordsOf = (body: string): readonly string[] => {
  const folder = temporaryFolder();
  const script = join(folder, 'script');
  writeFileSync(script, `. '${steps}'\n${body}\ndone_with_steps\n`);
  spawnSync('bash', [script], {
    cwd: folder,
    env: { ...process.env, CI_RESULTS: '', CI_FAILURES: '', CI_SUITES: folder },
  });
  return readFileSync(join(folder, 'records.tsv'), 'utf8').split('\n').filter(Boolean);
};

const RUN: RecordedRun = {
  records: [],
  reports: [],
  root: '/repository/',
};

test('outside records the checks of a step with the name and the version of the suite', () => {
  const records = recordsOf(
    "outside Judge 1.0 pages check one true\noutside Judge 1.0 pages check two false\noutside 'Other judge' 2.0 feeds check three true",
  );
  expect(outsideSuites({ ...RUN, records })).toEqual([
    { name: 'Other judge', version: '2.0', subject: 'feeds', passed: 1, failed: 0, expected: 0, isSkipped: false },
    { name: 'Judge', version: '1.0', subject: 'pages', passed: 1, failed: 1, expected: 0, isSkipped: false },
  ]);
});

test('outside records the figure of the tool if the step writes one', () => {
  const records = recordsOf('conform() { echo 40 1 2 >"$CI_FIGURE"; }\noutside Judge 1.0 pages check one conform');
  expect(outsideSuites({ ...RUN, records })).toMatchObject([{ passed: 40, failed: 1, expected: 2 }]);
});

test('a suite whose tool is absent is listed as skipped', () => {
  const records = recordsOf('absent Judge 1.0 pages');
  expect(outsideSuites({ ...RUN, records })).toMatchObject([{ name: 'Judge', passed: 0, isSkipped: true }]);
});

test('a step without a record of a suite adds no line', () => {
  expect(recordsOf('check ours true\nabsent Judge 1.0 pages')).toHaveLength(1);
});

const report = {
  testResults: [
    {
      name: '/repository/test/a.test.ts',
      assertionResults: [
        { fullName: 'a client of one calls', status: 'passed' },
        { fullName: 'a client of two calls', status: 'failed' },
      ],
    },
    { name: '/repository/test/b.test.ts', assertionResults: [{ fullName: 'other', status: 'passed' }] },
  ],
} as const;

test('counted_by_title counts the tests whose title starts with a text', () => {
  const records = recordsOf("counted_by_title one 1.0 clients 'a client of one'");
  expect(outsideSuites({ ...RUN, records, reports: [report] })).toMatchObject([{ name: 'one', passed: 1, failed: 0 }]);
});

test('a test that several steps run counts once, and as failed if it failed in one of them', () => {
  const [ofA, ofB] = report.testResults;
  const passedAlone = { ...ofA, assertionResults: ofA.assertionResults.map((test) => ({ ...test, status: 'passed' })) };
  const reports = [report, { testResults: [passedAlone, ofB] }];
  const records = recordsOf("counted_by_title one 1.0 clients 'a client of'\ncounted_by_title two 1.0 clients other");
  expect(outsideSuites({ ...RUN, records, reports })).toMatchObject([
    { name: 'one', passed: 1, failed: 1 },
    { name: 'two', passed: 1, failed: 0 },
  ]);
});

test('a package that tests use has no figure of passed tests, but the number of files that import it', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'test'));
  for (const [file, text] of [
    ['helper.ts', "import { judge } from 'judge/part';\nimport other from 'judge-other';"],
    ['direct.test.ts', "import judge from 'judge';\nimport { helper } from './helper.ts';"],
    ['lazy.test.ts', "const judge = await import('judge');"],
    ['transitive.test.ts', "import { helper } from './helper.ts';"],
  ] as const)
    writeFileSync(join(folder, 'test', file), text);
  expect(createUserFinder(folder)('judge').toSorted()).toEqual([
    'test/direct.test.ts',
    'test/helper.ts',
    'test/lazy.test.ts',
  ]);
  const { tables } = readMeasurement('packages');
  expect(tables.map(({ columns }) => columns)).toEqual([
    ['Subject', 'Package', 'Version', 'Files of the tests that use it'],
  ]);
  expect(tables.flatMap(({ rows }) => rows.map(([, name]) => name)).toSorted()).toEqual(
    PACKAGES.map(({ name }) => name).toSorted(),
  );
  const suites = readMeasurement('suites').tables.flatMap(({ rows }) => rows.map(([, name = '']) => name));
  expect(PACKAGES.filter(({ name }) => suites.includes(name))).toEqual([]);
});

test('each package of the table is used by a test', () => {
  const findUsers = createUserFinder(fileURLToPath(new URL('../../', import.meta.url)));
  expect(PACKAGES.filter(({ package: id }) => findUsers(id).length === 0)).toEqual([]);
  expect(findUsers('feedsmith')).toEqual(['test/outside/feed-readers.ts']);
});
