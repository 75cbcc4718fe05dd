// Bundles a program outside of the project, as Lambda runs it, and lists the files of a bundle.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { expect } from 'vitest';
import { bundle } from '../../infra/build/bundle.ts';

/** Resolves the packages that the entry imports in the project. */
export const fromProject = (entry: string): Plugin => ({
  name: 'from-project',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind, importer }) =>
      importer === entry
        ? resolve(path, { kind, resolveDir: fileURLToPath(new URL('../../', import.meta.url)) })
        : undefined,
    );
  },
});

/** @returns the inputs that have bytes in an output, without those that esbuild dropped */
const bundledFiles = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );

export interface Probe {
  readonly directory: string;
  /** The source. */
  readonly entry: string;
  /** The bundle, and its text. */
  readonly file: string;
  readonly code: string;
  /** The files in the bundle. */
  readonly files: readonly string[];
}

/** @param source a program; its folder stays until `remove` */
export const bundleProbe = async (source: string): Promise<Probe & { readonly remove: () => void }> => {
  const directory = mkdtempSync(join(tmpdir(), 'probe-bundle-'));
  const entry = join(directory, 'probe.ts');
  writeFileSync(entry, source);
  const outDir = join(directory, 'out');
  const { bytes, metafile } = await bundle({ entries: { probe: entry }, outDir, plugins: [fromProject(entry)] });
  const file = join(outDir, 'probe', 'bundle.cjs');
  const code = readFileSync(file, 'utf8');
  expect(bytes['probe']).toBe(Buffer.byteLength(code));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  return { directory, entry, file, code, files: bundledFiles(metafile), remove };
};

/**
 * @param program uses the bundle as `loaded`
 * @param first runs before it, and what it loads does not count
 * @returns the built-in modules that a new process loads for it
 */
export const modulesLoadedBy = ({ directory, file }: Probe, program: string, first = ''): readonly string[] => {
  const script = join(directory, 'load.cjs');
  writeFileSync(
    script,
    `${first}
    const before = new Set(process.moduleLoadList);
    const loaded = require(${JSON.stringify(file)});
    if (typeof loaded.handler !== 'function') throw new Error('no handler');
    ${program}
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`,
  );
  const modules: readonly string[] = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  return modules.map((name) => name.replace('NativeModule ', ''));
};
