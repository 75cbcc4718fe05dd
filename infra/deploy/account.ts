// Reads what a deployment must know of the account. Like the CDK, it uses the lookup role of the bootstrap stack, and
// without it the credentials of the operator. The stack policy is all that it changes, with the credentials of the operator.
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { isErrorNamed } from './account-errors.ts';
import { parseTemplateText, type Template } from './template.ts';

export interface DeployedStack {
  readonly status: string;
  readonly template: Template;
}

export interface TableDescription {
  readonly name: string;
  /** Names of the attributes: partition key, and sort key if there is one. */
  readonly keys: readonly string[];
  /** DynamoDB counts every six hours. */
  readonly items: number;
}

export interface Concurrency {
  readonly limit: number;
}

export interface Account {
  readonly id: string;
  /** @returns undefined if there is no such stack */
  readonly stack: (name: string) => Promise<DeployedStack | undefined>;
  readonly setStackPolicy: (name: string, policy: string) => Promise<void>;
  readonly outputs: (name: string) => Promise<ReadonlyMap<string, string>>;
  /** @returns undefined if the region is not bootstrapped */
  readonly bootstrapVersion: () => Promise<number | undefined>;
  readonly concurrency: () => Promise<Concurrency>;
  /** @returns undefined if there is no such table */
  readonly table: (name: string) => Promise<TableDescription | undefined>;
  readonly tableNames: (prefix: string) => Promise<readonly string[]>;
}

export interface AccountOptions {
  readonly region: string;
  readonly profile: string | undefined;
}

const QUALIFIER = 'hnb659fds';

const orUndefined = async <T>(call: Promise<T>, ...errors: readonly string[]): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (errors.some((name) => isErrorNamed(error, name))) return undefined;
    throw error;
  }
};

/** The temporary credentials of the role with which the CDK looks up; undefined: the operator may not use it. */
const assumeLookupRole = async (sts: STSClient, account: string, partition: string, region: string) => {
  const RoleArn = `arn:${partition}:iam::${account}:role/cdk-${QUALIFIER}-lookup-role-${account}-${region}`;
  try {
    const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'postern-deploy' }));
    const {
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      SessionToken: sessionToken,
    } = Credentials ?? {};
    return accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  } catch {
    // The region may not be bootstrapped yet, or the operator has other permissions.
    return undefined;
  }
};

/** @throws the errors of the AWS SDK; `accountProblem` puts them into words */
export const openAccount = async ({ region, profile }: AccountOptions): Promise<Account> => {
  const own = { region, maxAttempts: 3, ...(profile !== undefined && { profile }) };
  const sts = new STSClient(own);
  const { Account: id = '', Arn = '' } = await sts.send(new GetCallerIdentityCommand({}));
  const credentials = await assumeLookupRole(sts, id, Arn.split(':')[1] ?? 'aws', region);
  const options = credentials === undefined ? own : { region, maxAttempts: 3, credentials };
  const cloudFormation = new CloudFormationClient(options);
  const dynamo = new DynamoDBClient(options);

  const describe = async (StackName: string) => {
    // A missing stack is a ValidationError, which other mistakes share.
    const found = await orUndefined(cloudFormation.send(new DescribeStacksCommand({ StackName })), 'ValidationError');
    return found?.Stacks?.[0];
  };

  return {
    id,
    stack: async (name) => {
      const { StackStatus: status } = (await describe(name)) ?? {};
      if (status === undefined || status === 'REVIEW_IN_PROGRESS' || status === 'DELETE_COMPLETE') return undefined;
      const { TemplateBody = '{}' } = await cloudFormation.send(
        new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }),
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
    bootstrapVersion: async () => {
      const Name = `/cdk-bootstrap/${QUALIFIER}/version`;
      const found = await orUndefined(
        new SSMClient(options).send(new GetParameterCommand({ Name })),
        'ParameterNotFound',
      );
      return found === undefined ? undefined : Number(found.Parameter?.Value);
    },
    concurrency: async () => {
      const { AccountLimit } = await new LambdaClient(options).send(new GetAccountSettingsCommand({}));
      return { limit: AccountLimit?.ConcurrentExecutions ?? Number.NaN };
    },
    table: async (name) => {
      const found = await orUndefined(
        dynamo.send(new DescribeTableCommand({ TableName: name })),
        'ResourceNotFoundException',
      );
      if (found?.Table === undefined) return undefined;
      const { KeySchema = [], ItemCount = 0 } = found.Table;
      return { name, keys: KeySchema.map(({ AttributeName = '' }) => AttributeName), items: ItemCount };
    },
    tableNames: async (prefix) => {
      const names: string[] = [];
      for await (const { TableNames = [] } of paginateListTables({ client: dynamo }, {})) names.push(...TableNames);
      return names.filter((name) => name.startsWith(prefix));
    },
  };
};
