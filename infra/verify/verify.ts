// `npm run verify -- https://ADDRESS [--origin URL] [--post ID] [--profile HANDLE] [--withheld FILE] [--json]`: checks from
// outside, and without changing anything, that a deployment keeps the promises of the service; with --withheld only that it
// shows nothing that a list of withheld posts and profiles, or a file of settings, names. API_KEY is a key of the service for the
// checks that need one. Exits with 1 if a promise is broken.
import { parseArgs } from 'node:util';
import { readVariable } from '../../shared/composition/environment.ts';
import { errorKind, errorMessage } from '../../shared/model/json.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { handle, postId } from '../../shared/settings/feature-parsers.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import type { Check } from '../../shared/verification/check.ts';
import { allChecks, runChecks } from '../../shared/verification/run-checks.ts';
import { createService, type ServiceOptions } from '../../shared/verification/service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { isVerified, reportJson, reportLines } from './report.ts';
import { readWithheldList, withheldChecks } from './withheld.ts';

const USAGE =
  'usage: [API_KEY=KEY] npm run verify -- https://ADDRESS [--origin URL] [--post ID] [--profile HANDLE] [--withheld FILE] [--json]';

/** A minute, less the last request. */
const BUDGET_MILLISECONDS = 45_000;

/** A check that has started may send several requests, one after the other. */
const LONGEST_MILLISECONDS = 58_000;

/** Printed as its message, without a stack trace. */
class CommandError extends Error {}

const originOf = (text: string, name: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url;
  throw new CommandError(`${name} must be an address without a path, such as https://posts.example.org`);
};

const required = <T>(value: T | undefined, message: string): T => {
  if (value === undefined) throw new CommandError(message);
  return value;
};

const readArguments = (
  args: readonly string[],
): ServiceOptions & { readonly isJson: boolean; readonly checks: readonly Check[] } => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      origin: { type: 'string' },
      post: { type: 'string' },
      profile: { type: 'string' },
      withheld: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new CommandError(USAGE);
  const knownOr = (given: string | undefined, name: typeof env.canaryPost | typeof env.canaryProfile): string =>
    given ?? readVariable(process.env, name) ?? environmentDefaults[name];
  return {
    wall: Date,
    signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
    origin: originOf(address, 'the address'),
    known: {
      post: required(postId.parse(knownOr(values.post, env.canaryPost)), `--post ${postId.rule}`),
      profile: required(handle.parse(knownOr(values.profile, env.canaryProfile)), `--profile ${handle.rule}`),
    },
    key: readVariable(process.env, localEnv.apiKey),
    directOrigin: values.origin === undefined ? undefined : originOf(values.origin, '--origin'),
    checks: values.withheld === undefined ? allChecks : withheldChecks(readWithheldList(values.withheld, Date.now())),
    isJson: values.json ?? false,
  };
};

const main = async (): Promise<void> => {
  const { isJson, checks, ...options } = readArguments(process.argv.slice(2));
  const service = createService(options);
  try {
    await service.read('/openapi.json').catch((error: unknown) => {
      throw new CommandError(`${options.origin.origin} does not answer: ${errorKind(error)}`);
    });
    const start = performance.now();
    const findings = await runChecks(checks, service, {
      clock: () => performance.now(),
      budgetMilliseconds: BUDGET_MILLISECONDS,
    });
    const seconds = (performance.now() - start) / 1000;
    const requests = service.answers.length;
    const version = await service.version();
    const address = options.origin.origin;
    if (isJson) console.log(reportJson(address, version, findings, requests));
    else for (const line of reportLines(findings, requests, seconds)) console.log(line);
    if (!isVerified(findings)) process.exitCode = 1;
  } finally {
    service.close();
  }
};

answerHelp(USAGE);
await main().catch((error: unknown) => {
  console.error(error instanceof TypeError ? USAGE : errorMessage(error));
  process.exitCode = 1;
});
