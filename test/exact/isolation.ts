// Runs `npm run measure -- isolation`: counts the served requests of other callers while one caller misbehaves. Exits with 1 if
// fewer than 19 of 20 requests of any kind are served.
//
//   --rows NAMES        the kinds of misbehavior, comma-separated
//   --beside NAMES      the requests of the other callers, comma-separated
//   --times 20          requests of each kind
//   --concurrency 20    requests of the caller at the same time
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { measureIsolation, misbehaviourNames, requestNames } from './isolation-load.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: misbehaviourNames.join(',') },
    beside: { type: 'string', default: requestNames.join(',') },
    times: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '20' },
  },
});

const figures = await measureIsolation({
  misbehaviours: values.rows.split(','),
  requests: values.beside.split(','),
  times: Number(values.times),
  concurrency: Number(values.concurrency),
  report: ({ misbehaviour, request, served, total }) =>
    console.log(`${misbehaviour.padEnd(13)} beside ${request.padEnd(10)} served ${served} of ${total}`),
});

const worst = Math.min(...figures.map(({ served, total }) => served / total));
console.log(`victims served while one caller misbehaves: at least ${(worst * 20).toFixed(1)} of 20, each kind`);
if (worst < 19 / 20) process.exitCode = 1;
