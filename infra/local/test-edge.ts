// `npm run test-edge -- NAME`: runs the deployed edge function NAME in the engine of CloudFront on a few requests, with the
// AWS CLI, and prints whether each result is that of the sources here. Exits with 1 if one is not.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../shared/model/json.ts';
import { bundleEdge } from '../build/bundle-edge.ts';
import { EDGE_FILE } from '../build/dist-layout.ts';
import { answerHelp } from '../command/answer-help.ts';
import { testEdge } from './edge-engine.ts';
import { edgeScript } from './edge-sandbox.ts';

const USAGE = 'usage: npm run test-edge -- NAME';

const buildScript = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-edge-'));
  try {
    await bundleEdge(folder);
    return await readFile(join(folder, EDGE_FILE), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
};

answerHelp(USAGE);
const [name, ...more] = process.argv.slice(2);
try {
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  const results = await testEdge(name, edgeScript(await buildScript()));
  for (const { target, isEqual, text } of results)
    console.log(`${isEqual ? 'equal  ' : 'differs'}  ${target}  ${text}`);
  const equal = results.filter(({ isEqual }) => isEqual).length;
  console.log(`${equal} of ${results.length} requests equal`);
  if (equal < results.length) process.exitCode = 1;
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
