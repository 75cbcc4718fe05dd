// `npm run -s save -- URL… --out DIR`: saves posts as notes with their pictures and videos.
import { answerHelp } from '../command/answer-help.ts';
import { USAGE } from './save/arguments.ts';
import { saveCommand } from './save/run-save.ts';

answerHelp(USAGE);
await saveCommand(process.argv.slice(2));
