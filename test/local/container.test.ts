// Runs the folder of the container without a container: as another user, on a read-only tree, without a network.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { assemble } from '../../infra/container/assemble.ts';
import { createKey } from '../support/create-key.ts';
import { freePort } from '../support/free-port.ts';
import { sendRequest } from '../support/local-service.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

const folder = mkdtempSync(join(tmpdir(), 'postern-container-'));
const app = join(folder, 'app');
/** Root may write everywhere. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

beforeAll(async () => {
  await assemble(app);
  chmodSync(folder, 0o755);
  execFileSync('chmod', ['-R', 'a-w,a+rX', app]);
});

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', app]);
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly isLast: boolean;
}

const request = async (url: string, agent?: Agent): Promise<Answer> => {
  const [response] = await once(get(url, { agent }), 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, body, isLast: response.headers.connection === 'close' };
};

/** The environment of the Containerfile. A closed port takes the place of the network. */
const start = async (data = 'data') => {
  const directory = join(folder, data);
  mkdirSync(directory, { recursive: true });
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid);
  const containerfile = readFileSync(new URL('../../infra/container/Containerfile', import.meta.url), 'utf8');
  const [, variables = ''] = /^ENV (.*)$/m.exec(containerfile) ?? [];
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [join(app, 'bin/postern.cjs'), 'start'], {
    cwd: app,
    env: {
      ...Object.fromEntries(variables.split(' ').map((pair) => pair.split('='))),
      PORT: String(port),
      DATA_DIR: directory,
      FXTWITTER_BASE_URL: 'http://127.0.0.1:1',
      ALLOWANCE_SEARCH_ANONYMOUS: '1000/60',
      ADMIN_TOKEN,
    },
    ...user,
  });
  let log = '';
  child.stdout?.on('data', (text) => {
    log += text;
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const origin = `http://127.0.0.1:${port}`;
  while ((await request(`${origin}/jack/status/20`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('the container ended');
    await setTimeout(50);
  }
  return { child, exit, origin, log: () => log };
};

test('[commands 5] the container reads as another user on a read-only file system, and keeps its data', async () => {
  const first = await start();
  expect((await request(`${first.origin}/search?q=tide`)).body).toContain('# Search: tide');
  expect((await request(`${first.origin}/jack/status/20`)).status).toBe(200);
  const key = await createKey(first.origin, ADMIN_TOKEN);
  first.child.kill('SIGTERM');
  expect(await first.exit).toEqual([0, null]);
  const lines = first
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ event }) => event === 'request');
  expect(requests.map(({ cache }) => cache)).toContain('edge');
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200, 201]));
  const secret = readFileSync(join(folder, 'data/cursor-secret'), 'utf8');
  const { origin } = await start();
  expect(readFileSync(join(folder, 'data/cursor-secret'), 'utf8')).toBe(secret);
  const headers = { Authorization: `Bearer ${key}` };
  await expect
    .poll(async () => (await sendRequest(origin, '/search?q=tide', { headers })).headers['x-api-key-status'])
    .toBe('valid');
}, 120_000);

test('[commands 5] SIGTERM under load loses no answer', async () => {
  const { child, exit, origin } = await start('load');
  let answered = 0;
  const failures: unknown[] = [];
  const read = async (worker: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0, isLast = false; !isLast; count += 1) {
      const answer = await request(`${origin}/search?q=tide${worker}x${count}`, agent);
      if (answer.status !== 200 || !answer.body.startsWith('# Search')) failures.push(answer);
      answered += 1;
      if (answered === 100) child.kill('SIGTERM');
      isLast = answer.isLast;
    }
    agent.destroy();
  };
  await Promise.all(
    Array.from({ length: 20 }, (_, worker) => read(worker).catch((error: unknown) => failures.push(error))),
  );
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  expect(await exit).toEqual([0, null]);
}, 120_000);

test('[save 1] the container saves posts into a folder of the caller', async () => {
  const out = join(folder, 'notes');
  mkdirSync(out);
  if (user.uid !== undefined) chownSync(out, user.uid, user.gid);
  const args = [join(app, 'bin/postern.cjs'), 'save', '2032048958469046864', '--out', out];
  const env = { FXTWITTER_BASE_URL: 'http://127.0.0.1:1', DATA_DIR: join(folder, 'none') };
  execFileSync(process.execPath, args, { cwd: app, env, stdio: 'ignore', ...user });
  expect(readdirSync(join(out, 'media'))).toHaveLength(4);
  expect(readFileSync(join(out, 'kestrel_labs-2032048958469046864.md'), 'utf8')).toContain('](media/');
});
