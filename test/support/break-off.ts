// Runs `npm run export` and `npm run save` in processes of its own, kills them at random moments, and resumes their file until it is complete.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listen, stop } from '../../infra/local/listen.ts';
import { programEnvironment } from './program-environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandRun {
  /** @default the program of the export */
  readonly program?: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Options of Node, such as a bound of its memory. */
  readonly nodeOptions?: readonly string[];
  /** Receives standard output. @default it is dropped */
  readonly outputFile?: string;
  /** Kills the process when it aborts. */
  readonly kill?: AbortSignal;
}

/** @returns the exit code, undefined if a signal ended the process, and standard error */
export const runCommandProcess = async ({
  program = 'client/commands/export.ts',
  args,
  environment,
  nodeOptions = [],
  outputFile,
  kill,
}: CommandRun): Promise<{ readonly code: number | undefined; readonly errors: string }> => {
  const output = outputFile === undefined ? undefined : openSync(outputFile, 'w');
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    cwd: root,
    env: programEnvironment(environment),
    stdio: ['ignore', output ?? 'ignore', 'pipe'],
  });
  if (output !== undefined) closeSync(output);
  kill?.addEventListener('abort', () => void child.kill('SIGKILL'), { once: true });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  child.once('exit', (code) => resolve(code ?? undefined));
  const [code, errors] = await Promise.all([promise, child.stderr === null ? '' : text(child.stderr)]);
  return { code, errors };
};

/** Counts requests and aborts a signal some milliseconds after one of them. */
export const createKillSwitch = (random: () => number) => {
  let left = Number.POSITIVE_INFINITY;
  let aborter = new AbortController();
  return {
    onRequest(): void {
      left -= 1;
      if (left === 0) setTimeout(() => aborter.abort(), random() * 10);
    },
    /** @param requests after which the process is killed */
    arm(requests: number): AbortSignal {
      left = requests;
      aborter = new AbortController();
      return aborter.signal;
    },
    disarm(): void {
      left = Number.POSITIVE_INFINITY;
    },
  };
};

export interface BreakOffOptions extends Omit<CommandRun, 'kill' | 'outputFile'> {
  readonly file: string;
  /** The number of kills. An export that is complete earlier is resumed nevertheless. */
  readonly times: number;
  readonly killSwitch: ReturnType<typeof createKillSwitch>;
  readonly random: () => number;
  /** The greatest number of requests before a kill. */
  readonly maxRequests: number;
}

/** @returns how often the export was killed before it was complete, and standard error of the last run */
export const breakOff = async (
  options: BreakOffOptions,
): Promise<{ readonly kills: number; readonly errors: string }> => {
  const { file, times, killSwitch, random, maxRequests, ...run } = options;
  let kills = 0;
  for (let time = 0; time < times; time += 1) {
    const kill = killSwitch.arm(1 + Math.floor(random() * maxRequests));
    // The first run is a redirection of the shell.
    const { code } = await runCommandProcess(
      time === 0 ? { ...run, outputFile: file, kill } : { ...run, args: [...run.args, '--resume', file], kill },
    );
    if (code === undefined) kills += 1;
  }
  killSwitch.disarm();
  const { code, errors } = await runCommandProcess({ ...run, args: [...run.args, '--resume', file] });
  if (code !== 0) throw new Error(`the last run ended with ${code}:\n${errors}`);
  return { kills, errors };
};

const unavailable = JSON.stringify({
  title: 'The upstream does not answer',
  status: 503,
  code: 'upstream_unavailable',
});

/** Stands before a service. Some requests are answered with 503, and some answers are cut off. */
export const startUnreliableProxy = async (service: string, random: () => number, onRequest: () => void) => {
  const faults = { busy: 0, cut: 0, limited: 0 };
  const server = createServer(async (incoming, response) => {
    onRequest();
    const luck = random();
    if (luck < 0.05) {
      faults.busy += 1;
      response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' }).end(unavailable);
      return;
    }
    const answer = await fetch(`${service}${incoming.url}`);
    if (answer.status === 429) faults.limited += 1;
    const body = Buffer.from(await answer.arrayBuffer());
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'content-length': body.length,
      ...(retryAfter !== null && { 'retry-after': retryAfter }),
    });
    if (luck > 0.08) return void response.end(body);
    faults.cut += 1;
    response.write(body.subarray(0, body.length / 2), () => incoming.socket.resetAndDestroy());
  });
  const origin = await listen(server, '127.0.0.1', 0);
  return { origin, faults, close: () => stop(server) };
};
