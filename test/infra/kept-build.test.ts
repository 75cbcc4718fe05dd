// Tests that a kept build is made once, is found again, and is never outdated: its name covers all that the build reads.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { BUILD_INPUTS, buildKey, keptBuild } from '../../infra/build/kept-build.ts';
import { damages } from '../support/damaged-files.ts';
import { seededRandom } from '../support/random.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'postern-kept-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const writeBuild = async (directory: string): Promise<void> => writeFileSync(join(directory, 'built'), 'yes');

test('a build is made once and found again', async () => {
  const kept = join(folder(), 'kept');
  let builds = 0;
  const build = async (directory: string): Promise<void> => {
    builds += 1;
    await writeBuild(directory);
  };
  const first = await keptBuild(build, kept);
  expect(first.isTemporary).toBe(false);
  expect(await keptBuild(build, kept)).toEqual(first);
  expect(builds).toBe(1);
  expect(readFileSync(join(first.directory, 'built'), 'utf8')).toBe('yes');
});

test('two builds at the same time leave one whole build', async () => {
  const kept = join(folder(), 'kept');
  const both = Promise.withResolvers<void>();
  let builds = 0;
  const build = async (directory: string): Promise<void> => {
    builds += 1;
    if (builds === 2) both.resolve();
    await both.promise;
    await writeBuild(directory);
  };
  const [one, other] = await Promise.all([keptBuild(build, kept), keptBuild(build, kept)]);
  expect(other).toEqual(one);
  expect(readdirSync(kept)).toHaveLength(1);
  expect(existsSync(join(one.directory, 'built'))).toBe(true);
});

test.each(Object.entries(damages))('[platform 7] a kept build is made again when a file has %s', async (_, damage) => {
  const kept = join(folder(), 'kept');
  let builds = 0;
  const build = async (directory: string): Promise<void> => {
    builds += 1;
    mkdirSync(join(directory, 'functions'));
    writeFileSync(join(directory, 'functions', 'bundle.cjs'), 'exports.handler = 1;'.repeat(50));
  };
  const { directory } = await keptBuild(build, kept);
  const bundle = join(directory, 'functions', 'bundle.cjs');
  const content = readFileSync(bundle);
  writeFileSync(bundle, damage(content, seededRandom()));
  expect(await keptBuild(build, kept)).toEqual({ directory, isTemporary: false });
  expect(readFileSync(bundle)).toEqual(content);
  writeFileSync(`${bundle}.compiled`, 'compiled code');
  await keptBuild(build, kept);
  expect(builds).toBe(2);
});

test('a kept build is made again when a file is missing', async () => {
  const kept = join(folder(), 'kept');
  const { directory } = await keptBuild(writeBuild, kept);
  for (const file of ['built', 'checksums.json']) {
    rmSync(join(directory, file));
    await keptBuild(writeBuild, kept);
    expect(readdirSync(directory).sort()).toEqual(['built', 'checksums.json']);
  }
});

test('a build that fails leaves nothing', async () => {
  const kept = join(folder(), 'kept');
  const fails = async (): Promise<void> => {
    throw new Error('no bundle');
  };
  await expect(keptBuild(fails, kept)).rejects.toThrow('no bundle');
  expect(readdirSync(kept)).toEqual([]);
});

test('a build is for one use when nothing can be kept', async () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const { directory, isTemporary } = await keptBuild(writeBuild, join(file, 'kept'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  expect(isTemporary).toBe(true);
  expect(existsSync(join(directory, 'built'))).toBe(true);
});

test('a new build removes old builds and the rest of killed ones, and not those in progress', async () => {
  const kept = folder();
  const add = (name: string, hours: number): void => {
    const path = join(kept, name);
    mkdirSync(path);
    const time = new Date(Date.now() - hours * 3_600_000);
    utimesSync(path, time, time);
  };
  for (const hours of [1, 2, 3, 4, 5, 6]) add(`build-${hours}`, hours);
  add('unfinished-killed', 2);
  add('unfinished-running', 0.5);
  const { directory } = await keptBuild(writeBuild, kept);
  const names = ['build-1', 'build-2', 'build-3', 'build-4', 'unfinished-running'];
  expect(
    readdirSync(kept)
      .map((name) => join(kept, name))
      .sort(),
  ).toEqual([directory, ...names.map((name) => join(kept, name))].sort());
});

/** A small repository with every input. */
const repository = (): string => {
  const root = folder();
  for (const input of BUILD_INPUTS) {
    const path = join(root, input);
    mkdirSync(join(path, '..'), { recursive: true });
    if (input.includes('.')) writeFileSync(path, input);
    else {
      mkdirSync(join(path, 'deep'), { recursive: true });
      writeFileSync(join(path, 'deep', 'file.ts'), input);
    }
  }
  return root;
};

test.each(BUILD_INPUTS)('the key depends on the content of %s', (input) => {
  const root = repository();
  const before = buildKey(root);
  expect(buildKey(root)).toBe(before);
  const file = input.includes('.') ? join(root, input) : join(root, input, 'deep', 'file.ts');
  writeFileSync(file, 'other');
  expect(buildKey(root)).not.toBe(before);
});

test('the key depends on the names of files, and on where one file ends and the next begins', () => {
  const root = repository();
  const write = (first: string, second: string): string => {
    writeFileSync(join(root, 'shared', 'a'), first);
    writeFileSync(join(root, 'shared', 'b'), second);
    return buildKey(root);
  };
  expect(write('xy', '')).not.toBe(write('x', 'y'));
  const before = buildKey(root);
  writeFileSync(join(root, 'shared', 'new.md'), '');
  expect(buildKey(root)).not.toBe(before);
});

test('the documents are built by a process that may read nothing but packages and the inputs of the key', async () => {
  const readable = ['node_modules', ...BUILD_INPUTS].map((path) => `--allow-fs-read=${join(ROOT, path)}`);
  const module = join(ROOT, 'infra/build/documents-plugin.ts');
  const source = `import { documentsFromContract } from ${JSON.stringify(module)};
    console.log(Object.keys(await documentsFromContract()).length);
    try { process.getBuiltinModule('node:fs').readFileSync(${JSON.stringify(join(ROOT, 'README.md'))}); } catch ({ code }) { console.log(code); }`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--permission', '--allow-child-process', ...readable, '--input-type=module-typescript', '--eval', source],
    { cwd: ROOT },
  );
  expect(stdout).toMatch(/^[1-9][0-9]*\nERR_ACCESS_DENIED\n$/);
});
