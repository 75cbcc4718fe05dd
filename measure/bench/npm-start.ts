// Measures `npm start` as a contributor feels it: the time from the command to the first answer about a post.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.ts';
import { send } from '../../test/support/send.ts';
import { median, type Row } from './measure.ts';

const ROUNDS = 5;
const BAR_SECONDS = 0.5;
const POLL_MILLISECONDS = 5;
const POST = '/jack/status/20';

/** @returns seconds */
const firstAnswer = async (): Promise<number> => {
  const port = await freePort();
  const began = performance.now();
  const service = spawn('npm', ['start', '--silent'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: 'memory', UPSTREAM: 'sample' },
    stdio: 'ignore',
  });
  try {
    let status: number | undefined;
    while (status === undefined && service.exitCode === null) {
      const answer = await send(`http://127.0.0.1:${port}`, { target: POST }).catch(() => undefined);
      status = answer?.status;
      if (status === undefined) await setTimeout(POLL_MILLISECONDS);
    }
    if (status !== 200) throw new Error(`npm start: ${status ?? 'no answer'}`);
    return (performance.now() - began) / 1000;
  } finally {
    const exited = once(service, 'exit');
    if (service.exitCode === null && service.kill()) await exited;
  }
};

export const npmStartRows = async (): Promise<Row[]> => {
  await firstAnswer(); // builds if a source has changed since `npm ci`
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) seconds.push(await firstAnswer());
  return [{ name: 'npm start: first answer', value: median(seconds), unit: 's', bar: BAR_SECONDS }];
};
