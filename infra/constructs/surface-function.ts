// A surface as a Lambda: size and impact from the contract, its own role and log group, an alarm that says who is hurt.
import { Duration, RemovalPolicy, SecretValue } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { type AlarmRow, alarmingEventRows, functionAlarms, type Threshold } from '../../shared/contract/events.ts';
import { givesLists } from '../../shared/contract/operations.ts';
import { type ProviderName, providerNames, providerRow, providers } from '../../shared/contract/providers.ts';
import { DEFAULT_SURFACE } from '../../shared/contract/routes.ts';
import { LAMBDA_TIMEOUT_SECONDS, type SurfaceName, surfaces } from '../../shared/contract/surfaces.ts';
import { tables as tableRows } from '../../shared/contract/tables.ts';
import { env } from '../../shared/env.ts';
import type { discoveryVariables, doorVariables, listVariables } from '../../shared/variables.ts';
import { FUNCTION_HANDLER, functionFolder } from '../build/layout.ts';
import { allowanceSettingText, type Config } from '../config.ts';
import { type Counted, countForStack, countLines, failedRequests, raiseAlarm, sumOver } from './alarms.ts';
import type { Tables } from './tables.ts';

export interface HouseProps {
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

const doorEnvironment = ({ config, originSecrets }: HouseProps) =>
  ({
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
  }) satisfies Record<(typeof doorVariables)[number], string>;

const discoveryEnvironment = ({ config }: HouseProps) =>
  ({ [env.securityContact]: config.securityContact ?? '' }) satisfies Record<
    (typeof discoveryVariables)[number],
    string
  >;

/** Where providers are; what they must be given is told to those who read from them. */
const providerEnvironment = ({ config }: HouseProps): Record<string, string> => ({
  [env.providers]: config.providers.join(','),
  ...Object.fromEntries(providerNames.map((row) => [providers[row].variable, config[providers[row].setting]])),
  [env.canaryPost]: config.canaryPost,
});

const upstreamEnvironment = (props: HouseProps): Record<string, string> => ({
  ...providerEnvironment(props),
  [env.upstream]: 'live',
  ...Object.fromEntries(providerNames.flatMap((row) => providerSecret(row, props.config))),
  [env.canaryProfile]: props.config.canaryProfile,
});

const accessEnvironment = ({ config, tables }: HouseProps): Record<string, string> => {
  const { keys, counters } = tableRows;
  return {
    [keys.variable]: tables.environment[keys.variable] ?? '',
    [counters.variable]: tables.environment[counters.variable] ?? '',
    [env.dynamodbEndpoint]: '',
    ...Object.fromEntries(
      Object.values(allowanceSettings).map((row) => [row.variable, allowanceSettingText(config, row)]),
    ),
  };
};

const operationEnvironment = (props: HouseProps): Record<string, string> => ({
  ...accessEnvironment(props),
  ...providerEnvironment(props),
  ...props.tables.environment,
  [env.adminTokenHashes]: props.config.adminTokenHashes,
});

/** Every variable is declared, also where it only says the default: `sam local` can override no others. */
const environment = (name: SurfaceName, props: HouseProps): Record<string, string> => {
  const { readsProviders, tables } = surfaces[name];
  const lists = { [env.cursorSecrets]: props.cursorSecrets } satisfies Record<(typeof listVariables)[number], string>;
  return {
    ...doorEnvironment(props),
    // Beside cursors it keeps addresses of callers from being read.
    ...((givesLists(name) || tables !== 'none') && lists),
    ...(name === DEFAULT_SURFACE && discoveryEnvironment(props)),
    ...(readsProviders && upstreamEnvironment(props)),
    ...(tables === 'access' && accessEnvironment(props)),
    ...(tables === 'operation' && operationEnvironment(props)),
  };
};

const eventsOf = (surface: SurfaceName, event: string): Counted => ({
  pattern: FilterPattern.stringValue('$.event', '=', event),
  name: `${surface}-${event}`,
});

export class SurfaceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly integration: HttpLambdaIntegration;

  constructor(scope: Construct, name: SurfaceName, props: HouseProps) {
    super(scope, name);
    const { config, dist, alarmTopic } = props;
    const { impact, memoryMiB, tables } = surfaces[name];

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

    if (tables === 'access') props.tables.grantAccess(this.function);
    if (tables === 'operation') props.tables.grantOperation(this.function);

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
    for (const [event, row] of alarmingEventRows) {
      if (!row.tables.includes(tables)) continue;
      const events = countLines(this, `${event}-count`, logGroup, eventsOf(name, event));
      raise(event, `${name}: ${row.meaning}`, events.metric(sumOver(row)), row);
    }
    countForStack(this, logGroup);
  }
}
