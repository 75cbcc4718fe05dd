// Bundles programs of the project in memory, to see what they import. Type-only imports are removed, as when Node runs the sources.
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

/** @param entryPoints from the root @returns the chunks, with the files in them and what they import, also on demand */
export const importGraph = async (...entryPoints: readonly string[]): Promise<Metafile['outputs']> => {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
    outdir: 'dist',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  return metafile.outputs;
};
