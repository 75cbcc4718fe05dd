// Runs `npm run measure -- week`: simulates weeks in virtual time, one per seed, and checks the invariants. Exits with 1 if one
// breaks.
//
//   --seeds 20   the number of weeks
//   --seed 17    simulates only this week, and writes nothing
import { parseArgs } from 'node:util';
import { buildEdge } from '../../infra/build/bundle-edge.ts';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { createEdgeFunction } from '../../infra/local/edge-sandbox.ts';
import { environmentWith, writeMeasurement } from '../write-measurement.ts';
import { weekBars, weekTables } from './report.ts';
import type { WeekResult } from './stage.ts';
import { replaceUndici } from './virtual-undici.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    /** Simulates only this seed and writes nothing. */
    seed: { type: 'string' },
  },
});

replaceUndici();
const { simulateWeek } = await import('./simulate-week.ts');

const edge = createEdgeFunction(await buildEdge());

const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, index) => index + 1)
    : [Number(values.seed)];
const results: WeekResult[] = [];
for (const seed of seeds) {
  const result = await simulateWeek({
    seed,
    edge,
    callers: 100,
    requestsPerCaller: 30,
    bursts: 40,
    days: 7,
  });
  results.push(result);
  const { requests, served, failed, refused, episodes } = result.counts;
  console.log(
    `seed ${seed}: ${requests} requests, ${served} served, ${failed} failed, ${refused} refused, ${episodes} faults, ${result.errors.length} errors`,
  );
  for (const error of result.errors.slice(0, 20)) console.log(`  ${error}`);
}

const broken = seeds.filter((_, index) => (results[index]?.errors.length ?? 0) > 0);
if (broken.length > 0) {
  console.log(`npm run measure -- week --seed ${broken[0]} repeats the first failure`);
  process.exitCode = 1;
}
if (values.seed === undefined) {
  writeMeasurement('week', {
    command: 'npm run measure -- week',
    environment: environmentWith(`${seeds.length} weeks`),
    bars: weekBars(results),
    tables: weekTables(results),
  });
}
