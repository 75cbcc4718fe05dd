// A surface as a Lambda: size and impact from the contract, its own role and log group, an alarm that says who is hurt.
import { Duration, RemovalPolicy, SecretValue } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type AlarmRow, functionAlarms, logAlarmRows, type Threshold } from '../../shared/contract/alarms.ts';
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import { servesLists } from '../../shared/contract/operations.ts';
import { type ProviderName, providerNames, providerRow, providers } from '../../shared/contract/providers.ts';
import { DEFAULT_LAMBDA } from '../../shared/contract/routes.ts';
import { tables as tableRows } from '../../shared/contract/tables.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import type { discoveryVariables, httpVariables, listVariables } from '../../shared/settings/lambda-variables.ts';
import { FUNCTION_HANDLER, functionFolder } from '../build/dist-layout.ts';
import { type Config, formatAllowanceSetting } from '../config.ts';
import { type Counted, countForStack, countLines, failedRequests, raiseAlarm, sumOver } from './alarms.ts';
import type { Tables } from './tables.ts';

export interface PosternLambdaProps {
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
  readonly originSecrets: string;
  readonly cursorSecrets: string;
  readonly tables: Tables;
  /** @default alarms are seen in the console only */
  readonly alarmTopic?: ITopic | undefined;
}

/** Resolved by CloudFormation: the template names it and does not hold it. */
const providerSecret = (name: ProviderName, config: Config): readonly (readonly [string, string])[] => {
  const { secret } = providerRow(name);
  if (secret === undefined) return [];
  const secretName = config.providers.includes(name) ? config[secret.setting] : undefined;
  const value = secretName === undefined ? '' : SecretValue.secretsManager(secretName).unsafeUnwrap();
  return [[secret.variable, value]];
};

const httpEnvironment = ({ config, originSecrets }: PosternLambdaProps) =>
  ({
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
  }) satisfies Record<(typeof httpVariables)[number], string>;

const discoveryEnvironment = ({ config }: PosternLambdaProps) =>
  ({ [env.securityContact]: config.securityContact ?? '' }) satisfies Record<
    (typeof discoveryVariables)[number],
    string
  >;

/** Where providers are; what they must be given is told to those who read from them. */
const providerEnvironment = ({ config }: PosternLambdaProps): Record<string, string> => ({
  [env.providers]: config.providers.join(','),
  ...Object.fromEntries(providerNames.map((row) => [providers[row].variable, config[providers[row].setting]])),
  [env.canaryPost]: config.canaryPost,
});

const upstreamEnvironment = (props: PosternLambdaProps): Record<string, string> => ({
  ...providerEnvironment(props),
  [env.upstream]: 'live',
  ...Object.fromEntries(providerNames.flatMap((row) => providerSecret(row, props.config))),
  [env.canaryProfile]: props.config.canaryProfile,
});

const accessEnvironment = ({ config, tables }: PosternLambdaProps): Record<string, string> => {
  const { keys, counters } = tableRows;
  return {
    [keys.variable]: tables.environment[keys.variable] ?? '',
    [counters.variable]: tables.environment[counters.variable] ?? '',
    [env.dynamodbEndpoint]: '',
    ...Object.fromEntries(
      Object.values(allowanceSettings).map((row) => [row.variable, formatAllowanceSetting(config, row)]),
    ),
  };
};

const adminEnvironment = (props: PosternLambdaProps): Record<string, string> => ({
  ...accessEnvironment(props),
  ...providerEnvironment(props),
  ...props.tables.environment,
  [env.adminTokenHashes]: props.config.adminTokenHashes,
});

/** Every variable is declared, also where it only says the default: `sam local` can override no others. */
const environment = (name: LambdaName, props: PosternLambdaProps): Record<string, string> => {
  const { readsProviders, tables } = lambdas[name];
  const lists = { [env.cursorSecrets]: props.cursorSecrets } satisfies Record<(typeof listVariables)[number], string>;
  return {
    ...httpEnvironment(props),
    // Beside cursors it keeps addresses of callers from being read.
    ...((servesLists(name) || tables !== 'none') && lists),
    ...(name === DEFAULT_LAMBDA && discoveryEnvironment(props)),
    ...(readsProviders && upstreamEnvironment(props)),
    ...(tables === 'read-and-count' && accessEnvironment(props)),
    ...(tables === 'admin' && adminEnvironment(props)),
  };
};

const eventsOf = (surface: LambdaName, event: string): Counted => ({
  pattern: FilterPattern.stringValue('$.event', '=', event),
  name: `${surface}-${event}`,
});

export class PosternLambda extends Construct {
  readonly function: LambdaFunction;
  readonly integration: HttpLambdaIntegration;

  constructor(scope: Construct, name: LambdaName, props: PosternLambdaProps) {
    super(scope, name);
    const { config, dist, alarmTopic } = props;
    const { impact, memoryMiB, tables } = lambdas[name];

    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Nothing but its own logs, and below what its row says of tables.
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

    if (tables === 'read-and-count') props.tables.grantAccess(this.function);
    if (tables === 'admin') props.tables.grantAdmin(this.function);

    // One integration and one permission per function: a permission per route would outgrow Lambda's 20 KB policy.
    this.integration = new HttpLambdaIntegration(name, this.function, { scopePermissionToRoute: false });

    // Doors answer every error themselves, so what Lambda counts is a crash or a time-out; the rest is in the log.
    const raise = (id: string, description: string, metric: IMetric, threshold: Threshold): void =>
      raiseAlarm(this, id, { description, metric, threshold, topic: alarmTopic });
    const raiseOwn = (id: string, row: AlarmRow, metric: IMetric): void =>
      raise(id, `${impact} ${row.meaning}`, metric, row);
    const { crashed, failed, throttled } = functionAlarms;
    raiseOwn('Errors', crashed, this.function.metricErrors(sumOver(crashed)));
    raiseOwn('Throttles', throttled, this.function.metricThrottles(sumOver(throttled)));
    const failures = countLines(this, 'FailedRequests', logGroup, failedRequests(name));
    raiseOwn('Failures', failed, failures.metric(sumOver(failed)));
    for (const [event, row] of logAlarmRows) {
      if (!row.tables.includes(tables)) continue;
      const events = countLines(this, `${event}-count`, logGroup, eventsOf(name, event));
      raise(event, `${name}: ${row.meaning}`, events.metric(sumOver(row)), row);
    }
    countForStack(this, logGroup);
  }
}
