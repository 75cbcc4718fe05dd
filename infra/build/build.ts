// `npm run build`: everything that AWS runs and `npm start` runs, into dist/.
import { rm } from 'node:fs/promises';
import { surfaces } from '../../shared/contract/surfaces.ts';
import { bundle } from './bundle.ts';
import { builtDocuments } from './documents-plugin.ts';
import { bundleEdge } from './edge.ts';

export const DIST = 'dist';

/** Bundles every surface to `<outDir>/functions/<surface>/index.cjs` and the edge function to `<outDir>/edge/viewer-request.js`. */
export const buildAll = async (outDir: string = DIST): Promise<Readonly<Record<string, number>>> => {
  await rm(outDir, { recursive: true, force: true });
  const entries = Object.fromEntries(Object.keys(surfaces).map((name) => [name, `functions/${name}/handler.ts`]));
  const [{ bytes }, edgeBytes] = await Promise.all([
    bundle({ entries, outDir: `${outDir}/functions`, plugins: [builtDocuments()] }),
    bundleEdge(`${outDir}/edge`),
  ]);
  return { ...bytes, edge: edgeBytes };
};

if (import.meta.main) {
  const sizes = await buildAll();
  for (const [name, bytes] of Object.entries(sizes))
    console.log(`${name.padEnd(12)}${(bytes / 1000).toFixed(1).padStart(8)} kB`);
}
