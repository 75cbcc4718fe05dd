// `npm run update -- golden`: writes the files that tests compare answers with. Review the difference before a commit.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../../infra/command/answer-help.ts';

answerHelp();

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('test/**/*.test.ts', { cwd, exclude: ['**/node_modules'] }).filter((file) =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes('toMatchFileSnapshot'),
);
const { status } = spawnSync('npm', ['exec', '--', 'vitest', 'run', ...files, '--update'], { cwd, stdio: 'inherit' });
process.exitCode = status ?? 1;
