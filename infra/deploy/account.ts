// Reads what a deployment must know of the account. Like the CDK, it uses the lookup role of the bootstrap stack, and
// without it the credentials of the operator. The stack policy is all that it changes, with the credentials of the operator.
import {
  CloudFormationClient,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { parseTemplateText, type Template } from './template.ts';

export interface TableDescription {
  readonly name: string;
  /** Names of the attributes: partition key, and sort key if there is one. */
  readonly keys: readonly string[];
  /** DynamoDB counts every six hours. */
  readonly items: number;
}

/** @throws the errors of the AWS SDK; `accountProblem` puts them into words */
export interface Account {
  readonly id: string;
  /** @returns undefined if there is no such stack */
  readonly stack: (name: string) => Promise<{ readonly status: string; readonly template: Template } | undefined>;
  readonly setStackPolicy: (name: string, policy: string) => Promise<void>;
  readonly outputs: (name: string) => Promise<ReadonlyMap<string, string>>;
  /** @returns the id of a resource in its own service, such as of the distribution */
  readonly resourceId: (stackName: string, logicalId: string) => Promise<string>;
  /** @returns undefined if the region is not bootstrapped */
  readonly bootstrapVersion: () => Promise<number | undefined>;
  /** @returns the concurrent executions of Lambda that the account may have */
  readonly concurrency: () => Promise<number>;
  /** @returns undefined if there is no such table */
  readonly table: (name: string) => Promise<TableDescription | undefined>;
  readonly tableNames: (prefix: string) => Promise<readonly string[]>;
}

const QUALIFIER = 'hnb659fds';

const namesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  return 'code' in error && typeof error.code === 'string' ? [error.name, error.code] : [error.name];
};

export const isErrorNamed = (error: unknown, name: string): boolean => namesOf(error).includes(name);

const REASONS: readonly (readonly [names: RegExp, text: string])[] = [
  [
    /^(?:CredentialsProviderError|UnrecognizedClientException|InvalidClientTokenId|AuthFailure|.*Expired.*)$/,
    'there are no valid AWS credentials: sign in (for example with `aws configure` or `aws sso login`), or name a profile with --profile',
  ],
  [
    /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation)$/,
    'the AWS credentials lack a permission: use credentials that may read CloudFormation, or assume the roles of the bootstrap stack',
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|TimeoutError|NetworkingError)$/,
    'AWS cannot be reached: check the network, the proxy and the region',
  ],
];

/** @returns one sentence, or undefined if the error is not about the account */
export const accountProblem = (error: unknown): string | undefined => {
  const [, text] = REASONS.find(([pattern]) => namesOf(error).some((name) => pattern.test(name))) ?? [];
  // The SDK describes every answer of AWS in `$metadata`.
  if (!(error instanceof Error) || (text === undefined && !('$metadata' in error))) return undefined;
  return `The account cannot be read, because ${text ?? 'AWS answered with an error'}. (${error.message.split('\n')[0]})`;
};

const orUndefined = <T>(call: Promise<T>, name: string): Promise<T | undefined> =>
  call.catch((error) => {
    if (isErrorNamed(error, name)) return undefined;
    throw error;
  });

export const openAccount = async (region: string, profile: string | undefined): Promise<Account> => {
  const own = { region, maxAttempts: 3, ...(profile !== undefined && { profile }) };
  const sts = new STSClient(own);
  const { Account: id = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  const RoleArn = `arn:${Arn.split(':')[1]}:iam::${id}:role/cdk-${QUALIFIER}-lookup-role-${id}-${region}`;
  const { Credentials: role } = await sts
    .send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'postern-deploy' }))
    // The region may not be bootstrapped yet, or the operator has other permissions.
    .catch(() => ({ Credentials: undefined }));
  const options =
    role?.AccessKeyId === undefined || role.SecretAccessKey === undefined
      ? own
      : {
          region,
          maxAttempts: 3,
          credentials: {
            accessKeyId: role.AccessKeyId,
            secretAccessKey: role.SecretAccessKey,
            ...(role.SessionToken !== undefined && { sessionToken: role.SessionToken }),
          },
        };
  const cloudFormation = new CloudFormationClient(options);
  const dynamo = new DynamoDBClient(options);
  // A missing stack is a ValidationError, which other mistakes share.
  const describe = async (StackName: string) =>
    (await orUndefined(cloudFormation.send(new DescribeStacksCommand({ StackName })), 'ValidationError'))?.Stacks?.[0];

  return {
    id,
    stack: async (StackName) => {
      const { StackStatus: status } = (await describe(StackName)) ?? {};
      if (status === undefined || status === 'REVIEW_IN_PROGRESS' || status === 'DELETE_COMPLETE') return undefined;
      const { TemplateBody = '{}' } = await cloudFormation.send(
        new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
      );
      return { status, template: parseTemplateText(TemplateBody) };
    },
    setStackPolicy: async (StackName, StackPolicyBody) => {
      await new CloudFormationClient(own).send(new SetStackPolicyCommand({ StackName, StackPolicyBody }));
    },
    outputs: async (name) => {
      const { Outputs = [] } = (await describe(name)) ?? {};
      return new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
    },
    resourceId: async (StackName, LogicalResourceId) => {
      const read = new DescribeStackResourceCommand({ StackName, LogicalResourceId });
      return (await cloudFormation.send(read)).StackResourceDetail?.PhysicalResourceId ?? '';
    },
    bootstrapVersion: async () => {
      const read = new GetParameterCommand({ Name: `/cdk-bootstrap/${QUALIFIER}/version` });
      const found = await orUndefined(new SSMClient(options).send(read), 'ParameterNotFound');
      return found === undefined ? undefined : Number(found.Parameter?.Value);
    },
    concurrency: async () => {
      const { AccountLimit } = await new LambdaClient(options).send(new GetAccountSettingsCommand({}));
      return AccountLimit?.ConcurrentExecutions ?? Number.NaN;
    },
    table: async (name) => {
      const read = dynamo.send(new DescribeTableCommand({ TableName: name }));
      const { Table } = (await orUndefined(read, 'ResourceNotFoundException')) ?? {};
      if (Table === undefined) return undefined;
      const { KeySchema = [], ItemCount = 0 } = Table;
      return { name, keys: KeySchema.map(({ AttributeName = '' }) => AttributeName), items: ItemCount };
    },
    tableNames: async (prefix) => {
      const names: string[] = [];
      for await (const { TableNames = [] } of paginateListTables({ client: dynamo }, {})) names.push(...TableNames);
      return names.filter((name) => name.startsWith(prefix));
    },
  };
};
