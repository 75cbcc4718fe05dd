// `npm run figures`: writes the result of the last `npm run bench` into docs/benchmarks.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { publishedOf, withFigures } from './figures.ts';

const root = new URL('../../', import.meta.url);
const published = publishedOf(JSON.parse(readFileSync('bench.json', 'utf8')));
writeFileSync(new URL('test/bench/published.json', root), `${JSON.stringify(published, null, 2)}\n`);
const page = new URL('docs/benchmarks.md', root);
writeFileSync(page, withFigures(readFileSync(page, 'utf8'), published));
