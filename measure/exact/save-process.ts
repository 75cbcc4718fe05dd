// Saves posts as `npm run save` does, with pictures of another host than X's: `node save-process.ts ORIGIN ARGUMENTS`.
import { runCommand } from '../../infra/local/run-command.ts';
import { parseSaveArguments, USAGE } from '../../infra/local/save/arguments.ts';
import { runSave } from '../../infra/local/save/run-save.ts';

const [origin = '', ...args] = process.argv.slice(2);

await runCommand(async (ports) => {
  const given = parseSaveArguments(args);
  if (given === undefined) return USAGE;
  const createClient = async () => ({ ...(await ports.createClient()), origins: { pbs: origin, video: origin } });
  return (await runSave(given, { ...ports, createClient })) === 0 ? undefined : 'some posts were not saved';
});
