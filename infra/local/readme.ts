// `npm run update -- readme`: writes the table of environment variables into README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { answerHelp } from '../command/answer-help.ts';
import { withVariables } from './variables-section.ts';

answerHelp();

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withVariables(readFileSync(readme, 'utf8')));
