// A surface as a Lambda: size and impact from the contract, its own role and log group, an alarm that says who is hurt.
import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Alarm, ComparisonOperator, type IMetric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { givesLists } from '../../shared/contract/operations.ts';
import { type ProviderName, providerNames, providerRow, providers } from '../../shared/contract/providers.ts';
import { LAMBDA_TIMEOUT_SECONDS, type SurfaceName, surfaces } from '../../shared/contract/surfaces.ts';
import { type doorVariables, env, type listVariables } from '../../shared/env.ts';
import { FUNCTION_HANDLER, functionFolder } from '../build/layout.ts';
import type { Config } from '../config.ts';

export interface HouseProps {
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
  readonly originSecrets: string;
  readonly cursorSecrets: string;
  /** @default alarms are seen in the console only */
  readonly alarmTopic?: ITopic | undefined;
}

/** An error now and then is not worth waking somebody for. */
const ALARMING_ERRORS = 5;

/** Resolved by CloudFormation: the template names it and does not hold it. */
const providerSecret = (name: ProviderName, config: Config): readonly (readonly [string, string])[] => {
  const { secret } = providerRow(name);
  if (secret === undefined) return [];
  const secretName = config.providers.includes(name) ? config[secret.setting] : undefined;
  const value = secretName === undefined ? '' : SecretValue.secretsManager(secretName).unsafeUnwrap();
  return [[secret.variable, value]];
};

/** Every variable is declared, also where it only says the default: `sam local` can override no others. */
const environment = (name: SurfaceName, props: HouseProps): Record<string, string> => {
  const { config, originSecrets, cursorSecrets } = props;
  const door = {
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
  } satisfies Record<(typeof doorVariables)[number], string>;
  if (!surfaces[name].readsProviders) return door;
  const lists = { [env.cursorSecrets]: cursorSecrets } satisfies Record<(typeof listVariables)[number], string>;
  return {
    ...door,
    ...(givesLists(name) && lists),
    [env.upstream]: 'live',
    [env.providers]: config.providers.join(','),
    ...Object.fromEntries(providerNames.map((row) => [providers[row].variable, config[providers[row].setting]])),
    ...Object.fromEntries(providerNames.flatMap((row) => providerSecret(row, config))),
    [env.canaryPost]: config.canaryPost,
    [env.canaryProfile]: config.canaryProfile,
  };
};

/** Counts the answers of 500 and above: every answer leaves a line of JSON in the log, with nothing before it. */
const failedRequests = (scope: Construct, name: SurfaceName, logGroup: LogGroup): MetricFilter =>
  new MetricFilter(scope, 'FailedRequests', {
    logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.event', '=', 'request'),
      FilterPattern.numberValue('$.status', '>=', 500),
    ),
    // Metrics of one name in one namespace are one metric: two stacks in a region must not share them.
    metricNamespace: Stack.of(scope).stackName,
    metricName: `${name}-failed-requests`,
  });

export class SurfaceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly integration: HttpLambdaIntegration;

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
      code: Code.fromAsset(functionFolder(dist, name)),
      handler: FUNCTION_HANDLER,
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

    // One integration and one permission per function: a permission per route would outgrow Lambda's 20 KB policy.
    this.integration = new HttpLambdaIntegration(name, this.function, { scopePermissionToRoute: false });

    // Doors answer every error themselves, so what Lambda counts is a crash or a time-out; the rest is in the log.
    const sums = { statistic: Stats.SUM, period: Duration.minutes(5) };
    this.#alarm('Errors', `${impact} (It crashes or times out.)`, this.function.metricErrors(sums), alarmTopic);
    this.#alarm(
      'Failures',
      `${impact} (It says so itself.)`,
      failedRequests(this, name, logGroup).metric(sums),
      alarmTopic,
    );
  }

  #alarm(id: string, alarmDescription: string, metric: IMetric, topic: ITopic | undefined): void {
    const alarm = new Alarm(this, id, {
      alarmDescription,
      metric,
      threshold: ALARMING_ERRORS,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
  }
}
