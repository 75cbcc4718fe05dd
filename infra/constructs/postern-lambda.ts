// Creates one Lambda of the contract with its role, log group, environment and permissions.
import { Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { allowanceSettings, formatAllowance } from '../../shared/contract/allowances.ts';
import { hasWithheldList, LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import { METRICS_NAMESPACE } from '../../shared/contract/metrics.ts';
import { servesLists } from '../../shared/contract/operations.ts';
import {
  type ProviderName,
  paidRowsSetting,
  providerNames,
  providerRow,
  providers,
} from '../../shared/contract/providers.ts';
import { DEFAULT_LAMBDA } from '../../shared/contract/routes.ts';
import { type TableName, tables as tableRows } from '../../shared/contract/tables.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { WITHHELD_LIST } from '../build/dist-layout.ts';
import type { Config } from '../config/settings.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { type FunctionSource, functionBasics } from './function-basics.ts';
import type { Tables } from './tables.ts';

export interface PosternLambdaProps extends FunctionSource {
  readonly originSecrets: string;
  readonly cursorSecrets: string;
  readonly tables: Tables;
}

/**
 * CloudFormation resolves the secret: the template contains its name, not its value. It resolves it again only if the
 * function changes, so the version is a variable beside it.
 */
const providerSecret = (name: ProviderName, config: Config): readonly (readonly [string, string])[] => {
  const { secret } = providerRow(name);
  if (secret === undefined) return [];
  const secretName = config.providers.includes(name) ? config[secret.setting] : undefined;
  if (secretName === undefined) return [[secret.variable, '']];
  return [
    [secret.variable, SecretValue.secretsManager(secretName).unsafeUnwrap()],
    [`${secret.variable}_VERSION`, String(config[secret.versionSetting])],
  ];
};

/** The providers without their secrets, which only functions that call providers get. */
const providerEnvironment = (config: Config): Record<string, string> => ({
  [env.providers]: config.providers.join(','),
  ...Object.fromEntries(providerNames.map((row) => [providers[row].variable, config[providers[row].setting]])),
  [env.canaryPost]: config.canaryPost,
  [paidRowsSetting.variable]: String(config[paidRowsSetting.setting]),
});

const upstreamEnvironment = (config: Config): Record<string, string> => ({
  ...providerEnvironment(config),
  [env.upstream]: 'live',
  ...Object.fromEntries(providerNames.flatMap((row) => providerSecret(row, config))),
  [env.canaryProfile]: config.canaryProfile,
  [env.freshnessProfile]: config.freshnessProfile,
});

const allowanceEnvironment = (config: Config): Record<string, string> =>
  Object.fromEntries(
    Object.values(allowanceSettings).map(({ variable, setting }) => {
      const allowance = config[setting];
      return [variable, allowance === undefined ? '' : formatAllowance(allowance)];
    }),
  );

/** A function that calls providers and counts nothing else counts the rows that X bills. */
const countsOnlyPaidRows = (name: LambdaName, { providers: names, xApiDailyRows }: Config): boolean =>
  lambdas[name].readsProviders && lambdas[name].tables === 'none' && names.includes('x_api') && xApiDailyRows > 0;

/**
 * Every variable is declared, even with its default value: `sam local` can override only declared variables.
 *
 * @param metricNamespace the name of the stack, so that two stacks of an account have metrics of their own
 */
const environment = (name: LambdaName, props: PosternLambdaProps, metricNamespace: string): Record<string, string> => {
  const { config, originSecrets, cursorSecrets, tables: created } = props;
  const { readsProviders, tables } = lambdas[name];
  const table = (row: TableName) => ({ [tableRows[row].variable]: created.names[row] });
  return {
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
    [env.indexing]: config.indexing,
    [env.pictures]: config.pictures,
    [env.translation]: config.translation,
    [METRICS_NAMESPACE]: config.metrics === 'none' ? '' : metricNamespace,
    // The secret also keys the hash of IP addresses in the counters, and signs the paths of pictures in pages.
    ...((servesLists(name) || tables !== 'none' || config.pictures === 'proxied') && {
      [env.cursorSecrets]: cursorSecrets,
    }),
    ...(name === DEFAULT_LAMBDA && {
      [env.securityContact]: config.securityContact ?? '',
      [env.abuseContact]: config.abuseContact ?? '',
      [env.operatorName]: config.operatorName ?? '',
      [env.logRetentionDays]: String(config.logRetentionDays),
    }),
    ...(readsProviders && upstreamEnvironment(config)),
    ...(hasWithheldList(name) && { [env.withheldFile]: WITHHELD_LIST }),
    ...((tables !== 'none' || countsOnlyPaidRows(name, config)) && {
      ...table('counters'),
      [env.dynamodbEndpoint]: '',
    }),
    ...(tables !== 'none' && allowanceEnvironment(config)),
    ...((tables === 'read-and-count' || tables === 'admin') && table('keys')),
    ...(tables === 'admin' && {
      ...providerEnvironment(config),
      ...table('admin'),
      [env.adminTokenHashes]: config.adminTokenHashes,
    }),
  };
};

/** Creates a function that may write its own log and use the tables of its row in `lambdas`. */
export class PosternLambda extends Construct {
  readonly function: LambdaFunction;
  readonly integration: HttpLambdaIntegration;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, name: LambdaName, props: PosternLambdaProps) {
    super(scope, name);
    const { config } = props;
    const { memoryMiB, tables } = lambdas[name];

    const basics = functionBasics(this, name, props);
    this.logGroup = basics.logGroup;
    this.function = new LambdaFunction(this, 'Function', {
      ...basics,
      description: `Postern: ${name}`,
      memorySize: memoryMiB,
      timeout: Duration.seconds(LAMBDA_TIMEOUT_SECONDS),
      environment: environment(name, props, Stack.of(this).stackName),
    });
    acknowledgeRules(this.function, {
      'Serverless-LambdaDLQ': 'Every caller waits for the answer, so no event can be left over.',
      'Serverless-LambdaTracing': 'The log has the duration of each request and of each provider call.',
    });
    // `sam local invoke` and event files use these logical ids, such as PostsFunction.
    const resource = this.function.node.defaultChild;
    if (!CfnFunction.isCfnFunction(resource)) throw new Error(`${name} has no function`);
    resource.overrideLogicalId(`${name.charAt(0).toUpperCase()}${name.slice(1)}Function`);

    if (tables === 'count' || countsOnlyPaidRows(name, config)) props.tables.grantCounting(this.function);
    if (tables === 'read-and-count') props.tables.grantAccess(this.function);
    if (tables === 'admin') props.tables.grantAdmin(this.function);

    // One permission per function: a permission per route would exceed the 20 KB limit of a Lambda resource policy.
    this.integration = new HttpLambdaIntegration(name, this.function, { scopePermissionToRoute: false });
  }
}
