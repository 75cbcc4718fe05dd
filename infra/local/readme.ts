// `npm run update -- readme`: writes the table of environment variables into docs/local-service.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { answerHelp } from '../command/answer-help.ts';
import { withVariables } from './variables-section.ts';

answerHelp();

const document = new URL('../../docs/local-service.md', import.meta.url);
writeFileSync(document, withVariables(readFileSync(document, 'utf8')));
