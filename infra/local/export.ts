// `npm run -s export -- @handle > posts.ndjson`: saves a whole list, one item a line, through the service at BASE_URL or
// without a running service. Progress goes to standard error.
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../shared/model/json.ts';
import { visibleText } from '../../shared/model/visible-text.ts';
import { answerHelp } from '../command/answer-help.ts';
import { originOfLinks } from './box-argument.ts';
import { parseExportArguments, USAGE } from './export/arguments.ts';
import { standardOutput } from './export/output.ts';
import { runExport } from './export/run-export.ts';
import { createServiceClient } from './export/service-client.ts';

/** The exit codes of a command that a signal ended: 128 and the number of the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

const fail = (message: string): void => {
  console.error(message);
  process.exitCode = 1;
};

const main = async (): Promise<void> => {
  const aborter = new AbortController();
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => aborter.abort(code));
  try {
    const given = parseExportArguments(process.argv.slice(2), originOfLinks(process.env));
    if (given === undefined) return fail(USAGE);
    await runExport(given, {
      createClient: () => createServiceClient(process.env),
      createStandardOutput: standardOutput,
      report: (text) => void process.stderr.write(text),
      isTerminal: process.stderr.isTTY === true,
      // npm runs commands in the folder of the project.
      folder: process.env['INIT_CWD'] ?? '',
      now: () => performance.now(),
      signal: aborter.signal,
      sleep: (seconds, signal) => delay(seconds * 1000, undefined, { signal }),
    });
  } catch (error) {
    // A function in this process may still wait for a provider.
    if (aborter.signal.aborted) process.exit(Number(aborter.signal.reason));
    fail(visibleText(errorMessage(error)));
  }
};

answerHelp(USAGE);
await main();
