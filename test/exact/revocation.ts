// `npm run revocation -- --times 10000`: how often a key is good in one process after another has disabled it.
// Exits with 1 where it ever is.
import { parseArgs } from 'node:util';
import { startDynalite } from '../support/dynamodb.ts';
import { countStaleVerdicts } from './toggle-key.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '10000' } } });
const times = Number(values.times);

const dynamo = await startDynalite();
const { served, refused } = await countStaleVerdicts(dynamo, times);
await dynamo.close();

console.log(`served after disable: ${served} of ${times}`);
console.log(`refused after enable: ${refused} of ${times}`);
if (served > 0 || refused > 0) process.exitCode = 1;
