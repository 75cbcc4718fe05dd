// `npm run -s doctor`: says which reads work on this machine: by which provider, how fast and how fresh.
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { commandLine } from '../../infra/command/command-line.ts';
import { fail } from '../../infra/command/output.ts';
import { chooseUpstream, withoutReplay } from '../../infra/local/choose-upstream.ts';
import { localEnvironment, resolveDataFolder } from '../../infra/local/local-environment.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type Environment, elapsedClock, readVariable } from '../../shared/composition/environment.ts';
import { readBaseUrls, readProviders } from '../../shared/composition/provider-settings.ts';
import { providersFromEnvironment } from '../../shared/composition/single-providers.ts';
import { type ProviderName, paidRowsSetting, providerRow, X_API_PRICES } from '../../shared/contract/providers.ts';
import { SAMPLE_SOURCE } from '../../shared/contract/sample.ts';
import { errorKind, errorMessage } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { examineReads, type Known, lostReads } from './doctor/examine-reads.ts';
import { type Diagnosis, type Fact, reportJson, reportLines } from './doctor/report.ts';
import { parseOptions } from './options.ts';

/** Enough for one page of each read. */
const MAX_PAID_ROWS = 300;
const MAX_PRICE = `$${(MAX_PAID_ROWS * Math.max(...Object.values(X_API_PRICES))).toFixed(2)}`;

const USAGE = `usage: ${commandLine('doctor', '[--paid] [--json]')}
Asks each provider for each kind of read once, within a minute, and says what works, how fast and how fresh. Also shows the
Node, the data folder and the store of this machine. Exits with 1 if a read has no way left.
  --paid  also asks the official API, whose rows X bills: at most ${MAX_PAID_ROWS}, ${MAX_PRICE}
  --json  prints JSON
The variables are those of ${commandLine('start')}. UPSTREAM=sample examines the bundled answers.`;

const fact = (name: string, value: string, isOk = true): Fact => ({ name, value, isOk });

const dataFact = (environment: Environment): Fact => {
  const folder = resolveDataFolder(environment);
  if (folder === undefined) return fact('data', 'in memory, so nothing is kept');
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
    rmdirSync(mkdtempSync(join(path, '.doctor-')));
    return fact('data', `${path} can be written`);
  } catch (error) {
    return fact('data', `${path} cannot be written: ${errorKind(error)}. Set ${localEnv.dataDir}.`, false);
  }
};

/** Starts the store as the service does. */
const storeFact = async (environment: Environment): Promise<Fact> => {
  try {
    const { startDynamoDb } = await import('../../infra/local/dynamodb.ts');
    const { notice, close } = await startDynamoDb(environment);
    await close();
    return fact('store', notice ?? `${readVariable(environment, env.dynamodbEndpoint) ?? 'embedded'}, works`);
  } catch (error) {
    return fact('store', errorMessage(error), false);
  }
};

/** Each base URL of the providers, which answers at all or not. */
const networkFacts = async (
  environment: Environment,
  checkHealth: ReturnType<typeof providersFromEnvironment>['checkHealth'],
): Promise<readonly Fact[]> =>
  (await checkHealth()).map(({ name, address, state }) => {
    const [only] = name === SAMPLE_SOURCE ? [] : readBaseUrls(environment, name);
    return fact(name, `${address ?? only} ${state === 'up' ? 'answers' : 'does not answer'}`, state === 'up');
  });

/** Both providers of the sample have the post, and one post is translated. */
const SAMPLE: Known = {
  post: '2028036267832246272',
  profile: 'ada_larsson',
  freshness: 'ada_larsson',
  answered: '2028036267832246272',
  translated: { id: '2029172504785846383', lang: 'en' },
};

const NOT_ASKED = `not asked, because X bills its rows: --paid asks for at most ${MAX_PAID_ROWS}, ${MAX_PRICE}`;

const diagnose = async (given: Environment, isPaid: boolean): Promise<Diagnosis> => {
  const upstream = await chooseUpstream(withoutReplay(given));
  try {
    const isSample = upstream.environment[env.upstream] === 'sample';
    const isFree = (name: ProviderName): boolean => isPaid || isSample || providerRow(name).secret === undefined;
    const names = readProviders(given);
    const asked = names.filter(isFree);
    const environment = localEnvironment({
      ...given,
      ...upstream.environment,
      // An empty variable is the default.
      ...(asked.length > 0 && { [env.providers]: asked.join(',') }),
      [paidRowsSetting.variable]: String(MAX_PAID_ROWS),
      // No page is made, so nothing signs paths of pictures.
      [env.pictures]: 'direct',
    });
    const built = providersFromEnvironment(environment, () => undefined);
    const { checkHealth, canaryPost, canaryProfile, freshnessProfile: freshness } = built;
    const providers = asked.length === 0 ? [] : built.providers;
    const known = isSample ? SAMPLE : { post: canaryPost, profile: canaryProfile, freshness };
    const facts = [
      fact('node', `${process.versions.node} on ${process.platform} ${process.arch}`),
      dataFact(given),
      await storeFact(given),
      fact('upstream', upstream.line.replace(/^upstream: /, '')),
      ...(isSample || asked.length === 0 ? [] : await networkFacts(environment, checkHealth)),
      ...names.filter((name) => !isFree(name)).map((name) => fact(name, NOT_ASKED)),
    ];
    const findings = await examineReads(providers, known, elapsedClock);
    return {
      version: packageJson.version,
      facts,
      findings,
      lost: lostReads(findings),
      isPaidLeft: asked.length < names.length,
    };
  } finally {
    await upstream.close();
  }
};

const run = async ({ json, paid }: { readonly json: boolean; readonly paid: boolean }): Promise<void> => {
  const diagnosis = await diagnose(process.env, paid);
  console.log(json ? reportJson(diagnosis) : reportLines(diagnosis, Date.now()).join('\n'));
  if (diagnosis.lost.length > 0) process.exitCode = 1;
};

answerHelp(USAGE);
const boolean = { type: 'boolean', default: false } as const;
const given = parseOptions({ options: { json: boolean, paid: boolean } })?.values;
if (given === undefined) fail(USAGE);
else await run(given).catch((error: unknown) => fail(`postern: ${errorMessage(error)}`));
