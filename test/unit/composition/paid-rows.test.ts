import { expect, onTestFinished, test } from 'vitest';
import { httpFromEnvironment } from '../../../shared/composition/environment.ts';
import { paidRowsFromEnvironment } from '../../../shared/composition/paid-rows.ts';
import { NEVER } from '../../../shared/model/time.ts';
import { startDynalite } from '../../support/dynamodb.ts';

const rowsOf = (settings: Readonly<Record<string, string>>) => {
  const environment = { PROVIDERS: 'x_api', X_API_DAILY_ROWS: '10', ...settings };
  return paidRowsFromEnvironment(
    environment,
    httpFromEnvironment(environment, () => undefined),
  );
};

const reserves = async (rows: ReturnType<typeof rowsOf>): Promise<boolean> =>
  (await rows?.reserve(6, NEVER)) !== undefined;

test('instances share the ceiling of billed rows with a table, and have one each without', async () => {
  const dynamo = await startDynalite();
  onTestFinished(dynamo.close);
  const table = {
    COUNTERS_TABLE: dynamo.tables.counters,
    DYNAMODB_ENDPOINT: dynamo.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  expect([await reserves(rowsOf(table)), await reserves(rowsOf(table))]).toEqual([true, false]);
  expect([await reserves(rowsOf({})), await reserves(rowsOf({}))]).toEqual([true, true]);
  expect(rowsOf({ X_API_DAILY_ROWS: '0' })).toBeUndefined();
});
