// `npm run deploy` runs `cdk deploy` for all stacks, with what the CDK cannot do: it protects tables, secrets and addresses by
// the stack policy, lets CloudFront forget its answers after a change of `withheld`, and verifies the service at the end. The
// arguments are those of `cdk deploy`, such as -c NAME=VALUE, --profile NAME and, without a terminal, --require-approval never.
// Exits with 1 if nothing was deployed, or if the service is not verified.
//
//   --dry-run    says what would change, by `cdk diff`, and stops
//   --yes        accepts that tables, secrets and addresses are replaced or deleted
//   --no-verify  does not verify the service
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { errorMessage } from '../../shared/model/json.ts';
import { answerHelp } from '../command/answer-help.ts';
import type { DeploymentRecord } from '../config/deployment-record.ts';
import { SetupError } from '../config/setting.ts';
import { openAccount } from './account.ts';
import { concurrencyWarning, reservationProblem, unboundedPictures } from './concurrency.ts';
import { openHostWarning } from './open-host.ts';
import { openPolicy, protectivePolicy } from './stack-policy.ts';
import { newestSecrets, readAssembly, readOutputs, type Template } from './template.ts';
import { mustForget, withheldChanges } from './withheld.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ASSEMBLY = 'cdk.out';
const OUTPUTS = join(ASSEMBLY, 'outputs.json');
const CDK = join('node_modules', 'aws-cdk', 'bin', 'cdk');
const VERIFY = join('infra', 'verify', 'verify.ts');

const own = {
  yes: { type: 'boolean', short: 'y' },
  'dry-run': { type: 'boolean' },
  'no-verify': { type: 'boolean' },
} as const;

/** @returns what is for this program, for `cdk synth` and for `cdk deploy` */
export const parseArguments = (given: readonly string[]) => {
  const options = {
    ...own,
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
  } as const;
  const { values, tokens } = parseArgs({ args: [...given], options, strict: false, tokens: true });
  const ours = new Set(tokens.flatMap((token) => (token.kind === 'option' && token.name in own ? [token.index] : [])));
  return {
    yes: values.yes === true,
    dryRun: values['dry-run'] === true,
    noVerify: values['no-verify'] === true,
    profile: values.profile === undefined ? undefined : String(values.profile),
    context: (values.context ?? []).flatMap((setting) => ['-c', String(setting)]),
    cdk: given.filter((_, index) => !ours.has(index)),
  };
};

/** Every release up to 0.8.0, which recorded nothing, has this function. */
const OLD_FUNCTION = 'DiscoveryFunction';

/** @returns a sentence that stops the deployment: CloudFormation would delete everything that is not in our template */
export const foreignStack = (name: string, { record, resources }: Template): string | undefined =>
  record === undefined && !resources.has(OLD_FUNCTION)
    ? `The stack ${name} of this account is not a deployment of Postern, and a deployment would delete its resources. Set stackName to another name.`
    : undefined;

/** @returns a sentence that stops the deployment: a rotation by one keeps what the secret in use has signed */
export const rotationProblem = (before: Template, after: Template): string | undefined => {
  const next = newestSecrets(after);
  const wrong = [...newestSecrets(before)].filter(
    ([setting, { version }]) => ![version, version + 1].includes(next.get(setting)?.version ?? 0),
  );
  const texts = wrong.map(
    ([setting, { version }]) =>
      `${setting} goes from ${version} to ${next.get(setting)?.version}, and the secret in use is rejected at once: keep ${version}, or set ${version + 1} to rotate it.`,
  );
  return texts.length === 0 ? undefined : [...texts, 'Nothing was deployed. --yes accepts it.'].join('\n');
};

/** @returns what to do after the deployment */
export const nextSteps = (
  { settings }: DeploymentRecord,
  outputs: ReadonlyMap<string, string>,
  isFirst: boolean,
): readonly string[] => {
  const { domainName, hostedZoneId, alarmEmail, adminTokenHashes, securityContact, abuseContact } = settings;
  const steps = [
    isFirst &&
      domainName &&
      !hostedZoneId &&
      `Point the DNS name ${domainName} to ${outputs.get('DistributionDomain')}.`,
    isFirst && domainName && !hostedZoneId && `Verify the deployment then: npm run verify -- ${outputs.get('Url')}`,
    isFirst && alarmEmail && `Confirm the subscription in the mail to ${alarmEmail}: without it, no alarm arrives.`,
    !alarmEmail && 'Set alarmEmail: without it, alarms are visible only in the console.',
    !adminTokenHashes && 'Set adminTokenHashes: without it, the dashboard is disabled.',
    !securityContact &&
      'Set securityContact: without it, security.txt names no address for reports of vulnerabilities.',
    !abuseContact &&
      !securityContact &&
      'Set abuseContact: without it, /docs/removal tells people with a complaint of no way to reach you.',
  ];
  return steps.flatMap((step) => (step ? [`  - ${step}`] : []));
};

/** @param from the release that was deployed before, if there was one */
export const wayBack = (from: string | undefined): string =>
  from === undefined
    ? 'Deployed, but not verified: docs/runbook.md says what the report means.'
    : `Deployed, but not verified. To go back: git fetch --tags && git checkout v${from} && npm ci && npm run deploy`;

const say = (...lines: readonly string[]): void => console.log(lines.join('\n'));

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/**
 * Runs a program with the same Node. A signal ends the program, and this process goes on: it has to protect the stack.
 *
 * @returns true if it succeeded; otherwise it has said why
 */
const succeeds = (...args: readonly string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const env = { CDK_DISABLE_CLI_TELEMETRY: '1', ...process.env };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const name of SIGNALS) process.on(name, forward);
    child.on('error', reject);
    child.on('exit', (code) => {
      for (const name of SIGNALS) process.off(name, forward);
      resolve(code === 0);
    });
  });

/** @throws SetupError without words, because the CDK has said why it failed */
const runCdk = async (...args: readonly string[]): Promise<void> => {
  if (!(await succeeds(CDK, ...args))) throw new SetupError('');
};

const stopAt = (problem: string | undefined): void => {
  if (problem !== undefined) throw new SetupError(problem);
};

export interface GuardedDeployment {
  /** The deployed template; undefined: CloudFormation knows no policy of a stack before it exists. */
  readonly before: Template | undefined;
  readonly after: Template;
  /** Accepts what the policy prevents. */
  readonly yes: boolean;
  readonly setPolicy: (policy: string) => Promise<void>;
  readonly run: () => Promise<void>;
}

/** Sets the stack policy before and after a deployment, also after one that fails. */
export const runWithPolicy = async ({ before, after, yes, setPolicy, run }: GuardedDeployment): Promise<void> => {
  if (before !== undefined) await setPolicy(yes ? openPolicy : protectivePolicy(before));
  try {
    await run();
  } catch (error) {
    if (before !== undefined && yes) await setPolicy(protectivePolicy(before));
    throw error;
  }
  await setPolicy(protectivePolicy(after));
};

const aws = (...args: readonly string[]): Promise<{ readonly stdout: string }> => promisify(execFile)('aws', [...args]);

/** @throws SetupError: without the AWS CLI, the caches would show what a new list withholds */
export const requireAwsCli = async (): Promise<void> => {
  await aws('--version').catch((error: unknown) => {
    throw new SetupError(
      `The list of withheld posts and profiles changes, so CloudFront must forget its answers, which needs the AWS CLI. Nothing was deployed, because the command aws does not run (${errorMessage(error).split('\n')[0]}): install it.`,
    );
  });
};

/**
 * Lets CloudFront forget all answers, and waits until no cache has them.
 *
 * @throws SetupError with the command that is left to run
 */
export const forgetAnswers = async (distributionId: string, profile: string | undefined): Promise<void> => {
  const which = ['--distribution-id', distributionId, ...(profile === undefined ? [] : ['--profile', profile])];
  const create = ['cloudfront', 'create-invalidation', ...which, '--paths'];
  say('', 'CloudFront forgets all answers.');
  try {
    const { stdout } = await aws(...create, '/*', '--query', 'Invalidation.Id', '--output', 'text');
    await aws('cloudfront', 'wait', 'invalidation-completed', ...which, '--id', stdout.trim());
  } catch (error) {
    throw new SetupError(
      `The list is deployed, but caches can still show what they have, because the AWS CLI failed (${errorMessage(error).split('\n')[0]}). Run: aws ${create.join(' ')} '/*'`,
    );
  }
  say(`The list is in force everywhere since ${new Date().toISOString()}.`);
};

const deploy = async (given: ReturnType<typeof parseArguments>): Promise<void> => {
  const { yes, dryRun, noVerify, profile, context, cdk } = given;
  await runCdk('synth', '--quiet', '--output', ASSEMBLY, ...context);
  const { stackName, region, record, template } = readAssembly(join(root, ASSEMBLY));
  const account = openAccount(region, profile);
  const deployed = await account.template(stackName);
  if (deployed) stopAt(foreignStack(stackName, deployed));
  const from = deployed && (deployed.record?.release ?? '0.8.0');
  const withheld = deployed ? withheldChanges(deployed.record, record, Date.now()) : [];
  say(
    '',
    `Postern ${record.release}, to the stack ${stackName} in ${region}; deployed is ${from ?? 'nothing'}`,
    ...withheld.map((text) => `  - ${text}.`),
    await concurrencyWarning(account, region),
    unboundedPictures(record),
    openHostWarning(record),
  );
  stopAt(await reservationProblem(account, record));
  if (deployed && !yes) stopAt(rotationProblem(deployed, template));
  const forgets = deployed !== undefined && mustForget(deployed.record, record);
  if (forgets) {
    await requireAwsCli();
    say(
      'After the deployment, CloudFront forgets all answers, so that none shows what is withheld.',
      'If the deployment ends before it says that the list is in force, run the output ForgetAnswers of the stack.',
      '',
    );
  }
  if (dryRun) return runCdk('diff', '--app', ASSEMBLY, ...cdk);
  await runWithPolicy({
    before: deployed,
    after: template,
    yes,
    setPolicy: (policy) =>
      account.setStackPolicy(stackName, policy).catch((error: unknown) => {
        // The deployment does not need the policy.
        say(
          `Warning: the stack policy could not be set (${errorMessage(error)}), which needs cloudformation:SetStackPolicy. Without it, a deployment can replace or delete tables, secrets and addresses.`,
        );
      }),
    run: () => runCdk('deploy', '--app', ASSEMBLY, '--all', '--outputs-file', OUTPUTS, ...cdk),
  });
  const outputs = readOutputs(join(root, OUTPUTS), stackName);
  if (forgets) await forgetAnswers(outputs.get('DistributionId') ?? '', profile);
  const steps = nextSteps(record, outputs, deployed === undefined);
  if (steps.length > 0) say('', 'Next:', ...steps, '');
  const { domainName, hostedZoneId } = record.settings;
  // Nothing leads to a new domain yet, unless the stack has made its records.
  const isReachable = deployed !== undefined || domainName === undefined || hostedZoneId !== undefined;
  if (isReachable && !noVerify && !(await succeeds(VERIFY, outputs.get('Url') ?? ''))) stopAt(wayBack(from));
};

if (import.meta.main) {
  answerHelp();
  try {
    await deploy(parseArguments(process.argv.slice(2)));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    if (error.message !== '') console.error(error.message);
    process.exitCode = 1;
  }
}
