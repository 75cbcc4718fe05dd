// Starts processes that use one store at the same time, to test that counting is exact across instances, and how soon a
// change by the operator reaches all of them.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestDynamoDb } from '../support/dynamodb.ts';

/** The store of a process. */
export interface WorkerStore {
  readonly endpoint: string;
  readonly table: string;
}

/** The task of a process. */
export type WorkerTask =
  | { readonly kind: 'charge'; readonly partition: string; readonly calls: number; readonly limit: number }
  | { readonly kind: 'check'; readonly hash: string };

/** The number of admitted charges, or the verification of the key. */
export type TaskResult = number | string;

export interface WorkerPool {
  readonly size: number;
  /** Sends the same task to all processes at once. */
  ask(task: WorkerTask): Promise<readonly TaskResult[]>;
  close(): Promise<void>;
}

const start = async (place: WorkerStore): Promise<ChildProcess> => {
  const child = fork(new URL('worker.ts', import.meta.url), [JSON.stringify(place)]);
  await once(child, 'message');
  return child;
};

const answer = async (child: ChildProcess, task: WorkerTask): Promise<TaskResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
  const gone = (): void => reject(new Error('a process has ended'));
  child.once('exit', gone);
  child.once('message', (finding) => resolve(typeof finding === 'number' ? finding : String(finding)));
  child.send(task);
  try {
    return await promise;
  } finally {
    child.off('exit', gone);
  }
};

/** @param table that the processes use */
export const startWorkerPool = async (
  size: number,
  { endpoint, tables }: TestDynamoDb,
  table: 'keys' | 'counters',
): Promise<WorkerPool> => {
  const place = { endpoint, table: tables[table] };
  const children = await Promise.all(Array.from({ length: size }, () => start(place)));
  return {
    size,
    ask: (task) => Promise.all(children.map((child) => answer(child, task))),
    async close() {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const ended = running.map((child) => once(child, 'exit'));
      for (const child of running) if (child.connected) child.disconnect();
      await Promise.all(ended);
    },
  };
};
