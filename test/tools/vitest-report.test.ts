import { expect, test } from 'vitest';
import { readTestReport } from './vitest-report.ts';

const passing = { status: 'passed', fullName: 'a', failureMessages: [] };
const failing = { status: 'failed', fullName: 'b', failureMessages: ['Error: not so\n    at line 1'] };

const read = (testResults: readonly object[]) =>
  readTestReport(JSON.stringify({ numPassedTests: 3, numPendingTests: 1, testResults }), '/tree/');

test('a report has the counts, and one line per failed test', () => {
  const file = { name: '/tree/test/a.test.ts', status: 'failed', assertionResults: [passing, failing, failing] };
  const line = 'test/a.test.ts: b: Error: not so';
  expect(read([file])).toEqual({ files: 1, passed: 3, skipped: 1, failures: [line, line] });
});

test('a file that does not load is a failure', () => {
  const file = { name: '/tree/test/a.test.ts', status: 'failed', message: 'SyntaxError: x\ny', assertionResults: [] };
  expect(read([file]).failures).toEqual(['test/a.test.ts: SyntaxError: x']);
  expect(read([{ ...file, status: 'passed' }]).failures).toEqual([]);
});

test.each([[undefined], ['']])('a run without a report is a failure: %j', (json) => {
  expect(readTestReport(json, '/tree/').failures).toEqual(['vitest wrote no report']);
});
