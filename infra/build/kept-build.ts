// Keeps builds between commands, so that `npm start` and `npm run invoke` build only after a change; `npm ci` makes the
// first one. A kept build is a folder whose name is the hash of all that the build reads, so it is never outdated. It has the
// checksums of its files: a build that a full or failing disk has damaged is made again.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { ROOT } from './dist-layout.ts';

/** `npm ci` empties it. */
const KEPT = join(ROOT, '.cache/builds');

/** The build reads these files and folders. npm writes the list of the installed packages. */
export const BUILD_INPUTS = [
  'CHANGELOG.md',
  'LICENSE',
  'functions',
  'infra/build',
  'node_modules/.package-lock.json',
  'package.json',
  'postern.config.schema.json',
  'shared',
  'tsconfig.json',
] as const;

/** Kept for other branches, too. */
const MAX_KEPT = 5;
const UNFINISHED = 'unfinished-';
/** An older unfinished build belongs to a process that was killed. */
const MAX_UNFINISHED_MILLISECONDS = 3_600_000;

const filesBelow = (path: string): readonly string[] => {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
};

/** @param root the repository @returns the hash of the names and contents of all inputs, and of the version of Node */
export const buildKey = (root: string = ROOT): string => {
  const hash = createHash('sha256').update(process.version);
  for (const file of BUILD_INPUTS.flatMap((input) => filesBelow(join(root, input)))) {
    const content = readFileSync(file);
    hash.update(`\n${relative(root, file)} ${content.byteLength}\n`).update(content);
  }
  return hash.digest('hex');
};

const prune = (kept: string): void => {
  const entries = readdirSync(kept)
    .map((name) => ({ name, modified: statSync(join(kept, name)).mtimeMs }))
    .sort((a, b) => b.modified - a.modified);
  const unfinished = entries.filter(
    ({ name, modified }) => name.startsWith(UNFINISHED) && Date.now() - modified > MAX_UNFINISHED_MILLISECONDS,
  );
  const old = entries.filter(({ name }) => !name.startsWith(UNFINISHED)).slice(MAX_KEPT);
  for (const { name } of [...unfinished, ...old]) rmSync(join(kept, name), { recursive: true, force: true });
};

const CHECKSUMS = 'checksums.json';

const checksumOf = (file: string): number => crc32(readFileSync(file));

const writeChecksums = (directory: string): void => {
  const files = filesBelow(directory).map((file) => [relative(directory, file), checksumOf(file)]);
  writeFileSync(join(directory, CHECKSUMS), JSON.stringify(Object.fromEntries(files)));
};

/** Compiled code comes later and has a checksum of its own. */
const isWhole = (directory: string): boolean => {
  try {
    const checksums = asRecord(parseJson(readFileSync(join(directory, CHECKSUMS), 'utf8')));
    if (checksums === undefined) return false;
    return Object.entries(checksums).every(([file, checksum]) => checksumOf(join(directory, file)) === checksum);
  } catch {
    return false; // A file is missing.
  }
};

/** The builds that were used last are kept. */
const recordUse = (directory: string): void => {
  try {
    const now = new Date();
    utimesSync(directory, now, now);
  } catch {
    // The folder belongs to another user.
  }
};

/** @returns undefined if nothing can be written there */
const createFolder = (kept: string): string | undefined => {
  try {
    mkdirSync(kept, { recursive: true });
    return mkdtempSync(join(kept, UNFINISHED));
  } catch {
    return undefined; // such as an installation that belongs to another user
  }
};

/** @returns the folder with the name; also if another process has kept the same build in the meantime */
const keep = (folder: string, name: string, kept: string): string => {
  const target = join(kept, name);
  try {
    renameSync(folder, target);
    prune(kept);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
};

export interface UsableBuild {
  /** Laid out as dist/. */
  readonly directory: string;
  /** The directory is for one use. */
  readonly isTemporary: boolean;
}

/**
 * @param build writes a build into a folder
 * @param kept the folder of the kept builds
 * @returns a build of the present sources, which is made only if none is kept
 */
export const keptBuild = async (build: (directory: string) => Promise<unknown>, kept = KEPT): Promise<UsableBuild> => {
  const name = buildKey();
  const existing = join(kept, name);
  if (existsSync(existing)) {
    if (isWhole(existing)) {
      recordUse(existing);
      return { directory: existing, isTemporary: false };
    }
    rmSync(existing, { recursive: true, force: true });
  }
  const folder = createFolder(kept);
  const directory = folder ?? mkdtempSync(join(tmpdir(), 'postern-build-'));
  try {
    await build(directory);
    writeChecksums(directory);
    if (folder !== undefined) return { directory: keep(folder, name, kept), isTemporary: false };
    return { directory, isTemporary: true };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
};

/** The build is loaded only if it has to run: the packages that it needs take longer than the start of the service. */
const build = async (directory: string): Promise<void> => {
  const { buildAll } = await import('./build.ts');
  await buildAll(directory);
};

/**
 * Provides the bundles of the present sources to one use.
 *
 * @param use gets the directory, laid out as dist/, to which it adds nothing but compiled code; it may disappear after the use
 */
export const withBundles = async <T>(use: (directory: string) => Promise<T>): Promise<T> => {
  const { directory, isTemporary } = await keptBuild(build);
  try {
    return await use(directory);
  } finally {
    if (isTemporary) rmSync(directory, { recursive: true, force: true });
  }
};
