// `npm run readme`: writes the table of environment variables into README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { withVariables } from './variables-section.ts';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withVariables(readFileSync(readme, 'utf8')));
