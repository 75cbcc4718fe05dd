// Counts how many concurrent charges of several processes are admitted: exactly the limit is correct.
import type { TestDynamoDb } from '../support/dynamodb.ts';
import { startWorkerPool } from './worker-pool.ts';

export interface LoadOptions {
  readonly runs: number;
  readonly processes: number;
  /** Concurrent charges of each process. */
  readonly calls: number;
  readonly limit: number;
}

/** @returns the admitted charges of each run; each run has a partition of its own */
export const countAdmissions = async (
  dynamo: TestDynamoDb,
  { runs, processes, calls, limit }: LoadOptions,
  seen: (admitted: readonly number[]) => void = () => undefined,
): Promise<readonly number[]> => {
  const workers = await startWorkerPool(processes, dynamo, 'counters');
  const admitted: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const findings = await workers.ask({ kind: 'charge', partition: `search#a:${run}`, calls, limit });
      admitted.push(findings.reduce<number>((sum, finding) => sum + Number(finding), 0));
      seen(admitted);
    }
  } finally {
    await workers.close();
  }
  return admitted;
};
