// How many of those who come at once are admitted: as many as the limit says, by however many processes.
import type { Dynamo } from '../support/dynamo.ts';
import { startCrowd } from './crowd.ts';

export interface Rush {
  readonly runs: number;
  readonly processes: number;
  /** Of each process, all at once. */
  readonly calls: number;
  readonly limit: number;
}

/** @returns how many were admitted in each run, which has a caller of its own */
export const admittedIn = async (
  dynamo: Dynamo,
  { runs, processes, calls, limit }: Rush,
  seen: (admitted: readonly number[]) => void = () => undefined,
): Promise<readonly number[]> => {
  const crowd = await startCrowd(processes, dynamo, 'counters');
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
