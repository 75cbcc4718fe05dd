// `npm run bench`: prints a table and writes bench.json. Only ratios within one run are comparable. With `--strict` the
// command exits with 1 if a bar is missed.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { accessRows } from './access-control.ts';
import { conversionRows } from './conversion.ts';
import { edgeRows } from './edge.ts';
import { pipelineRows } from './http-pipeline.ts';
import { listRows } from './lists.ts';
import { mcpRows } from './mcp.ts';
import { exitCodeOf, tableOf } from './report.ts';
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
writeFileSync('bench.json', `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
process.exitCode = exitCodeOf(rows, values.strict);
