// Tests how .ci/steps counts: the last line and the exit code of a script for every outcome of its steps.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
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
  return { status, last: lines.at(-1), plain: lines.filter((line) => /^\d+ passed, \d+ failed$/.test(line)) };
};

/** A fake vitest that only writes a report. @param report undefined writes no report */
const vitest = (report: object | undefined, status = 0): string => {
  const text = report === undefined ? '' : `printf '%s' '${JSON.stringify(report)}' >"$file";`;
  return `fake() { local file=''; for word in "$@"; do case $word in --outputFile.json=*) file=\${word#*=};; esac; done; ${text} printf '\\033[32m7 passed, 3 failed\\033[0m\\n'; return ${status}; }\nsuite tests fake\n`;
};

const END = 'done_with_steps';
const BROKEN = { status: 'failed', assertionResults: [] };

const MORE = { more: `check two true\ncheck three true\n${END}`, breaks: 'check two true\nfalse' };

test.each([
  [
    'every step passes',
    `check one true\nscript ./more\n${vitest({ numPassedTests: 40 })}${END}`,
    '43 passed, 0 failed',
  ],
  [
    'steps fail',
    `check one false\nscript ./more\n${vitest({ numPassedTests: 5, numFailedTests: 2 }, 1)}${END}`,
    '7 passed, 3 failed',
  ],
  ['no step ran', END, '0 passed, 0 failed'],
  ['every step was skipped', `skip 'no Chromium'\n${END}`, '0 passed, 0 failed'],
  ['a command of the script fails', 'check one true\nfalse\ncheck two true', '1 passed, 1 failed'],
  ['the script exits before its last line', 'check one true\nexit 0', '1 passed, 1 failed'],
  ['a pipe fails', 'check one true\nfalse | cat', '1 passed, 1 failed'],
  ['a called script fails', `check one true\nscript ./breaks\n${END}`, '2 passed, 1 failed'],
  ['a called script does not exist', `check one true\nscript ./nowhere\n${END}`, '1 passed, 1 failed'],
  ['a run has no tests', `check one true\n${vitest({ numPassedTests: 0 })}${END}`, '1 passed, 1 failed'],
  ['a run writes no report', `check one true\n${vitest(undefined)}${END}`, '1 passed, 1 failed'],
  [
    'a run exits with an error without a failed test',
    `${vitest({ numPassedTests: 9 }, 1)}${END}`,
    '9 passed, 1 failed',
  ],
  [
    'a test file cannot be loaded',
    `${vitest({ numPassedTests: 9, testResults: [BROKEN] }, 1)}${END}`,
    '9 passed, 1 failed',
  ],
])('when %s, the last line of a script is the sum, and the exit code says if all passed', (_, body, line) => {
  const { status, last, plain } = run(body, MORE);
  expect(last).toBe(line);
  expect(plain).toHaveLength(1);
  expect(status).toBe(line.endsWith(', 0 failed') && !line.startsWith('0 ') ? 0 : 1);
});
