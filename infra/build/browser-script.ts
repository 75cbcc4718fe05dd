// Bundles the script of an HTML page for browsers.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { documents } from '../../shared/contract/documents.ts';
import { licensesOf } from './licenses.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface BrowserScript {
  readonly text: string;
  /** Names and licences of the packages in the script; empty if it has none. */
  readonly licenses: string;
}

/** @param entry the path of a TypeScript file */
export const browserScript = async (entry: string): Promise<BrowserScript> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`esbuild created no script from ${entry}`);
  const licenses = licensesOf(...Object.values(metafile.outputs)) ?? '';
  const notice = licenses === '' ? '' : `// Licences: ${documents.licenses.path}\n`;
  return { text: notice + file.text, licenses };
};
