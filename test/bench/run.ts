// `npm run bench`: prints a table and writes the rows with a bar for the page Benchmarks. Only ratios within one run are
// comparable. With `--strict` the command exits with 1 if a bar is missed.
import { parseArgs } from 'node:util';
import { environmentWith, writeMeasurement } from '../tools/write-measurement.ts';
import { accessRows } from './access-control.ts';
import { conversionRows } from './conversion.ts';
import { edgeRows } from './edge.ts';
import { pipelineRows } from './http-pipeline.ts';
import { listRows } from './lists.ts';
import { mcpRows } from './mcp.ts';
import { exitCodeOf, publishedBars, tableOf } from './report.ts';
import { startUpRows } from './start-up.ts';
import { upstreamRows } from './upstream.ts';

const { values } = parseArgs({ options: { strict: { type: 'boolean', default: false } } });

const rows = [
  ...(await conversionRows()),
  ...(await listRows()),
  ...(await pipelineRows()),
  ...(await edgeRows()),
  ...(await upstreamRows()),
  ...(await accessRows()),
  ...(await mcpRows()),
  ...(await startUpRows()),
];
console.log(tableOf(rows));
writeMeasurement('benchmarks', {
  command: 'npm run bench',
  environment: environmentWith('1 run'),
  bars: publishedBars(rows),
  tables: [],
});
process.exitCode = exitCodeOf(rows, values.strict);
