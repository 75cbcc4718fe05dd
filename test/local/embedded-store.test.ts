// Breaks the disk below the embedded store of a service that runs, and repairs it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { loadCursorSecret } from '../../infra/local/local-environment.ts';
import { startLocalService } from '../../infra/local/service.ts';
import { createKey } from '../support/create-key.ts';
import { freePort } from '../support/free-port.ts';
import { localOptions, sendRequest } from '../support/local-service.ts';
import { type MountedDisk, mountMemory } from '../support/mount-memory.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { storeProcessOf } from '../support/store-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

const start = async (DATA_DIR: string) => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const writeLog = (text: string): void => {
    for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line));
  };
  const service = await startLocalService({ ...localOptions({ ADMIN_TOKEN, DATA_DIR }), writeLog });
  onTestFinished(service.close);
  const { origin } = service;
  const get = (target: string, key?: string) =>
    sendRequest(origin, target, { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } });
  const keyStatus = async (key: string): Promise<string> => {
    const { status, headers } = await get('/search?q=tide', key);
    return `${status} ${headers['x-api-key-status']}`;
  };
  return {
    ...service,
    get,
    /** A busy machine is slow to answer, and a breaker is open for 2 s. */
    expectKey: (key: string, expected: string) => expect.poll(() => keyStatus(key)).toBe(expected),
    create: () => createKey(origin, ADMIN_TOKEN),
    /** Everything but keys goes on. */
    async expectReads(key: string): Promise<void> {
      expect((await get('/jack/status/20', key)).status).toBe(200);
      for (let request = 0; request < 3; request += 1) expect(await keyStatus(key)).toBe('200 unverified');
      expect((await get('/ada_larsson')).status).toBe(200);
      await expect(createKey(origin, ADMIN_TOKEN)).rejects.toThrow('503');
    },
    /** The lines about the store, each with what it says. */
    said: () =>
      lines
        .filter(({ event }) => event === 'store_unreachable' || event === 'store_reachable')
        .map(({ event, reason, resolution }) => (reason === undefined ? event : `${reason}. ${resolution}`)),
  };
};

/** The folder of a store with one key. */
const startWithKey = async (folder = temporaryFolder()) => {
  const service = await start(folder);
  const key = await service.create();
  await service.expectKey(key, '200 valid');
  return { folder, service, key };
};

test('[running 4] a service whose store process is killed goes on, and starts the store again', async () => {
  const { folder, service, key } = await startWithKey();
  process.kill(storeProcessOf(folder), 'SIGKILL');
  await service.expectKey(key, '200 unverified');
  await service.expectKey(key, '200 valid');
  await expect
    .poll(service.said)
    .toEqual([expect.stringContaining('(SIGKILL). It is started again.'), 'store_reachable']);
});

test('[running 4] a store that waits for its disk makes no caller wait, and is back when the disk answers', async () => {
  const { folder, service, key } = await startWithKey();
  const pid = storeProcessOf(folder);
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  await service.expectReads(key);
  process.kill(pid, 'SIGCONT');
  await service.expectKey(key, '200 valid');
  expect(service.said()).toEqual([]);
});

test('[running 4] a store that another service has open is unreachable until that service ends', async () => {
  const { folder, service: first, key } = await startWithKey();
  const second = await start(folder);
  await second.expectReads(key);
  expect(second.said()).toEqual([
    `${folder} is in use by another service. Stop the other service, or set DATA_DIR to another folder.`,
  ]);
  await first.close();
  await second.expectKey(key, '200 valid');
  await expect.poll(second.said).toHaveLength(2);
});

test('[running 4] a store whose folder vanishes acknowledges nothing, and is not replaced by an empty one', async () => {
  const { folder, service, key } = await startWithKey();
  const store = join(folder, 'dynamodb');
  const running = (): number => {
    try {
      return storeProcessOf(folder);
    } catch {
      return 0;
    }
  };
  const opened = running();
  renameSync(store, `${store}.away`);
  await expect(service.create()).rejects.toThrow('503');
  await service.expectReads(key);
  await expect
    .poll(service.said)
    .toEqual([expect.stringContaining(`the store in ${folder} is gone. Bring the folder back`)]);
  // The next process finds no store, and ends.
  await expect.poll(() => [0, opened].includes(running()), { interval: 10 }).toBe(false);
  await expect.poll(running).toBe(0);
  expect(existsSync(store)).toBe(false);
  renameSync(`${store}.away`, store);
  await service.expectKey(key, '200 valid');
});

test('[running 4] a damaged store is unreachable, and says so', async () => {
  const { folder, service: first, key } = await startWithKey();
  await first.close();
  const current = join(folder, 'dynamodb/CURRENT');
  const content = readFileSync(current);
  writeFileSync(current, 'MANIFEST-999999');
  const service = await start(folder);
  await service.expectReads(key);
  expect(service.said()).toEqual([expect.stringContaining(`the store in ${folder} is damaged. Restore a copy`)]);
  writeFileSync(current, content);
  await service.expectKey(key, '200 valid');
});

test('[running 4] a folder that cannot be written starts a service that says what to do', async () => {
  const folder = join(temporaryFolder(), 'data');
  writeFileSync(folder, 'a file');
  const service = await start(folder);
  expect((await service.get('/jack/status/20')).status).toBe(200);
  expect((await service.get('/api/v1/search?q=tide&format=json&limit=3')).json()).toHaveProperty('next_cursor');
  expect(service.notices).toEqual([expect.stringContaining(folder)]);
  expect(service.notices[0]).toContain('cursors are valid in this run only');
  await expect(service.create()).rejects.toThrow('503');
  expect(service.said()).toEqual([expect.stringContaining(`the store in ${folder} failed`)]);
  rmSync(folder);
  await expect.poll(() => service.create().catch(() => '')).toMatch(/^pstn_/);
});

test('[running 4] an empty file of the cursor secret, as a full disk leaves it, gets a new secret', () => {
  const DATA_DIR = temporaryFolder();
  writeFileSync(join(DATA_DIR, 'cursor-secret'), '');
  const first = loadCursorSecret({ DATA_DIR });
  expect(first.environment['CURSOR_SECRETS']).toMatch(/^[\w-]{43}$/);
  expect(loadCursorSecret({ DATA_DIR })).toEqual(first);
});

/** LevelDB uses less. */
const DISK_BYTES = 4_194_304;

/** Unmounted when the test ends; the test is skipped if mounting is not permitted. */
const mounted = ({ skip }: TestContext): MountedDisk => {
  const disk = mountMemory(temporaryFolder(), DISK_BYTES) ?? skip('mounting is not permitted');
  onTestFinished(disk.unmount);
  return disk;
};

test('[running 4] a full disk fails the change that does not fit, and space brings the keys back', async (context) => {
  const { folder } = mounted(context);
  const { service, key } = await startWithKey(folder);
  const filler = join(folder, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES))).toThrow('ENOSPC');
  const made: string[] = [];
  const createAll = async (): Promise<void> => {
    for (;;) made.push(await service.create());
  };
  await expect(createAll()).rejects.toThrow('503');
  await service.expectReads(key);
  expect(service.said()).toEqual([`the disk of ${folder} is full. Free some space.`]);
  rmSync(filler);
  for (const one of [key, ...made]) await service.expectKey(one, '200 valid');
  expect(await service.create()).toMatch(/^pstn_/);
});

test('[running 4] a read-only disk starts a service with a cursor secret of its own, and keys come back', async (context) => {
  const { folder, remount } = mounted(context);
  const { service: first, key } = await startWithKey(folder);
  await first.close();
  rmSync(join(folder, 'cursor-secret'));
  remount('ro');
  const service = await start(folder);
  await service.expectReads(key);
  const text = `the disk of ${folder} is read-only`;
  expect(service.said()).toEqual([`${text}. Mount it with write access, or set DATA_DIR to another folder.`]);
  expect(service.notices).toEqual([expect.stringContaining(text)]);
  remount('rw');
  await service.expectKey(key, '200 valid');
});

test('[running 4] a copy of the folder of a running store opens, with its keys', async () => {
  const { folder, key } = await startWithKey();
  const copy = temporaryFolder();
  cpSync(join(folder, 'dynamodb'), join(copy, 'dynamodb'), { recursive: true });
  const service = await start(copy);
  await service.expectKey(key, '200 valid');
  expect(service.said()).toEqual([]);
});

const PROGRAM = fileURLToPath(new URL('../../infra/local/start.ts', import.meta.url));

/** `npm start` in a process of its own, which the caller kills. */
const startProgram = async (DATA_DIR: string) => {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM], {
    env: programEnvironment({ DATA_DIR, ADMIN_TOKEN, UPSTREAM: 'sample', PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { child, origin: `http://127.0.0.1:${port}` };
};

test('[running 4] a service that is killed five times while keys are created has every key that was acknowledged', async () => {
  const folder = temporaryFolder();
  const acknowledged: string[] = [];
  for (let kill = 0; kill < 5; kill += 1) {
    const { child, origin } = await startProgram(folder);
    const before = acknowledged.length;
    const create = async (): Promise<void> => {
      for (;;) acknowledged.push(await createKey(origin, ADMIN_TOKEN));
    };
    const creating = Array.from({ length: 4 }, () => create().catch(() => undefined));
    while (acknowledged.length < before + 10) await setTimeout(5);
    // In every other turn the store is killed first.
    if (kill % 2 === 1) process.kill(storeProcessOf(folder), 'SIGKILL');
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), ...creating]);
  }
  const service = await start(folder);
  expect(acknowledged.length).toBeGreaterThanOrEqual(50);
  for (const key of acknowledged) await service.expectKey(key, '200 valid');
});
