// Starts the service from its sources and from the folder of the container, and reads what Node writes to standard error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../infra/build/dist-layout.ts';
import { assemble } from '../../infra/container/assemble.ts';
import { BIN_FILE } from '../../infra/container/manifest.ts';
import { newApiKey } from '../support/access-control.ts';
import { freePort } from '../support/free-port.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { send } from '../support/send.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** @returns what the program wrote to standard error until it had answered a post and a request with a key */
const errorsOf = async (...program: readonly string[]): Promise<string> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const service = spawn(process.execPath, ['--trace-warnings', ...program], {
    env: programEnvironment({ PORT: String(port), DATA_DIR: temporaryFolder(), UPSTREAM: 'sample' }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(service, 'close');
  onTestFinished(async () => {
    service.kill('SIGKILL');
    await ended;
  });
  let errors = '';
  service.stderr.on('data', (text) => {
    errors += text;
  });
  let status: number | undefined;
  while (status === undefined && service.exitCode === null) {
    status = (await send(origin, { target: '/jack/status/20' }).catch(() => undefined))?.status;
    if (status === undefined) await setTimeout(20);
  }
  expect(status, errors).toBe(200);
  const keyed = await send(origin, {
    target: '/search?q=tide',
    headers: { authorization: `Bearer ${newApiKey()}` },
  });
  expect(keyed.status).toBe(401);
  service.kill('SIGTERM');
  await ended;
  return errors;
};

test('[commands 12] the service from its sources writes no warning of Node', async () => {
  expect(await errorsOf(join(ROOT, 'infra/local/start.ts'))).not.toMatch(/Warning/);
});

test('[commands 12] the service in the container writes no warning of Node', async () => {
  const app = join(temporaryFolder(), 'app');
  await assemble(app);
  expect(await errorsOf(join(app, BIN_FILE), 'start')).not.toMatch(/Warning/);
});
