// Tests how .ci/steps counts: the last line and the exit code of a script for every outcome of its steps.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const steps = fileURLToPath(new URL('../../.ci/steps', import.meta.url));

const write = (directory: string, name: string, body: string): string => {
  const file = join(directory, name);
  writeFileSync(file, `#!/usr/bin/env bash\n. '${steps}'\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
};

/** @param scripts other scripts by name, which the body calls */
const run = (body: string, scripts: Readonly<Record<string, string>> = {}) => {
  const directory = temporaryFolder();
  for (const [name, text] of Object.entries(scripts)) write(directory, name, text);
  const { stdout, status } = spawnSync(write(directory, 'main', body), {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '1', CI_RESULTS: '', CI_FAILURES: '', CI_SUITES: '' },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1), plain: lines.filter((line) => /^\d+ passed, \d+ failed$/.test(line)) };
};

/** A fake vitest that only writes a report. @param report undefined writes no report */
const vitest = (report: object | undefined, status = 0): string => {
  const text = report === undefined ? '' : `printf '%s' '${JSON.stringify(report)}' >"$file";`;
  return `fake() { local file=''; for word in "$@"; do case $word in --outputFile.json=*) file=\${word#*=};; esac; done; ${text} printf '\\033[32m7 passed, 3 failed\\033[0m\\n'; return ${status}; }\nsuite tests fake\n`;
};

const END = 'done_with_steps';

describe('the last line of a script', () => {
  test('sums its steps and those of the scripts that it calls', () => {
    const { status, last, plain } = run(
      `check one true\nscript ./more\n${vitest({ numPassedTests: 40, numFailedTests: 0 })}${END}`,
      {
        more: `check two true\ncheck three true\n${END}`,
      },
    );
    expect(last).toBe('43 passed, 0 failed');
    expect(plain).toHaveLength(1);
    expect(status).toBe(0);
  });

  test('includes failures and the steps after them, and the exit code is 1', () => {
    const { status, last, lines } = run(
      `check one false\ncheck two true\nscript ./more\n${vitest({ numPassedTests: 5, numFailedTests: 2 }, 1)}${END}`,
      { more: `check three false\ncheck four true\n${END}` },
    );
    expect(last).toBe('7 passed, 4 failed');
    expect(lines).toEqual(expect.arrayContaining(['failed: one', 'failed: three', 'failed: tests']));
    expect(status).toBe(1);
  });

  test('follows what failed, with up to 12 lines of each message, without colors and stacks', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `+ ${row}`);
    const report = {
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        { name: 'broken.test.ts', status: 'failed', message: '\u001b[31mNo export\u001b[39m x', assertionResults: [] },
        {
          name: 'other.test.ts',
          status: 'failed',
          assertionResults: [
            {
              status: 'failed',
              fullName: 'a list ends',
              failureMessages: [
                ['AssertionError: ends', '    at file.ts:1:2', '', 'x'.repeat(300), ...rows].join('\n'),
              ],
            },
            { status: 'passed', fullName: 'a list begins' },
          ],
        },
      ],
    };
    const { lines } = run(`${vitest(report, 1)}script ./more\ncheck two true\n${END}`, {
      more: `check one false\n${END}`,
    });
    expect(lines.slice(lines.indexOf('== what failed'))).toEqual([
      '== what failed',
      'failed: tests: broken.test.ts',
      '| No export x',
      'failed: tests: a list ends',
      '| AssertionError: ends',
      `| ${'x'.repeat(200)}`,
      ...rows.slice(0, 10).map((row) => `| ${row}`),
      'failed: one',
      '',
      '2 passed, 3 failed',
    ]);
  });

  test.each([
    ['no step ran', END, '0 passed, 0 failed'],
    ['every step was skipped', `skip 'no Chromium'\n${END}`, '0 passed, 0 failed'],
    ['a command of the script fails', 'check one true\nfalse\ncheck two true', '1 passed, 1 failed'],
    ['the script exits before its last line', 'check one true\nexit 0', '1 passed, 1 failed'],
    ['a pipe fails', 'check one true\nfalse | cat', '1 passed, 1 failed'],
    ['a called script fails', `check one true\nscript ./breaks\n${END}`, '2 passed, 1 failed'],
    ['a called script does not exist', `check one true\nscript ./nowhere\n${END}`, '1 passed, 1 failed'],
    [
      'a run has no tests',
      `check one true\n${vitest({ numPassedTests: 0, numFailedTests: 0 })}${END}`,
      '1 passed, 1 failed',
    ],
    ['a run writes no report', `check one true\n${vitest(undefined)}${END}`, '1 passed, 1 failed'],
    [
      'a run exits with an error without a failed test',
      `${vitest({ numPassedTests: 9, numFailedTests: 0 }, 1)}${END}`,
      '9 passed, 1 failed',
    ],
    [
      'a test file cannot be loaded',
      `${vitest({ numPassedTests: 9, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] }, 1)}${END}`,
      '9 passed, 1 failed',
    ],
  ])('is printed and the exit code is 1 when %s', (_, body, line) => {
    const { status, last, plain } = run(body, { breaks: 'check two true\nfalse' });
    expect(last).toBe(line);
    expect(plain).toHaveLength(1);
    expect(status).toBe(1);
  });
});

test('output of tools is indented and has no colors, so that no line of it looks like a sum', () => {
  const noisy = "printf '\\033[31m12 passed, 0 failed\\033[0m\\n3 passed, 1 failed\\n'";
  const { plain, lines } = run(`noise() { ${noisy}; }\ncheck noise noise\n${END}`);
  expect(plain).toEqual(['1 passed, 0 failed']);
  expect(lines).toEqual(expect.arrayContaining(['| 12 passed, 0 failed', '| 3 passed, 1 failed']));
});

test('a skipped step is printed', () => {
  expect(run(`check one true\nskip 'no Chromium'\n${END}`).lines).toContain('skipped: no Chromium');
});

test('clean_up runs at the end, also when the script fails', () => {
  const body = 'clean_up() { echo cleaned; }\ncheck one true\nfalse';
  expect(run(body).lines).toContain('cleaned');
  expect(run(`clean_up() { echo cleaned; return 1; }\ncheck one true\n${END}`)).toMatchObject({ status: 0 });
});

test('the tests of a real vitest run are counted', () => {
  const directory = temporaryFolder();
  writeFileSync(
    join(directory, 'two.test.js'),
    "import { test } from 'vitest';\ntest('a', () => undefined);\ntest('b', () => undefined);\ntest('c', () => { throw new Error('c'); });\n",
  );
  const bin = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const { last, status } = run(`suite real '${process.execPath}' '${bin}' run --root '${directory}'\n${END}`);
  expect(last).toBe('2 passed, 1 failed');
  expect(status).toBe(1);
});
