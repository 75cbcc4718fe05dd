// Creates esbuild plugins that replace parts of a dependency by stubs, because Lambda functions never reach these parts
// and their start-up would pay for them. The replaced paths are not a promised interface of the dependency. Therefore
// the stubs apply only to the reviewed versions. Every other version is bundled whole: the build passes with a warning,
// and test/infra/stubs-plugin.test.ts fails with the text of `reviewInstructions`.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'esbuild';

export interface Stub {
  /** Why the bundle replaces the original. */
  readonly reason: string;
  /** @returns the JavaScript of the stub */
  readonly text: (packageDirectory: string) => string;
}

export interface Alias {
  /** Why the bundle replaces the original. */
  readonly reason: string;
  /** The absolute path of our module. */
  readonly file: string;
}

export interface StubbedDependency {
  readonly name: string;
  /** The repository path of the module that declares this table. */
  readonly declaredIn: string;
  /** The repository path of the tests that run the stubbed dependency. */
  readonly testedIn: string;
  /** Package name to version. The other packages are found from the first package. */
  readonly reviewedVersions: Readonly<Record<string, string>>;
  /**
   * By `package` (the module that an import of the package gets), by `package/path` (a file of the package), or by
   * `node:name` (a built-in, replaced only for the files of these packages). Built only if the bundle reaches the
   * original.
   */
  readonly stubs: Readonly<Record<string, Stub>>;
  /** By package name. An alias applies to the whole bundle. */
  readonly aliases: Readonly<Record<string, Alias>>;
}

const isBuiltIn = (key: string): boolean => key.startsWith('node:');

/** `@scope/name/path` -> `@scope/name`; `name/path` -> `name` */
const packageOf = (key: string): string =>
  key
    .split('/')
    .slice(0, key.startsWith('@') ? 2 : 1)
    .join('/');

const findManifest = (name: string, from: string): string | undefined => {
  try {
    const file = findPackageJSON(name, from);
    return file === undefined ? undefined : realpathSync(file); // esbuild reports real paths too
  } catch {
    return undefined; // not installed
  }
};

/** @returns package name to manifest, without the packages that are not installed */
const findManifests = ({ reviewedVersions }: StubbedDependency, from: string): ReadonlyMap<string, string> => {
  const [first = '', ...others] = Object.keys(reviewedVersions);
  const manifest = findManifest(first, from);
  if (manifest === undefined) return new Map();
  const found = others.flatMap((name): [string, string][] => {
    const file = findManifest(name, manifest);
    return file === undefined ? [] : [[name, file]];
  });
  return new Map([[first, manifest], ...found]);
};

const versionOf = (manifest: string): string => {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
  return String(version);
};

/** `package/path` -> absolute path */
const fileOf = (key: string, manifests: ReadonlyMap<string, string>): string | undefined => {
  const name = packageOf(key);
  const manifest = manifests.get(name);
  return manifest === undefined ? undefined : join(dirname(manifest), key.slice(name.length));
};

const versionMismatches = (
  { reviewedVersions }: StubbedDependency,
  manifests: ReadonlyMap<string, string>,
): readonly string[] =>
  Object.entries(reviewedVersions).flatMap(([name, reviewed]) => {
    const manifest = manifests.get(name);
    const installed = manifest === undefined ? 'not installed' : versionOf(manifest);
    return installed === reviewed ? [] : [`${name} is ${installed}, but its stubs were reviewed for ${reviewed}`];
  });

const fileMismatches = (
  { reviewedVersions, stubs }: StubbedDependency,
  manifests: ReadonlyMap<string, string>,
): readonly string[] =>
  Object.keys(stubs).flatMap((key) => {
    if (isBuiltIn(key)) return [];
    if (!Object.hasOwn(reviewedVersions, packageOf(key))) return [`${key} has a stub, but no reviewed version`];
    const file = fileOf(key, manifests);
    return file === undefined || existsSync(file) ? [] : [`${key} has a stub, but does not exist`];
  });

/**
 * Compares the installed packages with the reviewed packages.
 *
 * @param from a file or file URL; the packages are found as from this file
 * @returns no element if the stubs apply
 */
export const reviewFindings = (dependency: StubbedDependency, from: string = import.meta.url): readonly string[] => {
  const manifests = findManifests(dependency, from);
  return [...versionMismatches(dependency, manifests), ...fileMismatches(dependency, manifests)];
};

/** @returns the steps of a review, for the reader of a failed test */
export const reviewInstructions = (dependency: StubbedDependency): string => {
  const { name, declaredIn, testedIn, reviewedVersions, stubs, aliases } = dependency;
  const replaced = Object.entries({ ...stubs, ...aliases }).map(([key, { reason }]) => `   - ${key}: ${reason}`);
  const versions = Object.entries(reviewedVersions).map(([key, version]) => `${key}@${version}`);
  return [
    `The stubs of ${name} need a review. Until then the build includes ${name} without stubs: the bundles are correct,`,
    'but larger and slower to start, so tests of their size and of their packages can fail too.',
    `1. Read the changes since ${versions.join(', ')}: npm diff --diff=PACKAGE@OLD --diff=PACKAGE@NEW`,
    '2. Check each replaced module. The reason must still be true, and the stub must have every export that the',
    '   package imports from the module. If the file has moved, move the stub; if it is gone, delete the stub.',
    ...replaced,
    `3. Write the new versions into reviewedVersions in ${declaredIn}.`,
    `4. Run ${testedIn} and test/architecture.test.ts.`,
  ].join('\n');
};

/** @param from a file or file URL; the packages are found as from this file */
export const createStubsPlugin = (dependency: StubbedDependency, from: string = import.meta.url): Plugin => ({
  name: `${dependency.name}-stubs`,
  setup: (build) => {
    const findings = reviewFindings(dependency, from);
    if (findings.length > 0) {
      build.onStart(() => ({ warnings: findings.map((text) => ({ text: `${text}: bundled without stubs` })) }));
      return;
    }

    const { stubs, aliases } = dependency;
    const manifests = findManifests(dependency, from);
    const namespace = `${dependency.name}-stubs`;
    const directoryOf = (key: string): string => dirname(manifests.get(packageOf(key)) ?? '');
    const isOwnFile = (file: string): boolean =>
      [...manifests.values()].some((manifest) => file.startsWith(dirname(manifest) + sep));

    const options = build.initialOptions;
    options.alias = {
      ...options.alias,
      ...Object.fromEntries(Object.entries(aliases).map(([name, { file }]) => [name, file])),
    };

    for (const [key, { text }] of Object.entries(stubs)) {
      const exactly = (path: string): RegExp => new RegExp(`^${RegExp.escape(path)}$`);
      if (isBuiltIn(key)) {
        build.onResolve({ filter: exactly(key), namespace: 'file' }, ({ path, importer }) =>
          isOwnFile(importer) ? { path, namespace } : undefined,
        );
        build.onLoad({ filter: exactly(key), namespace }, () => ({ contents: text(''), loader: 'js' }));
      } else if (manifests.has(key)) {
        build.onResolve({ filter: exactly(key) }, ({ path }) => ({ path, namespace, sideEffects: false }));
        build.onLoad({ filter: exactly(key), namespace }, () => ({
          contents: text(directoryOf(key)),
          resolveDir: directoryOf(key),
          loader: 'js',
        }));
      } else {
        build.onLoad({ filter: exactly(fileOf(key, manifests) ?? ''), namespace: 'file' }, () => ({
          contents: text(directoryOf(key)),
          loader: 'js',
        }));
      }
    }
  },
});
