// A surface as a Lambda: size and impact from the contract, its own role and log group, an alarm that says who is hurt.
import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { LAMBDA_TIMEOUT_SECONDS, type SurfaceName, surfaces } from '../../shared/contract/surfaces.ts';
import { doorVariables, env, upstreamVariables } from '../../shared/env.ts';
import type { Config } from '../config.ts';

export interface HouseProps {
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
  readonly originSecrets: string;
  /** @default alarms are seen in the console only */
  readonly alarmTopic?: ITopic | undefined;
}

/** A crash or time-out now and then is not worth waking somebody for. */
const ALARMING_ERRORS = 5;

type Variable = (typeof doorVariables | typeof upstreamVariables)[number];

/** Every variable is declared, also where it only says the default: `sam local` can override no others. */
const environment = (name: SurfaceName, { config, originSecrets }: HouseProps): Record<string, string> => {
  const values: Readonly<Record<Variable, string>> = {
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
    [env.upstream]: 'live',
    [env.providers]: config.providers.join(','),
    [env.fxTwitterBaseUrl]: config.fxTwitterBaseUrl,
    [env.syndicationBaseUrl]: config.syndicationBaseUrl,
    [env.canaryPost]: config.canaryPost,
  };
  const names: readonly Variable[] = [...doorVariables, ...(surfaces[name].readsProviders ? upstreamVariables : [])];
  return Object.fromEntries(names.map((variable) => [variable, values[variable]]));
};

export class SurfaceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, name: SurfaceName, props: HouseProps) {
    super(scope, name);
    const { config, dist, alarmTopic } = props;
    const { impact, memoryMiB } = surfaces[name];

    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Nothing but its own logs. What else a surface may do is granted in the stack, one line each.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);

    this.function = new LambdaFunction(this, 'Function', {
      description: `Postern: ${name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: config.arch === 'arm64' ? Architecture.ARM_64 : Architecture.X86_64,
      code: Code.fromAsset(join(dist, 'functions', name)),
      handler: 'index.handler',
      memorySize: memoryMiB,
      timeout: Duration.seconds(LAMBDA_TIMEOUT_SECONDS),
      role,
      logGroup,
      environment: environment(name, props),
    });
    // PostsFunction and so on: what `sam local invoke` and event files call it.
    const resource = this.function.node.defaultChild;
    if (!CfnFunction.isCfnFunction(resource)) throw new Error(`${name} has no function`);
    resource.overrideLogicalId(`${name.charAt(0).toUpperCase()}${name.slice(1)}Function`);

    // Doors answer every error themselves, so what Lambda counts is a crash or a time-out.
    const alarm = new Alarm(this, 'Errors', {
      alarmDescription: impact,
      metric: this.function.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(5) }),
      threshold: ALARMING_ERRORS,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (alarmTopic !== undefined) alarm.addAlarmAction(new SnsAction(alarmTopic));
  }
}
