// Runs a program of the repository in a process of its own, which ends with the test.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { programEnvironment, type Variables } from './program-environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param file relative to the repository. @param variables the environment, apart from PATH */
export const startProgram = (
  file: string,
  args: readonly string[],
  variables: Variables,
): ChildProcessByStdio<null, Readable, Readable> => {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: programEnvironment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** @returns standard output, standard error, and the exit code, null after a signal */
export const runProgram = async (file: string, args: readonly string[], variables: Variables) => {
  const child = startProgram(file, args, variables);
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code]: unknown[] = await ended;
  return { output, errors, code };
};
