// Runs a command that reads through a service or without one: its ports, its signals and its exit codes.
import { setTimeout as delay } from 'node:timers/promises';
import { fail, runToExit } from '../../infra/command/output.ts';
import type { Patience } from './request.ts';
import { openService, type Service } from './service.ts';

export interface CommandPorts extends Pick<Patience, 'sleep' | 'signal'> {
  openService(): Promise<Service>;
  /** Standard error. */
  readonly report: (text: string) => void;
  readonly isTerminal: boolean;
  /** The folder of relative file names. */
  readonly folder: string;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The exit codes of a command that a signal ended: 128 and the number of the signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** @param run returns a message if the command fails; it throws the reason of the signal if it aborts */
export const runCommand = async (run: (ports: CommandPorts) => Promise<string | undefined>): Promise<void> => {
  const aborter = new AbortController();
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => aborter.abort(code));
  const ports: CommandPorts = {
    openService: () => openService(process.env),
    report: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    // npm runs commands in the folder of the project.
    folder: process.env['INIT_CWD'] ?? '',
    now: () => performance.now(),
    signal: aborter.signal,
    sleep: (seconds, signal) => delay(seconds * 1000, undefined, signal && { signal }),
  };
  await runToExit(async () => {
    try {
      const message = await run(ports);
      if (message !== undefined) fail(message);
    } catch (error) {
      // A function in this process may still wait for a provider.
      if (aborter.signal.aborted) process.exit(Number(aborter.signal.reason));
      throw error;
    }
  });
};
