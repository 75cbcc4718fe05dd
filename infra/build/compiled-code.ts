// Starts infra/local/compile-bundles.ts with the Node of Lambda, or with one that may be the same.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ROOT } from './dist-layout.ts';

const PROGRAM = fileURLToPath(new URL('../local/compile-bundles.ts', import.meta.url));

/** Lambda starts Node with this flag, and V8 refuses the compiled code of other flags. Those of memory do not count. */
export const LAMBDA_FLAG = '--expose-gc';

const succeeds = (command: string, options: readonly string[], errors: 'ignore' | 'inherit' = 'inherit'): boolean =>
  spawnSync(command, options, { stdio: ['ignore', 'ignore', errors] }).status === 0;

const compilesInImage = (image: string, dist: string): boolean => {
  if (!succeeds('docker', ['image', 'inspect', image], 'ignore')) return false;
  const user = `--user=${process.getuid?.()}:${process.getgid?.()}`;
  const volumes = [`--volume=${ROOT}:${ROOT}:ro`, `--volume=${dist}:${dist}`];
  const container = ['run', '--rm', '--network=none', user, ...volumes, '--entrypoint=node', image];
  return succeeds('docker', [...container, LAMBDA_FLAG, PROGRAM, dist]);
};

/**
 * Compiles with the Node of this process.
 *
 * @param dist the absolute path of the output folder of the build
 * @returns false if it failed, with the error on standard error
 */
export const compileHere = (dist: string): boolean => succeeds(process.execPath, [LAMBDA_FLAG, PROGRAM, dist]);

/**
 * Compiles in the image of Lambda if Docker has it, otherwise here if this machine has the system and the processor of the
 * functions. The functions start without compiled code, too.
 */
export const compileForLambda = (dist: string, arch: 'arm64' | 'x86_64'): void => {
  if (compilesInImage(`public.ecr.aws/lambda/nodejs:24-${arch}`, dist)) return;
  if (process.platform === 'linux' && process.arch === (arch === 'arm64' ? 'arm64' : 'x64')) compileHere(dist);
};
