// Reads the settings of the DynamoDB client from the environment.
import { type TableName, tables } from '../contract/tables.ts';
import { httpUrl } from '../settings/base-parsers.ts';
import { env } from '../settings/environment-variables.ts';
import type { DynamoDbOptions } from '../stores/dynamodb-client.ts';
import { type Environment, parseVariable, readVariable } from './environment.ts';

const requireVariable = (environment: Environment, name: string): string => {
  const value = readVariable(environment, name);
  if (value === undefined) throw new Error(`${name} must be set`);
  return value;
};

export const tableName = (environment: Environment, name: TableName): string =>
  requireVariable(environment, tables[name].variable);

/** Lambda sets the region and the credentials of the role in the environment. Other sources are not read. */
export const dynamoDbOptions = (environment: Environment): DynamoDbOptions => {
  const sessionToken = readVariable(environment, 'AWS_SESSION_TOKEN');
  return {
    region: requireVariable(environment, 'AWS_REGION'),
    endpoint: parseVariable(environment, env.dynamodbEndpoint, httpUrl),
    credentials: {
      accessKeyId: requireVariable(environment, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: requireVariable(environment, 'AWS_SECRET_ACCESS_KEY'),
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
};
