// Shifts requests to a new version of a function step by step, and back if it fails. Without it (`rollout:
// all-at-once`), every request goes to the newest code as soon as CloudFormation has updated the function.
//
// API Gateway and the function URL call the alias `live`. An update publishes a version, and CloudFormation lets
// CodeDeploy move the alias: 10 % of the requests first, the rest after 5 minutes (canary), or 10 % more each minute
// (linear). CodeDeploy watches two alarms of the function. If one is raised, it moves the alias back at once, and
// CloudFormation rolls the whole stack back. Old versions are deleted once the update has succeeded; a roll-back to an
// older release publishes its code again. CloudFront and the edge function are updated at once, for all requests.
import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import type { metricSets } from '../../shared/contract/metrics.ts';
import type { Config } from '../config.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';

const ALIAS = 'live';

const MANAGED_POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

const STEPS: Readonly<Record<Exclude<Config['rollout'], 'all-at-once'>, ILambdaDeploymentConfig>> = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

/** Half of the invocations of the new version in a minute, if it had at least so many. */
const CRASHES = { percent: 50, floor: 3 } as const;

/** The new version gets a tenth of the requests, so a version of which every answer fails is at 10 %. */
const FAILURES = { percent: 5, floor: 20 } as const;

const PERIOD = Duration.minutes(1);

/** `floor` is a number of requests below which a share means nothing. */
const shareOf = (part: IMetric, whole: IMetric, floor: number): MathExpression =>
  new MathExpression({
    expression: `IF(whole >= ${floor}, 100 * part / whole, 0)`,
    label: 'percent',
    period: PERIOD,
    usingMetrics: { part, whole },
  });

/** Creates the application of CodeDeploy that all functions share, with its role. */
class Deployments extends Construct {
  readonly application: LambdaApplication;
  readonly role: Role;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.application = new LambdaApplication(this, 'Application');
    // The policy of AWS that moves aliases and reads alarms, and can invoke no function but hooks of CodeDeploy.
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(MANAGED_POLICY)],
    });
    acknowledgeRules(this.role, {
      [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${MANAGED_POLICY}]`]:
        'The policy belongs to CodeDeploy, whose calls only AWS knows completely.',
    });
  }

  static of(stack: Stack): Deployments {
    const found = stack.node.tryFindChild('Deployments');
    return found instanceof Deployments ? found : new Deployments(stack, 'Deployments');
  }
}

/** @returns the function, or the alias to which its requests shift; grants and integrations belong to the result */
export const servingTarget = (
  scope: Construct,
  name: LambdaName,
  config: Config,
  target: LambdaFunction,
): IFunction => {
  if (config.rollout === 'all-at-once') return target;
  const { application, role } = Deployments.of(Stack.of(scope));
  const version = target.currentVersion;
  const alias = new Alias(scope, 'Live', {
    aliasName: ALIAS,
    version: version as IVersion, // the class has a getter where the interface has an optional member
  });
  const ofVersion = (metricName: string): IMetric =>
    new Metric({
      namespace: 'AWS/Lambda',
      metricName,
      // The names, not the alias: the alias waits for the deployment group, and that for its alarms.
      dimensionsMap: {
        FunctionName: target.functionName,
        Resource: `${target.functionName}:${ALIAS}`,
        ExecutedVersion: version.version,
      },
      statistic: Stats.SUM,
      period: PERIOD,
    });
  const ofFunction = (metricName: keyof typeof metricSets.surface.metrics, statistic: string): IMetric =>
    new Metric({
      namespace: Stack.of(scope).stackName,
      metricName,
      dimensionsMap: { surface: name },
      statistic,
      period: PERIOD,
    });
  const alarm = (id: string, metric: IMetric, threshold: number, meaning: string): Alarm =>
    new Alarm(scope, id, {
      alarmDescription: `${meaning} CodeDeploy moves the requests of ${name} back to the earlier version. It mails no one.`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  const alarms = [
    alarm(
      'RollbackCrashes',
      shareOf(ofVersion('Errors'), ofVersion('Invocations'), CRASHES.floor),
      CRASHES.percent,
      'The new version crashes or times out.',
    ),
    // Without metrics of the functions, only crashes are seen.
    ...(config.metrics === 'none'
      ? []
      : [
          alarm(
            'RollbackFailures',
            shareOf(ofFunction('failures', Stats.SUM), ofFunction('duration_ms', Stats.SAMPLE_COUNT), FAILURES.floor),
            FAILURES.percent,
            'The function answers 5xx.',
          ),
        ]),
  ];
  new LambdaDeploymentGroup(scope, 'Rollout', {
    application,
    alias,
    alarms,
    // The role has its policy already; another copy would be added for each function.
    role: role.withoutPolicyUpdates(),
    deploymentConfig: STEPS[config.rollout],
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
  });
  return alias as IFunction; // as above
};
