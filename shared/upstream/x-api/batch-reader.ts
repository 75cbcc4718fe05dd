// Reads several posts with one call. The official API returns up to 100 posts per call, so single posts that one caller
// requests in the same turn of the event loop are coalesced: their ids are collected, and a call is sent when the turn
// ends. A caller that requests one post waits no longer than for the end of the turn.
//
// Each post has its own outcome. A failed call is the outcome of all of its posts. Reads of different callers are not
// coalesced, so that one caller's call does not fail because of another.
import type { FailedOutcome } from '../../ports/upstream.ts';
import type { CallBudget } from '../json-client.ts';

/** The maximum of ids in one call. */
const MAX_IDS = 100;

interface PendingRead<T> {
  readonly id: string;
  readonly budget: CallBudget;
  resolve(outcome: T | FailedOutcome): void;
  reject(error: unknown): void;
}

/** Reads distinct ids. @returns the outcome of each id, or the failed outcome of all of them */
export type ReadBatch<T> = (
  ids: readonly string[],
  budget: CallBudget,
) => Promise<((id: string) => T | FailedOutcome) | FailedOutcome>;

/** The budget of a call for several reads. The call ends before the earliest deadline. */
const sharedBudget = (budgets: readonly CallBudget[]): CallBudget => ({
  deadline: Math.min(...budgets.map(({ deadline }) => deadline)),
  retries: Math.min(...budgets.map(({ retries }) => retries)),
  caller: budgets[0]?.caller,
});

const send = async <T>(reads: readonly PendingRead<T>[], readBatch: ReadBatch<T>): Promise<void> => {
  const budget = sharedBudget(reads.map((read) => read.budget));
  const { retries } = budget;
  const result = await readBatch([...new Set(reads.map(({ id }) => id))], budget);
  for (const read of reads) {
    read.budget.retries -= retries - budget.retries;
    if (budget.isStarved) read.budget.isStarved = true;
    read.resolve(typeof result === 'function' ? result(read.id) : result);
  }
};

/** @returns a reader of one post that rejects only if `readBatch` does */
export const createBatchReader = <T>(
  readBatch: ReadBatch<T>,
): ((id: string, budget: CallBudget) => Promise<T | FailedOutcome>) => {
  const pending = new Map<string, PendingRead<T>[]>();

  const flush = (caller: string): void => {
    const byId = [...Map.groupBy(pending.get(caller) ?? [], ({ id }) => id).values()];
    pending.delete(caller);
    for (let start = 0; start < byId.length; start += MAX_IDS) {
      const reads = byId.slice(start, start + MAX_IDS).flat();
      send(reads, readBatch).catch((error: unknown) => {
        for (const { reject } of reads) reject(error);
      });
    }
  };

  return (id, budget) =>
    new Promise((resolve, reject) => {
      const read = { id, budget, resolve, reject };
      const { caller } = budget;
      if (caller === undefined) {
        send([read], readBatch).catch(reject);
        return;
      }
      const waiting = pending.get(caller);
      if (waiting === undefined) {
        pending.set(caller, [read]);
        setImmediate(flush, caller);
      } else waiting.push(read);
    });
};
