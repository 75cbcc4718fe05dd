// `npm run figures`: takes what `npm run bench` wrote last into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import { publishedOf, withFigures } from './figures.ts';

const root = new URL('../../', import.meta.url);
const published = publishedOf(JSON.parse(readFileSync('bench.json', 'utf8')));
writeFileSync(new URL('test/bench/published.json', root), `${JSON.stringify(published, null, 2)}\n`);
const readme = new URL('README.md', root);
writeFileSync(readme, withFigures(readFileSync(readme, 'utf8'), published));
