// `npm run update -- readme`: writes the generated sections of docs/: settings, alarms, costs, measurements, variables.
import { answerHelp } from '../command/answer-help.ts';
import { writeSections } from './sections.ts';

answerHelp();
writeSections();
