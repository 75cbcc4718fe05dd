// `npm run measure -- load`: requests each route at fixed rates on loopback and prints latencies, statuses, CPU and the highest
// rate that is served. Exits with 1 if a bar is missed. `--seconds 1 --routes post --no-knee` for a short run.
//
//   --seconds 3, --routes NAMES, --no-knee
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { seededRandom } from '../../test/support/random.ts';
import { environmentWith, publishMeasurement } from '../write-measurement.ts';
import { barsOf, tablesOf } from './load-report.ts';
import { measureAll } from './measure-all.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    routes: { type: 'string', default: '' },
    knee: { type: 'boolean', default: true },
  },
  allowNegative: true,
});

const seconds = Number(values.seconds);
const figures = await measureAll({
  seconds,
  rate: 50,
  random: seededRandom(1),
  name: values.routes,
  findsKnees: values.knee,
  report: (line) => console.log(line),
});
const options = process.argv.slice(2).join(' ');
publishMeasurement('load', {
  command: options === '' ? 'npm run measure -- load' : `npm run measure -- load ${options}`,
  environment: environmentWith(`${seconds} s per rate`, 'generator, service, provider and store on one machine'),
  bars: barsOf(figures),
  tables: tablesOf(figures),
});
