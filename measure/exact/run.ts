// Runs `npm run measure -- exact --runs 100`: 8 processes with 125 concurrent charges each and a limit of 60. Exits with 1 if a
// run admits another number.
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { startDynalite } from '../../test/support/dynamodb.ts';
import { countAdmissions } from '../../test/support/worker-tasks.ts';

answerHelp();

const RUNS_PER_LINE = 10;
const rush = { processes: 8, calls: 125, limit: 60 };

const { values } = parseArgs({ options: { runs: { type: 'string', default: '100' } } });
const runs = Number(values.runs);

const dynamo = await startDynalite();
const admitted = await countAdmissions(dynamo, { ...rush, runs }, (seen) => {
  if (seen.length % RUNS_PER_LINE !== 0) return;
  console.log(`runs ${seen.length - RUNS_PER_LINE + 1} to ${seen.length}: ${seen.slice(-RUNS_PER_LINE).join(' ')}`);
});
await dynamo.close();

const exact = admitted.filter((count) => count === rush.limit).length;
console.log(`admitted ${rush.limit} of ${rush.processes * rush.calls} in ${exact} of ${runs} runs`);
if (exact !== runs) process.exitCode = 1;
