// How many of those who come at once are admitted: as many as the limit says, by however many processes.
import type { TestDynamoDb } from '../support/dynamodb.ts';
import { startWorkerPool } from './worker-pool.ts';

export interface LoadOptions {
  readonly runs: number;
  readonly processes: number;
  /** Of each process, all at once. */
  readonly calls: number;
  readonly limit: number;
}

/** @returns how many were admitted in each run, which has a caller of its own */
export const countAdmissions = async (
  dynamo: TestDynamoDb,
  { runs, processes, calls, limit }: LoadOptions,
  seen: (admitted: readonly number[]) => void = () => undefined,
): Promise<readonly number[]> => {
  const crowd = await startWorkerPool(processes, dynamo, 'counters');
  const admitted: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const findings = await crowd.ask({ kind: 'charge', partition: `search#a:${run}`, calls, limit });
      admitted.push(findings.reduce<number>((sum, finding) => sum + Number(finding), 0));
      seen(admitted);
    }
  } finally {
    await crowd.close();
  }
  return admitted;
};
