// Runs a program of the repository in a process of its own, which ends with the test.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { programEnvironment, type Variables } from './program-environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param file relative to the repository. @param variables the environment, apart from PATH @param input @default none */
export const startProgram = (
  file: string,
  args: readonly string[],
  variables: Variables,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcessByStdio<Writable | null, Readable, Readable> => {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: programEnvironment(variables),
    stdio: [input, 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>; // the types know only literals of stdio
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** @returns the first lines of a stream */
export const firstLines = async (stream: Readable, count: number): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of createInterface(stream)) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
};

/** Starts `npm start` on a free port, with the sample and in memory. @returns the process, and the first lines that it prints */
export const startServiceProgram = async (variables: Variables = {}, count = 2) => {
  const inMemory = { UPSTREAM: 'sample', DATA_DIR: 'memory', PORT: '0' };
  const child = startProgram('infra/local/start.ts', [], { ...inMemory, ...variables });
  const lines = await firstLines(child.stdout, count);
  return { child, lines, origin: (lines[0] ?? '').replace('postern listening on ', '') };
};

/** @returns standard output, standard error, and the exit code, null after a signal */
export const runProgram = async (file: string, args: readonly string[], variables: Variables) => {
  const child = startProgram(file, args, variables);
  const ended = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code]: unknown[] = await ended;
  return { output, errors, code };
};
