// `npm run measure -- load`: requests each route at fixed rates on loopback and prints latencies, statuses, CPU and the highest
// rate that is served. Exits with 1 if a bar is missed. `--seconds 1 --routes post --no-knee` for a short run.
//
//   --seconds 3, --rate 50 requests per second, --routes NAMES, --seed 1, --no-knee
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { isMissed } from '../../infra/docs/measurement.ts';
import { seededRandom } from '../support/random.ts';
import { environmentWith, writeMeasurement } from '../tools/write-measurement.ts';
import { barsOf, tablesOf } from './load-report.ts';
import { measureAll } from './measure-all.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '50' },
    routes: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    knee: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const seconds = Number(values.seconds);
const figures = await measureAll({
  seconds,
  rate: Number(values.rate),
  random: seededRandom(Number(values.seed)),
  name: values.routes,
  findsKnees: values.knee,
  report: (line) => console.log(line),
});
const bars = barsOf(figures);
const options = process.argv.slice(2).join(' ');
writeMeasurement('load', {
  command: options === '' ? 'npm run measure -- load' : `npm run measure -- load ${options}`,
  environment: environmentWith(`${seconds} s per rate`, 'generator, service, provider and store on one machine'),
  bars,
  tables: tablesOf(figures),
});
for (const { name, value, bar } of bars) console.log(`${name}: ${value}, bar ${bar}`);
if (bars.some(isMissed)) process.exitCode = 1;
