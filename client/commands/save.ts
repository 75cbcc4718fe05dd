// `npm run -s save -- URL… --out DIR`: saves posts as notes with their pictures and videos.
import { answerHelp } from '../../infra/command/answer-help.ts';
import { originOfLinks } from './box-argument.ts';
import { runCommand } from './run-command.ts';
import { parseSaveArguments, USAGE } from './save/arguments.ts';
import { runSave } from './save/run-save.ts';

answerHelp(USAGE);
// No list is read, so no cursor is signed.
process.env['DATA_DIR'] = 'memory';
await runCommand(async (ports) => {
  const origin = originOfLinks(process.env);
  const given = parseSaveArguments(process.argv.slice(2), origin);
  if (given === undefined) return USAGE;
  const failed = await runSave(given, ports, origin);
  return failed === 0 ? undefined : 'Not all posts were saved. The same command again tries those that failed.';
});
