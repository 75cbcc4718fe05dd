// `npm run verify -- https://ADDRESS [--origin URL] [--post ID] [--profile HANDLE] [--withheld FILE] [--pictures] [--json]`: checks
// from outside, and without changing anything, that a deployment keeps the promises of the service; with --withheld only that
// it shows nothing that a list of withheld posts and profiles, or a file of settings, names; with --pictures only that pages
// load pictures through the service, whole and in parts. API_KEY is a key of the service for the
// checks that need one. Exits with 1 if a promise is broken. With `--edge NAME` alone, it compares the deployed edge function of
// that name with the sources.
import { parseArgs } from 'node:util';
import { elapsedClock, readVariable } from '../../shared/composition/environment.ts';
import { errorKind } from '../../shared/model/json.ts';
import { elapsed } from '../../shared/model/time.ts';
import { env, environmentDefaults } from '../../shared/settings/environment-variables.ts';
import { handle, postId } from '../../shared/settings/feature-parsers.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import type { Check } from '../../shared/verification/check.ts';
import { allChecks, runChecks } from '../../shared/verification/run-checks.ts';
import { createService, type ServiceOptions } from '../../shared/verification/service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { commandLine } from '../command/command-line.ts';
import { print, runToExit } from '../command/output.ts';
import { verifyEdge } from './edge-engine.ts';
import { pictureChecks } from './pictures.ts';
import { isVerified, reportJson, reportLines } from './report.ts';
import { readWithheldList, withheldChecks } from './withheld.ts';

const OPTIONS = '[--origin URL] [--post ID] [--profile HANDLE] [--withheld FILE] [--pictures] [--json]';
const USAGE = `usage: [API_KEY=KEY] ${commandLine('verify', `https://ADDRESS ${OPTIONS}`)}
   or: ${commandLine('verify', '--edge NAME')}`;

/** A minute, less the last request. */
const BUDGET_MILLISECONDS = 45_000;

/** A check that has started may send several requests, one after the other. */
const LONGEST_MILLISECONDS = 58_000;

const originOf = (text: string, name: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url;
  throw new Error(`${name} must be an address without a path, such as https://posts.example.org`);
};

const required = <T>(value: T | undefined, message: string): T => {
  if (value === undefined) throw new Error(message);
  return value;
};

const verifyService = async (options: ServiceOptions, checks: readonly Check[], isJson: boolean): Promise<void> => {
  const service = createService(options);
  try {
    await service.read('/openapi.json').catch((error: unknown) => {
      throw new Error(`${options.origin.origin} does not answer: ${errorKind(error)}`);
    });
    const start = elapsedClock();
    const findings = await runChecks(checks, service, {
      clock: elapsedClock,
      budgetMilliseconds: BUDGET_MILLISECONDS,
    });
    const seconds = elapsed(start, elapsedClock()) / 1000;
    const requests = service.answers.length;
    const version = await service.version();
    const address = options.origin.origin;
    // The exit code says the result also if the reader of standard output leaves.
    if (!isVerified(findings)) process.exitCode = 1;
    const report = isJson
      ? [reportJson(address, version, findings, requests)]
      : reportLines(findings, requests, seconds);
    await print(report.map((line) => `${line}\n`).join(''));
  } finally {
    service.close();
  }
};

/** @returns the command, which sets the exit code */
const commandOf = (args: readonly string[]): (() => Promise<void>) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      edge: { type: 'string' },
      origin: { type: 'string' },
      post: { type: 'string' },
      profile: { type: 'string' },
      withheld: { type: 'string' },
      pictures: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const { edge, ...others } = values;
  const [address, ...more] = positionals;
  if (edge !== undefined) {
    if (positionals.length > 0 || Object.keys(others).length > 0) throw new Error(USAGE);
    return () => verifyEdge(edge);
  }
  if (address === undefined || more.length > 0) throw new Error(USAGE);
  const knownOr = (given: string | undefined, name: typeof env.canaryPost | typeof env.canaryProfile): string =>
    given ?? readVariable(process.env, name) ?? environmentDefaults[name];
  const options: ServiceOptions = {
    wall: Date,
    signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
    origin: originOf(address, 'the address'),
    known: {
      post: required(postId.parse(knownOr(values.post, env.canaryPost)), `--post ${postId.rule}`),
      profile: required(handle.parse(knownOr(values.profile, env.canaryProfile)), `--profile ${handle.rule}`),
    },
    key: readVariable(process.env, localEnv.apiKey),
    directOrigin: values.origin === undefined ? undefined : originOf(values.origin, '--origin'),
  };
  const chosen = [
    ...(values.withheld === undefined ? [] : withheldChecks(readWithheldList(values.withheld, Date.now()))),
    ...(values.pictures ? pictureChecks : []),
  ];
  const isChosen = values.withheld !== undefined || values.pictures;
  const checks = isChosen ? chosen : allChecks;
  return () => verifyService(options, checks, values.json ?? false);
};

answerHelp(USAGE);
await runToExit(async () => {
  let run: () => Promise<void>;
  try {
    run = commandOf(process.argv.slice(2));
  } catch (error) {
    throw error instanceof TypeError ? new Error(USAGE) : error; // parseArgs throws TypeErrors
  }
  await run();
});
