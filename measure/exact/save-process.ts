// Saves posts as `npm run save` does, with pictures of another host than X's: `node save-process.ts ORIGIN ARGUMENTS`.
import { runCommand } from '../../client/commands/run-command.ts';
import { parseSaveArguments, USAGE } from '../../client/commands/save/arguments.ts';
import { runSave } from '../../client/commands/save/run-save.ts';

const [origin = '', ...args] = process.argv.slice(2);

await runCommand(async (ports) => {
  const given = parseSaveArguments(args);
  if (given === undefined) return USAGE;
  const openService = async () => ({ ...(await ports.openService()), origins: { pbs: origin, video: origin } });
  return (await runSave(given, { ...ports, openService })) === 0 ? undefined : 'some posts were not saved';
});
