// Processes that ask one store at the same time: how exact counting is across instances, and how soon what the operator
// did is known to all.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Dynamo } from '../support/dynamo.ts';

/** What a process is told about its store. */
export interface Place {
  readonly endpoint: string;
  readonly table: string;
}

/** What it is asked. */
export type Task =
  | { readonly kind: 'charge'; readonly partition: string; readonly calls: number; readonly limit: number }
  | { readonly kind: 'check'; readonly hash: string };

/** How many were admitted, or what became of the key. */
export type Finding = number | string;

export interface Crowd {
  readonly size: number;
  /** The same task for all of them, at once. */
  ask(task: Task): Promise<readonly Finding[]>;
  close(): Promise<void>;
}

const start = async (place: Place): Promise<ChildProcess> => {
  const child = fork(new URL('worker.ts', import.meta.url), [JSON.stringify(place)]);
  await once(child, 'message');
  return child;
};

const answer = async (child: ChildProcess, task: Task): Promise<Finding> => {
  const { promise, resolve, reject } = Promise.withResolvers<Finding>();
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

/** @param table whose it is to ask */
export const startCrowd = async (
  size: number,
  { endpoint, tables }: Dynamo,
  table: 'keys' | 'counters',
): Promise<Crowd> => {
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
