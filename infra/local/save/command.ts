// `npm run -s save -- URL… --out DIR`, and `save` of the container.
import { answerHelp } from '../../command/answer-help.ts';
import { originOfLinks } from '../box-argument.ts';
import { runCommand } from '../run-command.ts';
import { parseSaveArguments, USAGE } from './arguments.ts';
import { runSave } from './run-save.ts';

export const saveCommand = async (args: readonly string[]): Promise<void> => {
  answerHelp(USAGE);
  // No list is read, so no cursor is signed.
  process.env['DATA_DIR'] = 'memory';
  await runCommand(async (ports) => {
    const origin = originOfLinks(process.env);
    const given = parseSaveArguments(args, origin);
    if (given === undefined) return USAGE;
    const failed = await runSave(given, ports, origin);
    return failed === 0 ? undefined : 'Not all posts were saved.';
  });
};
