// Builds the CloudFront Function: one plain script, with what it must know of the contract put in as a constant.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { EdgeContract, EdgeRoute } from '../../functions/edge/viewer-request.ts';
import { routeRows } from '../../shared/contract/routes.ts';
import { RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { EDGE_FILE } from './dist-layout.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** CloudFront refuses a function that is longer. */
const MAX_EDGE_BYTES = 10_240;

export const edgeContract = (): EdgeContract => ({
  // What is private is not folded: it has no query and is never cached.
  routes: routeRows.flatMap(({ segments, kind, queryNames }): readonly EdgeRoute[] =>
    kind === 'private'
      ? []
      : [{ segments, kind, names: Object.fromEntries(queryNames.toSorted().map((name) => [name, true])) }],
  ),
  reserved: [...RESERVED_SEGMENTS],
});

/**
 * cloudfront-js-2.0 is ES5.1 with these additions and no others that matter here. Anything newer is lowered, or fails
 * the build where it cannot be: for-of, destructuring, spread of arrays, classes.
 */
const RUNTIME = { target: 'es5', supported: { arrow: true, 'const-and-let': true, 'template-literal': true } } as const;

/**
 * Writes `<outDir>/viewer-request.js`. Relative paths are from the repository root.
 *
 * @returns its size in bytes
 */
export const bundleEdge = async (outDir: string): Promise<number> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['functions/edge/viewer-request.ts'],
    bundle: true,
    ...RUNTIME,
    // CloudFront looks for a function of this name at the top level; there are no modules.
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
  if (script === undefined) throw new Error('esbuild made no edge script');
  const bytes = script.contents.byteLength;
  if (bytes > MAX_EDGE_BYTES)
    throw new Error(`the edge function has ${bytes} bytes, CloudFront takes ${MAX_EDGE_BYTES}`);
  const directory = resolve(ROOT, outDir);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, EDGE_FILE), script.contents);
  return bytes;
};
