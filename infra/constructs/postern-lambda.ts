// Creates one Lambda of the contract with its role, log group, environment and permissions.
import { Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import { METRICS_NAMESPACE } from '../../shared/contract/metrics.ts';
import { servesLists } from '../../shared/contract/operations.ts';
import { type ProviderName, providerNames, providerRow, providers } from '../../shared/contract/providers.ts';
import { DEFAULT_LAMBDA } from '../../shared/contract/routes.ts';
import { tables as tableRows } from '../../shared/contract/tables.ts';
import { paidRowsSetting } from '../../shared/contract/x-api-costs.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import type { discoveryVariables, httpVariables, listVariables } from '../../shared/settings/lambda-variables.ts';
import { type Config, formatAllowanceSetting } from '../config.ts';
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

/** @param metricNamespace the name of the stack, so that two stacks of an account have metrics of their own */
const httpEnvironment = ({ config, originSecrets }: PosternLambdaProps, metricNamespace: string) =>
  ({
    [env.baseUrl]: config.baseUrl ?? '',
    [env.originSecrets]: originSecrets,
    [env.cacheTtlSeconds]: String(config.cacheTtlSeconds),
    [METRICS_NAMESPACE]: config.metrics === 'none' ? '' : metricNamespace,
  }) satisfies Record<(typeof httpVariables)[number], string>;

const discoveryEnvironment = ({ config }: PosternLambdaProps) =>
  ({ [env.securityContact]: config.securityContact ?? '' }) satisfies Record<
    (typeof discoveryVariables)[number],
    string
  >;

/** The providers without their secrets, which only functions that call providers get. */
const providerEnvironment = ({ config }: PosternLambdaProps): Record<string, string> => ({
  [env.providers]: config.providers.join(','),
  ...Object.fromEntries(providerNames.map((row) => [providers[row].variable, config[providers[row].setting]])),
  [env.canaryPost]: config.canaryPost,
});

/** @returns true if a function that calls providers counts billed rows */
const countsPaidRows = ({ providers: names, xApiDailyRows }: Config): boolean =>
  names.includes('x_api') && xApiDailyRows > 0;

const paidRowsEnvironment = ({ config }: PosternLambdaProps): Record<string, string> => ({
  [paidRowsSetting.variable]: String(config[paidRowsSetting.setting]),
});

/** Names the table, for a function that counts nothing else. */
const counterTableEnvironment = ({ tables }: PosternLambdaProps): Record<string, string> => {
  const { variable } = tableRows.counters;
  return { [variable]: tables.environment[variable] ?? '', [env.dynamodbEndpoint]: '' };
};

const upstreamEnvironment = (props: PosternLambdaProps): Record<string, string> => ({
  ...providerEnvironment(props),
  [env.upstream]: 'live',
  ...Object.fromEntries(providerNames.flatMap((row) => providerSecret(row, props.config))),
  [env.canaryProfile]: props.config.canaryProfile,
  ...paidRowsEnvironment(props),
});

const countingEnvironment = (props: PosternLambdaProps): Record<string, string> => ({
  ...counterTableEnvironment(props),
  ...Object.fromEntries(
    Object.values(allowanceSettings).map((row) => [row.variable, formatAllowanceSetting(props.config, row)]),
  ),
});

const accessEnvironment = (props: PosternLambdaProps): Record<string, string> => {
  const { keys } = tableRows;
  return { [keys.variable]: props.tables.environment[keys.variable] ?? '', ...countingEnvironment(props) };
};

const adminEnvironment = (props: PosternLambdaProps): Record<string, string> => ({
  ...accessEnvironment(props),
  ...providerEnvironment(props),
  ...paidRowsEnvironment(props),
  ...props.tables.environment,
  [env.adminTokenHashes]: props.config.adminTokenHashes,
});

/** Every variable is declared, even with its default value: `sam local` can override only declared variables. */
const environment = (name: LambdaName, props: PosternLambdaProps, metricNamespace: string): Record<string, string> => {
  const { readsProviders, tables } = lambdas[name];
  const lists = { [env.cursorSecrets]: props.cursorSecrets } satisfies Record<(typeof listVariables)[number], string>;
  return {
    ...httpEnvironment(props, metricNamespace),
    // The secret also keys the hash of IP addresses in the counters.
    ...((servesLists(name) || tables !== 'none') && lists),
    ...(name === DEFAULT_LAMBDA && discoveryEnvironment(props)),
    ...(readsProviders && upstreamEnvironment(props)),
    ...(readsProviders && tables === 'none' && countsPaidRows(props.config) && counterTableEnvironment(props)),
    ...(tables === 'count' && countingEnvironment(props)),
    ...(tables === 'read-and-count' && accessEnvironment(props)),
    ...(tables === 'admin' && adminEnvironment(props)),
  };
};

/**
 * Creates a function that may write its own log and use the tables of its row in `lambdas`.
 */
export class PosternLambda extends Construct {
  readonly function: LambdaFunction;
  readonly integration: HttpLambdaIntegration;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, name: LambdaName, props: PosternLambdaProps) {
    super(scope, name);
    const { config } = props;
    const { memoryMiB, readsProviders, tables } = lambdas[name];

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

    if (tables === 'count') props.tables.grantCounting(this.function);
    if (readsProviders && tables === 'none' && countsPaidRows(config)) props.tables.grantCounting(this.function);
    if (tables === 'read-and-count') props.tables.grantAccess(this.function);
    if (tables === 'admin') props.tables.grantAdmin(this.function);

    // One permission per function: a permission per route would exceed the 20 KB limit of a Lambda resource policy.
    this.integration = new HttpLambdaIntegration(name, this.function, { scopePermissionToRoute: false });
  }
}
