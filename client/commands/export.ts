// `npm run -s export -- @handle > posts.ndjson`: saves a whole list, one item a line, through the service at BASE_URL or
// without a running service. Progress goes to standard error.
import { answerHelp } from '../../infra/command/answer-help.ts';
import { readVariable } from '../../shared/composition/environment.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { originOfLinks } from './box-argument.ts';
import { parseExportArguments, USAGE } from './export/arguments.ts';
import { runExport, standardOutput } from './export/run-export.ts';
import { runCommand } from './run-command.ts';

answerHelp(USAGE);
await runCommand(async (ports) => {
  const origin = originOfLinks(process.env);
  const given = parseExportArguments(process.argv.slice(2), origin);
  if (given === undefined) return USAGE;
  const feedOrigin = readVariable(process.env, env.baseUrl) === undefined ? undefined : origin;
  await runExport(given, { ...ports, createStandardOutput: standardOutput, origin: feedOrigin });
  return undefined;
});
