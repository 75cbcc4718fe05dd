// Runs `npm run measure -- revocation --times 10000`: counts how often a process accepts a key that another process has
// disabled. Exits with 1 if the count is not 0.
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { startDynalite } from '../../test/support/dynamodb.ts';
import { countStaleResults } from '../../test/support/worker-tasks.ts';

answerHelp();

const { values } = parseArgs({ options: { times: { type: 'string', default: '10000' } } });
const times = Number(values.times);

const dynamo = await startDynalite();
const { served, refused } = await countStaleResults(dynamo, times);
await dynamo.close();

console.log(`served after disable: ${served} of ${times}`);
console.log(`refused after enable: ${refused} of ${times}`);
if (served > 0 || refused > 0) process.exitCode = 1;
