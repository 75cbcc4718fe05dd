// `npm run costs`: prints the tables of costs and limits of the page /docs/scaling. With `--requests`, it prints the bill,
// the limits and the settings of one workload.
import { parseArgs } from 'node:util';
import { costReport, workloadReport } from './report.ts';
import { options, readWorkload } from './workload-options.ts';

try {
  const { values } = parseArgs({ options, strict: true });
  console.log(values.requests === undefined ? costReport() : workloadReport(readWorkload(values)));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
