// Starts programs of tests as processes of their own, and exchanges one message at a time with each.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Process<Ready, Message, Answer> {
  readonly ready: Ready;
  ask(message: Message): Promise<Answer>;
  close(): Promise<void>;
}

const nextMessage = async (child: ChildProcess): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const fail = (code: number | null): void => reject(new Error(`a process ended with ${code}`));
  child.once('exit', fail);
  child.once('message', resolve);
  try {
    return await promise;
  } finally {
    child.off('exit', fail);
    child.off('message', resolve);
  }
};

/** @param settings the only argument of the process, as JSON */
export const startProcess = async <Ready, Message extends object | string, Answer>(
  file: URL,
  settings: object,
  execArgv: readonly string[] = [],
): Promise<Process<Ready, Message, Answer>> => {
  const child = fork(file, [JSON.stringify(settings)], { execArgv: [...execArgv] });
  const ready: unknown = await nextMessage(child);
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (message: Message): Promise<unknown> => {
    const answer = nextMessage(child);
    child.send(message);
    return answer;
  };
  return {
    ready: JSON.parse(String(ready)),
    async ask(message) {
      const answer = last.then(() => ask(message));
      last = answer.catch(() => undefined);
      return JSON.parse(String(await answer));
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};

/** For the process itself: sends what it offers, then answers each message. The end of the parent ends the process. */
export const answerMessages = (
  ready: object,
  answer: (message: unknown) => Promise<object | string | number>,
): void => {
  process.on('message', async (message) => process.send?.(JSON.stringify(await answer(message))));
  process.on('disconnect', () => process.exit());
  process.send?.(JSON.stringify(ready));
};
