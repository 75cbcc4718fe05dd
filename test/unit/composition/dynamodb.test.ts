// Proves which settings the DynamoDB client takes from the environment.
import { describe, expect, test } from 'vitest';
import { dynamoDbOptions, tableName } from '../../../shared/composition/access-control.ts';
import { tableNames, tableRow } from '../../../shared/contract/tables.ts';

const ROLE = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };
const CREDENTIALS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' };

describe('dynamoDbOptions', () => {
  test('returns the region and the credentials of the role', () => {
    expect(dynamoDbOptions({ ...ROLE, AWS_SESSION_TOKEN: 'token' })).toEqual({
      region: 'eu-west-1',
      endpoint: undefined,
      credentials: { ...CREDENTIALS, sessionToken: 'token' },
    });
  });

  test.each(Object.keys(ROLE))('throws an error with the name when %s is unset or empty', (name) => {
    expect(() => dynamoDbOptions({ ...ROLE, [name]: undefined })).toThrow(`${name} must be set`);
    expect(() => dynamoDbOptions({ ...ROLE, [name]: '' })).toThrow(`${name} must be set`);
  });
});

test.each(tableNames)('tableName() reads the name of the table %s from its variable', (name) => {
  const { variable } = tableRow(name);
  expect(tableName({ [variable]: 'service-table' }, name)).toBe('service-table');
  expect(() => tableName({}, name)).toThrow(`${variable} must be set`);
});

test('dynamoDbOptions() accepts another endpoint, which must be an HTTP URL', () => {
  const { endpoint } = dynamoDbOptions({ ...ROLE, DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' });
  expect(endpoint).toBe('http://127.0.0.1:8000');
  expect(() => dynamoDbOptions({ ...ROLE, DYNAMODB_ENDPOINT: 'a table' })).toThrow('DYNAMODB_ENDPOINT');
});
