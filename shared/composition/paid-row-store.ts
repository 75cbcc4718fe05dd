// Builds the store of billed rows. It is loaded when the first row is counted, and is a file of its own beside the bundle of
// a function: without the official API no function needs it, and those that read posts have no other use for the AWS SDK.
import type { PaidRowStore } from '../ports/stores.ts';
import { createDynamoDbClient } from '../stores/dynamodb-client.ts';
import { createDynamoDbPaidRowStore } from '../stores/dynamodb-paid-row-store.ts';
import { dynamoDbOptions, tableName } from './access-control.ts';
import type { Environment } from './environment.ts';

/** @throws Error if a setting is invalid or missing */
export const paidRowStoreFromEnvironment = (environment: Environment): PaidRowStore =>
  createDynamoDbPaidRowStore(createDynamoDbClient(dynamoDbOptions(environment)), tableName(environment, 'counters'));
