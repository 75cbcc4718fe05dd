// Bundles a file outside of the project, and lists the files of a bundle.
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

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
export const bundledFiles = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );

/** @returns the names of the packages of these files, sorted */
export const packagesOf = (files: readonly string[]): readonly string[] =>
  [...new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))].toSorted();
