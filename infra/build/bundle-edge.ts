// Builds the CloudFront Function: one script without modules. The routes of the contract become a constant in it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { EdgeContract, EdgeRoute } from '../../functions/edge/viewer-request.ts';
import { routeRows } from '../../shared/contract/routes.ts';
import { RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { EDGE_FILE } from './dist-layout.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The limit of CloudFront for one function. */
const MAX_EDGE_BYTES = 10_240;

export const edgeContract = (): EdgeContract => ({
  // The edge function does not normalize private routes: they have no query and are never cached.
  routes: routeRows.flatMap(({ segments, kind, queryNames }): readonly EdgeRoute[] =>
    kind === 'private'
      ? []
      : [{ segments, kind, names: Object.fromEntries(queryNames.toSorted().map((name) => [name, true])) }],
  ),
  reserved: [...RESERVED_SEGMENTS],
});

/**
 * The runtime cloudfront-js-2.0 is ES5.1 with these additions. esbuild lowers newer syntax. The build fails if esbuild
 * cannot lower it: for-of, destructuring, array spread and classes.
 */
const RUNTIME = { target: 'es5', supported: { arrow: true, 'const-and-let': true, 'template-literal': true } } as const;

/**
 * Writes `<outDir>/viewer-request.js`. Relative paths are from the repository root.
 *
 * @returns the size of the file in bytes
 */
export const bundleEdge = async (outDir: string): Promise<number> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['functions/edge/viewer-request.ts'],
    bundle: true,
    ...RUNTIME,
    // CloudFront calls the top-level function `handler`. The runtime has no modules.
    format: 'iife',
    globalName: 'edge',
    footer: { js: 'function handler(event) { return edge.handler(event); }' },
    define: { EDGE_CONTRACT: JSON.stringify(edgeContract()) },
    platform: 'neutral',
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('esbuild created no edge function');
  const bytes = script.contents.byteLength;
  if (bytes > MAX_EDGE_BYTES)
    throw new Error(`the edge function has ${bytes} bytes; CloudFront allows ${MAX_EDGE_BYTES}`);
  const directory = resolve(ROOT, outDir);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, EDGE_FILE), script.contents);
  return bytes;
};
