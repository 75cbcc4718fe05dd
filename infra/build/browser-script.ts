// Bundles the script of an HTML page for browsers.
import { build } from 'esbuild';

/** @param entry the path of a TypeScript file */
export const browserScript = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild created no script from ${entry}`);
  return file.text;
};
