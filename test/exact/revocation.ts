// `npm run revocation -- --times 10000`: how often a key is good in one process after another has disabled it.
// Exits with 1 where it ever is.
import { parseArgs } from 'node:util';
import { startDynalite } from '../support/dynamo.ts';
import { disabled } from './disabling.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '10000' } } });
const times = Number(values.times);

const dynamo = await startDynalite();
const { served, refused } = await disabled(dynamo, times);
await dynamo.close();

console.log(`served after disable: ${served} of ${times}`);
console.log(`refused after enable: ${refused} of ${times}`);
if (served > 0 || refused > 0) process.exitCode = 1;
