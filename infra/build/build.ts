// Builds everything that AWS runs: `npm run build` into dist/, `npm start` into `.cache/builds`.
import { rm } from 'node:fs/promises';
import { lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { CANARY, MEDIA } from '../../shared/contract/other-functions.ts';
import { answerHelp } from '../command/answer-help.ts';
import { type Bundles, bundle, virtualModule } from './bundle.ts';
import { bundleEdge } from './bundle-edge.ts';
import { edgeFolder, functionsFolder } from './dist-layout.ts';
import { documentsPlugin } from './documents-plugin.ts';
import { adminPageFiles } from './page-files.ts';

export const DIST = 'dist';

const readers = lambdaNames.filter((name) => lambdas[name].readsProviders);

/** Bundles every Lambda and the canary into `outDir`. @param target the oldest Node that runs them @default that of Lambda */
export const buildFunctions = (outDir: string, target?: string): Promise<Bundles> =>
  bundle({
    ...(target !== undefined && { target }),
    entries: Object.fromEntries([...lambdaNames, CANARY, MEDIA].map((name) => [name, `functions/${name}/handler.ts`])),
    outDir,
    separate: [
      { module: 'shared/composition/paid-row-store.ts', functions: readers },
      { module: 'shared/keep/keep-post.ts', functions: ['posts', 'legacy'] },
    ],
    plugins: [
      documentsPlugin('discovery'),
      virtualModule('postern:admin-page', async () => `export const page = ${JSON.stringify(await adminPageFiles())};`),
    ],
  });

/**
 * Bundles every Lambda and the edge function into the folders of dist-layout.ts, after deleting `outDir`.
 *
 * @returns function name to the size of its bundle in bytes
 */
export const buildAll = async (outDir: string = DIST, target?: string): Promise<Readonly<Record<string, number>>> => {
  await rm(outDir, { recursive: true, force: true });
  const [{ bytes }, edgeBytes] = await Promise.all([
    buildFunctions(functionsFolder(outDir), target),
    bundleEdge(edgeFolder(outDir)),
  ]);
  return { ...bytes, edge: edgeBytes };
};

if (import.meta.main) {
  answerHelp();
  const sizes = await buildAll();
  for (const [name, bytes] of Object.entries(sizes))
    console.log(`${name.padEnd(12)}${(bytes / 1000).toFixed(1).padStart(8)} kB`);
}
