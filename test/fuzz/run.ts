// Runs `npm run measure -- fuzz`: fuzzes each reader of test/fuzz/targets for some time, guided by the branches that inputs reach. Prints
// executions, branches and findings, and exits with 1 if there is a finding.
//
//   --seconds 60       for each target
//   --target cursors   only this target
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { readSeed } from '../generators/seed.ts';
import { environmentWith, writeMeasurement } from '../tools/write-measurement.ts';
import { type FuzzResult, fuzz } from './fuzz.ts';
import { loadTarget } from './load-target.ts';

answerHelp();

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, target: { type: 'string' } } });

const names = readdirSync(new URL('./targets/', import.meta.url))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => values.target === undefined || values.target === name);

const seed = readSeed();
const results: (readonly [name: string, result: FuzzResult])[] = [];

for (const name of names) {
  const { target, counters, compiled } = await loadTarget(name);
  const end = Date.now() + Number(values.seconds) * 1000;
  const result = fuzz(target, counters, compiled, { seed, goesOn: () => Date.now() < end });
  results.push([name, result]);
  const { executions, reached, branches, corpus, findings } = result;
  console.log(
    `${name}: ${executions} executions, ${reached} of ${branches} branches, ${corpus.length} inputs kept, ${findings.length} findings`,
  );
  for (const { input, error } of findings) console.log(`  ${JSON.stringify(input)}\n    ${error.slice(0, 500)}`);
}

const found = results.reduce((sum, [, { findings }]) => sum + findings.length, 0);
if (values.target === undefined)
  writeMeasurement('fuzzing', {
    command: `npm run measure -- fuzz --seconds ${values.seconds}`,
    environment: environmentWith(`seed ${seed}`, `${values.seconds} s for each target`),
    bars: [{ name: 'Fuzzing: findings', value: found, unit: 'count', bar: 0 }],
    tables: [
      {
        columns: ['Target', 'Executions', 'Branches reached', 'Inputs kept', 'Findings'],
        rows: results.map(([name, { executions, reached, corpus, findings }]) => [
          name,
          String(executions),
          String(reached),
          String(corpus.length),
          String(findings.length),
        ]),
      },
    ],
  });
if (found > 0) process.exitCode = 1;
