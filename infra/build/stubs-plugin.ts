// Replaces files of a dependency that no Lambda function reaches, because their start-up would pay for them. The files are no
// promised interface of the dependency, so the stubs apply only to the reviewed versions. Every other version is bundled whole,
// with a warning, and test/infra/stubs-plugin.test.ts fails.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { sep } from 'node:path';
import type { Plugin } from 'esbuild';

export interface StubbedDependency {
  /** Package name to version. */
  readonly reviewedVersions: Readonly<Record<string, string>>;
  /**
   * The JavaScript of each stub, by `package/path` or by `node:name` (a built-in, replaced only for the files of these
   * packages). It is created only if the bundle reaches the original.
   */
  readonly stubs: Readonly<Record<string, () => string>>;
}

const versionOf = (name: string): string => {
  try {
    const { version }: { readonly version?: unknown } = JSON.parse(
      readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8'),
    );
    return String(version);
  } catch {
    return 'not installed';
  }
};

/** @returns a sentence for each package whose stubs need a review */
export const reviewFindings = ({ reviewedVersions }: StubbedDependency): readonly string[] =>
  Object.entries(reviewedVersions).flatMap(([name, reviewed]) => {
    const installed = versionOf(name);
    return installed === reviewed ? [] : [`${name} is ${installed}, but its stubs were reviewed for ${reviewed}`];
  });

export const stubsPlugin = (dependency: StubbedDependency): Plugin => ({
  name: 'stubs',
  setup(build) {
    const findings = reviewFindings(dependency);
    if (findings.length > 0) {
      build.onStart(() => ({ warnings: findings.map((text) => ({ text: `${text}: bundled without stubs` })) }));
      return;
    }
    const folders = Object.keys(dependency.reviewedVersions).map((name) => `${sep}node_modules${sep}${name}${sep}`);
    for (const [key, text] of Object.entries(dependency.stubs)) {
      const isBuiltIn = key.startsWith('node:');
      const filter = new RegExp(`${isBuiltIn ? '^' : '[\\\\/]node_modules[\\\\/]'}${RegExp.escape(key)}$`);
      const namespace = isBuiltIn ? 'stub' : 'file';
      if (isBuiltIn)
        build.onResolve({ filter }, ({ path, importer }) =>
          folders.some((folder) => importer.includes(folder)) ? { path, namespace } : undefined,
        );
      build.onLoad({ filter, namespace }, () => ({ contents: text(), loader: 'js' }));
    }
  },
});
