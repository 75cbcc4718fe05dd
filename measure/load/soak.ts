// `npm run measure -- soak --minutes 30`: mixed load while 5 % of the calls to the provider and to the store fail. Exits with 1
// if the heap grows, handles stay open, or a request gets no answer or an internal error. The resident set has no bar.
//
//   --minutes 30, --rate 50 requests per second
import { parseArgs } from 'node:util';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { seededRandom } from '../../test/support/random.ts';
import { environmentWith, publishMeasurement } from '../write-measurement.ts';
import { SOAK_ENVIRONMENT, soak } from './soak-load.ts';
import { soakBars, soakTables } from './soak-report.ts';
import { startStand } from './stand.ts';

answerHelp();

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
  },
});

const minutes = Number(values.minutes);
const stand = await startStand({ keys: 200, faultShare: 0.05 }, SOAK_ENVIRONMENT);
const figures = await soak(stand, {
  minutes,
  rate: Number(values.rate),
  warmUpShare: 0.25,
  quietSeconds: 15,
  random: seededRandom(1),
  report: (line) => console.log(line),
}).finally(stand.close);
publishMeasurement('soak', {
  command: `npm run measure -- soak --minutes ${minutes} --rate ${values.rate}`,
  environment: environmentWith(`${minutes} minutes`, `${values.rate} requests per second`, '5 % faults'),
  bars: soakBars(figures),
  tables: soakTables(figures),
});
