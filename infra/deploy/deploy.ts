// `npm run deploy` synthesizes, says what changes, refuses what cannot be undone, and runs `cdk deploy`. Other
// arguments are those of `cdk deploy`. Exits with 1 if nothing was deployed.
//
//   -c NAME=VALUE    a setting, in place of postern.config.json
//   --profile NAME   the profile of the AWS CLI
//   --dry-run        says what would change, and stops
//   --yes            accepts changes that cannot be undone
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseArgsOptionsConfig, parseArgs, promisify } from 'node:util';
import { errorMessage } from '../../shared/model/json.ts';
import { answerHelp } from '../command/answer-help.ts';
import type { DeploymentRecord } from '../config/deployment-record.ts';
import { SetupError } from '../config/setting.ts';
import { type Account, accountProblem, openAccount } from './account.ts';
import { type Changes, changeLines, compareTemplates, refusal } from './changes.ts';
import { bootstrapProblem, concurrencyWarning, retainedTables, stackProblem, tableProblems } from './preflight.ts';
import { policyProblem, runWithOpenPolicy } from './stack-policy.ts';
import { idsOfType, readAssembly, type Template } from './template.ts';
import { mustForget, withheldChanges } from './withheld.ts';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../..', import.meta.url));
const ASSEMBLY = 'cdk.out';
const CDK = join('node_modules', 'aws-cdk', 'bin', 'cdk');

const options = {
  context: { type: 'string', short: 'c', multiple: true },
  profile: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  'dry-run': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** The program sets them itself. */
const OURS = ['app', 'a', 'output', 'o'];

/** @returns what is for `cdk synth`, for `cdk deploy` and for this program @throws SetupError */
export const parseArguments = (given: readonly string[]) => {
  const { values, tokens } = parseArgs({ args: [...given], options, strict: false, tokens: true });
  const taken = tokens.find((token) => token.kind === 'option' && OURS.includes(token.name));
  if (taken?.kind === 'option')
    throw new SetupError(`${taken.rawName} cannot be set: npm run deploy synthesizes into ${ASSEMBLY} itself`);
  const context = (values.context ?? []).map(String);
  const wrong = context.find((setting) => !/^[^=]+=/.test(setting));
  if (wrong !== undefined) throw new SetupError(`-c ${wrong} is not NAME=VALUE`);
  const foreign = tokens.filter((token) => token.kind !== 'option' || !Object.hasOwn(options, token.name));
  const profile = values.profile === undefined ? undefined : String(values.profile);
  return {
    yes: values.yes === true,
    dryRun: values['dry-run'] === true,
    profile,
    context: context.flatMap((setting) => ['-c', setting]),
    cdk: [
      ...(profile === undefined ? [] : ['--profile', profile]),
      // Short options in one argument are several tokens. Equal arguments, such as two --parameters, are not one.
      ...[...new Set(foreign.map(({ index }) => index))].map((index) => given[index] ?? ''),
    ],
  };
};

/** @returns the outputs, and what to do after the deployment */
export const closingLines = (
  { settings }: DeploymentRecord,
  outputs: ReadonlyMap<string, string>,
  isFirst: boolean,
): readonly string[] => {
  const { domainName, alarmEmail, adminTokenHashes, securityContact, abuseContact } = settings;
  const steps = [
    isFirst && domainName && `Point the DNS name ${domainName} to ${outputs.get('DistributionDomain')}.`,
    outputs.has('Url') && `Verify the deployment: npm run verify -- ${outputs.get('Url')}`,
    isFirst && alarmEmail && `Confirm the subscription in the mail to ${alarmEmail}: without it, no alarm arrives.`,
    !alarmEmail && 'Set alarmEmail: without it, alarms are visible only in the console.',
    !adminTokenHashes && 'Set adminTokenHashes: without it, the dashboard is disabled.',
    !securityContact &&
      'Set securityContact: without it, security.txt names no address for reports of vulnerabilities.',
    !abuseContact &&
      !securityContact &&
      'Set abuseContact: without it, /docs/removal tells people with a complaint of no way to reach you.',
  ];
  return [
    '',
    ...[...outputs].map(([name, value]) => `${name}: ${value}`),
    '',
    'Next:',
    ...steps.filter(Boolean).map((step) => `  - ${step}`),
  ];
};

const say = (...lines: readonly string[]): void => console.log(lines.join('\n'));

/**
 * Runs the CDK with the same Node.
 * @throws SetupError without words if it fails, because it has said why; the reason of the signal if that ends it
 */
const runCdk = (args: readonly string[], signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { CDK_DISABLE_CLI_TELEMETRY: '1', ...process.env };
    const child = spawn(process.execPath, [CDK, ...args], { cwd: root, env, stdio: 'inherit', signal });
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    // A terminal sends its signal to the CDK as well, which can then end first.
    child.on('exit', (code) => (code === 0 ? resolve() : reject(signal?.aborted ? signal.reason : new SetupError(''))));
  });

/** @returns why the deployment stops: without the AWS CLI, the caches would show what a new list withholds */
const awsCliProblem = (): Promise<string | undefined> =>
  run('aws', ['--version']).then(
    () => undefined,
    (error) =>
      `The list of withheld posts and profiles changes, so CloudFront must forget its answers, which needs the AWS CLI. Nothing was deployed, because the command aws does not run (${errorMessage(error).split('\n')[0]}): install it.`,
  );

const stopAt = (problem: string | undefined): void => {
  if (problem !== undefined && problem !== '') throw new SetupError(problem);
};

/**
 * Says before the deployment that CloudFront will forget all answers, and how, because after an interruption the next
 * deployment finds the list unchanged.
 *
 * @returns lets it forget by the AWS CLI, and waits until no cache has them
 * @throws SetupError without the AWS CLI; the returned function, with the command that is left to run
 */
export const planForgetting = async (
  account: Pick<Account, 'resourceId'>,
  stackName: string,
  template: Template,
  profile: string | undefined,
): Promise<() => Promise<void>> => {
  stopAt(await awsCliProblem());
  const [logicalId = ''] = idsOfType(template, 'AWS::CloudFront::Distribution');
  const own = profile === undefined ? [] : ['--profile', profile];
  const which = ['--distribution-id', await account.resourceId(stackName, logicalId), ...own];
  const create = ['cloudfront', 'create-invalidation', ...which, '--paths'];
  const command = `aws ${create.join(' ')} '/*'`;
  say(
    'After the deployment, CloudFront forgets all answers, so that none shows what is withheld.',
    `If the deployment ends before it says that the list is in force, run afterwards: ${command}`,
    '',
  );
  return async () => {
    say('', 'CloudFront forgets all answers.');
    try {
      const { stdout } = await run('aws', [...create, '/*', '--query', 'Invalidation.Id', '--output', 'text']);
      await run('aws', ['cloudfront', 'wait', 'invalidation-completed', ...which, '--id', stdout.trim()]);
    } catch (error) {
      throw new SetupError(
        `The list is deployed, but caches can still show what they have, because the AWS CLI failed (${errorMessage(error).split('\n')[0]}). Run: ${command}`,
      );
    }
    say(`The list is in force everywhere since ${new Date().toISOString()}.`);
  };
};

const deploy = async ({ yes, dryRun, profile, context, cdk }: ReturnType<typeof parseArguments>): Promise<void> => {
  await runCdk(['synth', '--quiet', '--output', ASSEMBLY, ...context]);
  const assembly = readAssembly(join(root, ASSEMBLY));
  const { stackName, region, record, template } = assembly;
  const account = await openAccount(region, profile);
  stopAt(await bootstrapProblem(account, assembly));
  const deployed = await account.stack(stackName);
  if (deployed !== undefined) stopAt(stackProblem(stackName, deployed.status, deployed.template));
  stopAt((await tableProblems(account, assembly)).join('\n'));

  const changes: Changes = {
    Tables: await retainedTables(account, assembly, deployed?.template),
    ...(deployed !== undefined && {
      Withheld: withheldChanges(deployed.template.record, record, Date.now()),
      ...compareTemplates(deployed.template, template),
    }),
  };
  const from = deployed && (deployed.template.record?.release ?? '0.8.0 or older');
  const lines = changeLines(changes);
  say(
    '',
    `Postern ${record.release}, to the stack ${stackName} in ${region} of account ${account.id}${from === undefined ? '' : `; deployed is ${from}`}`,
    '',
    ...(deployed === undefined ? ['This is the first deployment.', ''] : []),
    ...(deployed !== undefined && lines.length === 0 ? ['Nothing changes.', ''] : lines),
  );
  const warning = await concurrencyWarning(account, region);
  if (warning !== undefined) say(`Warning: ${warning}`, '');
  stopAt(refusal(changes, yes));
  const forgetting =
    deployed !== undefined && mustForget(deployed.template.record, record)
      ? await planForgetting(account, stackName, deployed.template, profile)
      : undefined;
  if (dryRun) return say('Nothing was deployed, because of --dry-run.');

  // The report above is the approval; without a terminal the CDK would refuse every new permission.
  const isAsked = cdk.some((argument) => argument.startsWith('--require-approval'));
  const approval = isAsked ? [] : ['--require-approval', 'never'];
  await runWithOpenPolicy({
    exists: deployed !== undefined,
    setPolicy: (policy) => account.setStackPolicy(stackName, policy).catch((error) => say(policyProblem(error), '')),
    run: (signal) => runCdk(['deploy', '--app', ASSEMBLY, ...approval, ...cdk], signal),
  });
  await forgetting?.();
  say(...closingLines(record, await account.outputs(stackName), deployed === undefined));
};

if (import.meta.main) {
  answerHelp();
  try {
    await deploy(parseArguments(process.argv.slice(2)));
  } catch (error) {
    const sentence = error instanceof SetupError ? error.message : accountProblem(error);
    if (sentence === undefined) throw error;
    if (sentence !== '') console.error(sentence);
    process.exitCode = 1;
  }
}
