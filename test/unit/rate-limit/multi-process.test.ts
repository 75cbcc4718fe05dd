// Runs the short form of `npm run measure -- exact` and `npm run measure -- revocation`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dynamoDbVariants, type TestDynamoDb } from '../../support/dynamodb.ts';
import { countAdmissions, countStaleResults } from '../../support/worker-tasks.ts';

describe.each(dynamoDbVariants)('processes that share %s', (_, open) => {
  let dynamo: TestDynamoDb;
  beforeAll(async () => {
    dynamo = await open();
  });
  afterAll(() => dynamo.close());

  test('[limiter 1] admit exactly the limit in every run', async () => {
    const admitted = await countAdmissions(dynamo, { runs: 3, processes: 4, calls: 60, limit: 60 });
    expect(admitted).toEqual([60, 60, 60]);
  });

  test('[keys 7] [keys 17] verify a disabled or enabled key correctly on the next request', async () => {
    expect(await countStaleResults(dynamo, 50, 2)).toEqual({ served: 0, refused: 0 });
  });
});
