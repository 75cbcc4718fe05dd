// `npm run -s save -- URL… --out DIR`: saves posts as notes with their pictures and videos.
import { saveCommand } from './save/command.ts';

await saveCommand(process.argv.slice(2));
