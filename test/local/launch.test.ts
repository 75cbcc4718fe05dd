// Tests infra/launch.cjs, which runs the programs of the project with its Node, in copies with other packages.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAME = `node-${process.platform}-${process.arch}`;

interface Copy {
  /** Of the Node that the project needs. */
  readonly needed?: string;
  /** The text of the program in the package of Node. */
  readonly brought?: string;
  readonly program?: string;
}

/** @returns the folder of a project with the launcher and the file program.ts */
const copyWith = ({ needed = '>=24', brought, program = '' }: Copy): string => {
  const folder = join(temporaryFolder(), 'a folder à côté');
  mkdirSync(join(folder, 'infra'), { recursive: true });
  copyFileSync('infra/launch.cjs', join(folder, 'infra/launch.cjs'));
  const optionalDependencies = { [NAME]: '24.0.1' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', engines: { node: needed }, optionalDependencies }),
  );
  writeFileSync(join(folder, 'program.ts'), program);
  const bin = join(folder, 'node_modules', NAME, 'bin');
  mkdirSync(bin, { recursive: true });
  if (brought !== undefined) {
    writeFileSync(join(bin, 'node'), `#!/bin/sh\n${brought}\n`);
    chmodSync(join(bin, 'node'), 0o755);
  }
  return folder;
};

const launch = (folder: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['infra/launch.cjs', ...args], { cwd: folder, encoding: 'utf8' });

const usesGlibc = 'glibcVersionRuntime' in Object(Reflect.get(process.report.getReport(), 'header'));
const isLinux = process.platform === 'linux' && usesGlibc;

test('[running 1] the Node of the machine runs a program as its main module when it is new enough', () => {
  const program =
    'const all: string[] = process.argv.slice(2); console.log(import.meta.main, all.join()); process.exitCode = 7;';
  const { stdout, status } = launch(copyWith({ program }), 'program.ts', 'a b', '--c');
  expect(stdout).toBe('true a b,--c\n');
  expect(status).toBe(7);
});

test.runIf(isLinux)('[running 1] the Node of the project runs a program when the machine has another', () => {
  const { stdout } = launch(copyWith({ brought: 'echo brought "$@"' }), 'program.ts', 'a b');
  expect(stdout).toBe('brought program.ts a b\n');
});

test.runIf(isLinux)('[running 1] a command finds the Node of the project in PATH', () => {
  const folder = copyWith({ brought: 'echo brought "$@"' });
  mkdirSync(join(folder, 'node_modules/.bin'));
  writeFileSync(join(folder, 'tool.js'), '#!/usr/bin/env node\n');
  chmodSync(join(folder, 'tool.js'), 0o755);
  symlinkSync('../../tool.js', join(folder, 'node_modules/.bin/tool'));
  expect(launch(folder, 'tool', '--version').stdout).toMatch(/^brought .*tool --version\n$/);
});

test('[running 1] a program is refused in one sentence when no Node is new enough', () => {
  const { stdout, stderr, status } = launch(copyWith({ needed: '>=999' }), 'program.ts');
  expect(stderr).toMatch(/^Postern needs Node 999 or newer; this is Node [^\n]*\n$/);
  expect([stdout, status]).toEqual(['', 1]);
});

test.runIf(isLinux)('[running 1] a signal reaches the program, and its exit code the caller', async () => {
  const brought = "trap 'echo ended; exit 5' TERM; echo started; while :; do sleep 0.05; done";
  const child = spawn(process.execPath, ['infra/launch.cjs', 'program.ts'], { cwd: copyWith({ brought }) });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(5);
});

test('[running 1] every npm script and the app of the CDK start with the launcher', () => {
  const { app } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const scripts = [...Object.values(packageJson.scripts), app];
  const bare = scripts.filter((script) => !/(?:^|; |&& |^exec )node infra\/launch\.cjs /.test(script));
  expect(bare).toEqual([]);
  // Nothing else in them starts Node or a program of a package.
  expect(scripts.filter((script) => /\bnode (?!infra\/launch\.cjs)/.test(script))).toEqual([]);
});

test('[running 1] an old Node can parse the launcher', () => {
  const source = readFileSync('infra/launch.cjs', 'utf8');
  const [forOld, asIs] = ['node12', 'esnext'].map((target) => transformSync(source, { target }).code);
  expect(forOld).toBe(asIs);
});
