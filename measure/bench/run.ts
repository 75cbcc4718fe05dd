// `npm run measure -- bench`: measures each part five times, prints medians and ranges, and writes the rows with a bar for the
// page Benchmarks. Only ratios within one run are comparable.
//
// `--runs 1 --only conversion` is a quick look and writes nothing. With `--strict` a missed bar is an error. The part
// `conversion` needs `npm ci --prefix test/outside`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { environmentWith, writeMeasurement } from '../write-measurement.ts';
import type { Row } from './measure.ts';
import { parts } from './part.ts';
import { exitCodeOf, floorTable, medianRows, publishedBars, tableOf } from './report.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    strict: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', multiple: true, default: [] },
  },
});

const { only, strict } = values;
const runs = Number(values.runs);
if (!Number.isSafeInteger(runs) || runs < 1) throw new Error('--runs must be a whole number, at least 1');
const unknown = only.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}: choose from ${Object.keys(parts).join(', ')}`);
const names = only.length === 0 ? Object.keys(parts) : only;

/** @throws if the process ends without rows */
const rowsOf = async (name: string): Promise<readonly Row[]> => {
  const child = fork(new URL('part.ts', import.meta.url), [name]);
  let rows: readonly Row[] | undefined;
  child.on('message', (message: readonly Row[]) => {
    rows = message;
  });
  const [code] = await once(child, 'exit');
  if (rows === undefined) throw new Error(`the part ${name} ended with ${code}`);
  return rows;
};

const measured: (readonly Row[])[] = [];
for (let run = 1; run <= runs; run += 1) {
  const rows: Row[] = [];
  for (const name of names) {
    console.log(`run ${run} of ${runs}: ${name}`);
    rows.push(...(await rowsOf(name)));
  }
  measured.push(rows);
}

const rows = medianRows(measured);
console.log(tableOf(rows));
if (only.length === 0) {
  writeMeasurement('benchmarks', {
    command: 'npm run measure -- bench',
    environment: environmentWith(runs === 1 ? '1 run' : `medians of ${runs} runs`),
    bars: publishedBars(rows),
    tables: [floorTable(rows)],
  });
}
process.exitCode = exitCodeOf(rows, strict);
