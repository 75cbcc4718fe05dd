// Proves that the reader of coverage counts branches and names those that did not run.
import { expect, test } from 'vitest';
import { type FileCoverage, percentOf, readFileCoverage, sumOf } from '../coverage/branches.ts';

const SOURCE = 'if (a)\n  b();\nc(d ?? e);\n';

const coverage: FileCoverage = {
  path: '/sample.ts',
  statementMap: {
    0: { start: { line: 1, column: 0 } },
    1: { start: { line: 2, column: 2 } },
    2: { start: { line: 3, column: 0 } },
  },
  s: { 0: 3, 1: 0, 2: 3 },
  branchMap: {
    0: {
      type: 'if',
      loc: { start: { line: 1, column: 0 } },
      locations: [{ start: { line: 1, column: 0 } }, { start: {} }],
    },
    1: {
      type: 'binary-expr',
      loc: { start: { line: 3, column: 2 } },
      locations: [{ start: { line: 3, column: 2 } }, { start: { line: 3, column: 7 } }],
    },
  },
  b: { 0: [0, 3], 1: [3, 0] },
};

test('readFileCoverage() counts lines and branches, and names each branch that did not run', () => {
  const { lines, branches, uncovered } = readFileCoverage(coverage, 'sample.ts', SOURCE);
  expect(lines).toEqual({ covered: 2, total: 3 });
  expect(branches).toEqual({ covered: 2, total: 4 });
  expect(uncovered).toEqual([
    { file: 'sample.ts', line: 1, type: 'if', source: 'if (a)' },
    { file: 'sample.ts', line: 3, type: 'binary-expr', source: 'c(d ?? e);' },
  ]);
});

test('readFileCoverage() names the line of a condition whose missing else did not run', () => {
  const { uncovered } = readFileCoverage({ ...coverage, b: { 0: [3, 0], 1: [3, 1] } }, 'sample.ts', SOURCE);
  expect(uncovered).toEqual([{ file: 'sample.ts', line: 1, type: 'if', source: 'if (a)' }]);
});

test('the share of branches of a folder is that of all its files together', () => {
  const all = sumOf([
    { covered: 1, total: 1 },
    { covered: 1, total: 3 },
  ]);
  expect(percentOf(all)).toBe(50);
  expect(percentOf(sumOf([]))).toBe(100);
});
