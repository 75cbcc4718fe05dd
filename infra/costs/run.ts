// `npm run costs`: prints the tables of costs and limits of the page /docs/scaling. With `--requests`, it prints the bill,
// the limits and the settings of one workload.
//
//   --requests 50M     requests per month
//   --hits 90          per cent that the shared cache answers
//   --mix reading      the mix of routes
//   --keyed, --peak, --addresses, --concurrency, --metrics, --log-days, --pool
import { parseArgs } from 'node:util';
import { answerHelp } from '../command/answer-help.ts';
import { costReport, workloadReport } from './report.ts';
import { options, readWorkload } from './workload-options.ts';

answerHelp();

try {
  const { values } = parseArgs({ options, strict: true });
  console.log(values.requests === undefined ? costReport() : workloadReport(readWorkload(values)));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
