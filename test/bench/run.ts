// `npm run bench`: prints a table and writes bench.json. Ratios within one run are what counts.
import { writeFileSync } from 'node:fs';
import { accessRows } from './access.ts';
import { conversionRows } from './conversion.ts';
import { doorRows } from './door.ts';
import { edgeRows } from './edge.ts';
import { listRows } from './lists.ts';
import { mcpRows } from './mcp.ts';
import { printTable } from './measure.ts';
import { startUpRows } from './start-up.ts';
import { upstreamRows } from './upstream.ts';

const rows = [
  ...(await conversionRows()),
  ...(await listRows()),
  ...(await doorRows()),
  ...(await edgeRows()),
  ...(await upstreamRows()),
  ...(await accessRows()),
  ...(await mcpRows()),
  ...(await startUpRows()),
];
printTable(rows);
writeFileSync('bench.json', `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
