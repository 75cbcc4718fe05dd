// Deploys the service: builds, synthesizes, says what changes for callers, state, permissions and cost, refuses what
// cannot be undone, and runs `cdk deploy`. `npm run deploy -- -c NAME=VALUE --profile NAME --yes --dry-run`, and the
// arguments of `cdk deploy`. Exits with 1 if nothing was deployed.
//
//   -c NAME=VALUE    a setting, in place of postern.config.json
//   --profile NAME   the profile of the AWS CLI
//   --dry-run        says what would change, and stops
//   --yes            accepts changes that cannot be undone
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from '../command/answer-help.ts';
import { SetupError } from '../config/setup-error.ts';
import { openAccount } from './account.ts';
import { accountProblem } from './account-errors.ts';
import { type DeployArguments, parseArguments } from './arguments.ts';
import { type Assembly, readAssembly } from './assembly.ts';
import { compareTemplates } from './compare.ts';
import { readDeploymentRecord } from './deployment-record.ts';
import { bootstrapProblem, concurrencyWarnings, retainedTables, tableProblems } from './preflight.ts';
import { changeLines, closingLines, creationLine, refusal } from './report.ts';
import { policyProblem, runWithOpenPolicy } from './stack-policy.ts';
import { foreignStackProblem, statusProblem } from './stack-status.ts';

answerHelp();

const root = fileURLToPath(new URL('../..', import.meta.url));
const ASSEMBLY = 'cdk.out';
const CDK = join('node_modules', 'aws-cdk', 'bin', 'cdk');

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

const synthesize = async ({ context }: DeployArguments): Promise<Assembly> => {
  await runCdk(['synth', '--quiet', '--output', ASSEMBLY, ...context]);
  return readAssembly(join(root, ASSEMBLY));
};

const stopAt = (problem: string | undefined): void => {
  if (problem !== undefined) throw new SetupError(problem);
};

const deploy = async (given: DeployArguments): Promise<void> => {
  const assembly = await synthesize(given);
  const { stackName, region, record, template } = assembly;
  const account = await openAccount({ region, profile: given.profile });
  stopAt(await bootstrapProblem(account, assembly));
  const deployed = await account.stack(stackName);
  if (deployed !== undefined) {
    stopAt(foreignStackProblem(stackName, deployed.template));
    stopAt(statusProblem(stackName, deployed.status));
  }
  const tables = await tableProblems(account, assembly);
  if (tables.length > 0) stopAt(tables.join('\n'));

  const changes = [
    ...(await retainedTables(account, assembly, deployed?.template)),
    ...(deployed === undefined ? [] : compareTemplates(deployed.template, template)),
  ];
  const from = deployed && (readDeploymentRecord(deployed.template.metadata)?.release ?? '0.8.0 or older');
  say(
    '',
    `Postern ${record.release}, to the stack ${stackName} in ${region} of account ${account.id}${from === undefined ? '' : `; deployed is ${from}`}`,
    '',
    ...(deployed === undefined ? [creationLine(template), ''] : []),
    ...(deployed !== undefined && changes.length === 0 ? ['Nothing changes.', ''] : changeLines(changes)),
  );
  for (const warning of await concurrencyWarnings(account, assembly)) say(`Warning: ${warning}`, '');
  stopAt(refusal(changes, given.yes));
  if (given.dryRun) return say('Nothing was deployed, because of --dry-run.');

  // The report above is the approval; without a terminal the CDK would refuse every new permission.
  const approval = given.cdk.some((argument) => argument.startsWith('--require-approval'))
    ? []
    : ['--require-approval', 'never'];
  const setPolicy = (policy: string): Promise<void> =>
    account.setStackPolicy(stackName, policy).catch((error) => say(policyProblem(error), ''));
  await runWithOpenPolicy({
    exists: deployed !== undefined,
    setPolicy,
    run: (signal) => runCdk(['deploy', '--app', ASSEMBLY, ...approval, ...given.cdk], signal),
  });
  say(...closingLines(assembly, { outputs: await account.outputs(stackName), isFirst: deployed === undefined }));
};

try {
  await deploy(parseArguments(process.argv.slice(2)));
} catch (error) {
  const sentence = error instanceof SetupError ? error.message : accountProblem(error);
  if (sentence === undefined) throw error;
  if (sentence !== '') console.error(sentence);
  process.exitCode = 1;
}
