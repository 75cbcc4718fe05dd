// Proves that the table of outside suites has the figures of the run: from the records of .ci/steps and from vitest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createUserFinder, PACKAGES } from '../suites/packages.ts';
import { outsideSuites, type RecordedRun } from '../suites/records.ts';

const steps = fileURLToPath(new URL('../../.ci/steps', import.meta.url));

/** @returns the records of a script with these steps */
const recordsOf = (body: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
  packages: [],
  findUsers: () => new Set(),
  versionOf: () => '1.2.3',
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

test('the figure of a package counts the tests of the files that use it', () => {
  const packages = [{ name: 'Judge', package: 'judge', subject: 'pages' }];
  const findUsers = () => new Set(['test/a.test.ts']);
  expect(outsideSuites({ ...RUN, packages, findUsers, reports: [report] })).toEqual([
    { name: 'Judge', version: '1.2.3', subject: 'pages', passed: 1, failed: 1, expected: 0, isSkipped: false },
  ]);
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

test('each package of the table is used by a test', () => {
  const findUsers = createUserFinder(fileURLToPath(new URL('../../', import.meta.url)));
  expect(PACKAGES.filter(({ package: id }) => findUsers(id).size === 0)).toEqual([]);
  expect(findUsers('feedsmith')).toContain('test/functions/feeds.test.ts');
});
