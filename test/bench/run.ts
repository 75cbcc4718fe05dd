// `npm run bench`: prints a table and writes bench.json. Fails when a bar is missed.
import { writeFileSync } from 'node:fs';
import { conversionRows } from './conversion.ts';
import { doorRows } from './door.ts';
import { printTable } from './measure.ts';
import { startUpRows } from './start-up.ts';
import { upstreamRows } from './upstream.ts';

const rows = [...(await conversionRows()), ...(await doorRows()), ...(await upstreamRows()), ...(await startUpRows())];
printTable(rows);
writeFileSync('bench.json', `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
process.exitCode = rows.some(({ value, bar }) => bar !== undefined && !(value <= bar)) ? 1 : 0;
