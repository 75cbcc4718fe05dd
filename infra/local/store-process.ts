// The process of the embedded store: an emulator of DynamoDB on LevelDB, apart from the service, so that no fault of a disk
// ends the service or makes it wait. infra/local/embedded-store.ts starts it, hands connections over, and starts it again.
//
//   arguments    the folder of the store, empty for a store in memory; `new` if the store may be created
//   in           { close: true } or a connection, with its handle
//   out          { isOpen: false } before it touches the disk, { isOpen: true } after, with hasNoEngine if the store is in
//                memory all the same, or { error } before it ends
//
// It ends with the first error of the disk, also with one that the emulator throws outside of a request. It also ends if the
// folder is not the one that it opened: LevelDB goes on writing to files that are deleted.
import { mkdirSync, type Stats, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import dynalite from 'dynalite';
import { errorKind } from '../../shared/model/json.ts';
import { diskErrorOf } from './disk-trouble.ts';

const [, , path = '', mode] = process.argv;

const report = (message: object, then: () => void = () => undefined): void => {
  if (process.send === undefined || !process.connected) then();
  else process.send(message, then);
};

let isFailing = false;

const fail = (error: unknown): void => {
  if (isFailing) return;
  isFailing = true;
  report({ error: diskErrorOf(error) }, () => process.exit(1));
};

class Vanished extends Error {
  readonly code = 'STORE_VANISHED';
}

/** Every store of LevelDB has this file. */
const statStore = (): Stats => {
  statSync(join(path, 'CURRENT'));
  return statSync(path);
};

/** @throws Error */
const requireStore = (opened?: Stats): void => {
  try {
    const found = statStore();
    if (opened === undefined || (found.ino === opened.ino && found.dev === opened.dev)) return;
  } catch (error) {
    if (errorKind(error) !== 'ENOENT') throw error;
  }
  throw new Vanished('the store is gone');
};

/** A service that was stopped a moment ago may still hold the lock. */
const LOCK_WAIT_MILLISECONDS = 100;
const MAX_LOCK_WAITS = 20;

type Engine = Pick<typeof import('classic-level'), 'ClassicLevel'>;

/** @returns undefined if it has no build for this system. A bundle has only the default export. */
const loadEngine = (): Promise<Engine | undefined> =>
  import('classic-level').then(
    (module) => module.default,
    () => undefined,
  );

/** The emulator opens its store outside of any request, so this opens it before. @throws the error of the disk */
const tryStore = async ({ ClassicLevel }: Engine): Promise<void> => {
  for (let waits = 0; ; waits += 1) {
    const level = new ClassicLevel(path);
    try {
      return await level.open();
    } catch (error) {
      if (waits === MAX_LOCK_WAITS || !diskErrorOf(error).code.includes('LEVEL_LOCKED')) throw error;
      await setTimeout(LOCK_WAIT_MILLISECONDS);
    } finally {
      await level.close();
    }
  }
};

const IDLE_WAIT_MILLISECONDS = 10;
const MAX_IDLE_WAITS = 200;

const open = async (): Promise<void> => {
  report({ isOpen: false });
  const engine = path === '' ? undefined : await loadEngine();
  if (engine !== undefined) {
    if (mode === 'new') mkdirSync(path, { recursive: true });
    else requireStore();
    await tryStore(engine);
  }
  const opened = engine === undefined ? undefined : statStore();
  const server = dynalite({ createTableMs: 0, ...(engine !== undefined && { path }) });
  // The connections of the service stay open: it must not send a command into one that is being closed.
  server.keepAliveTimeout = 0;
  const pending = new Set<ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    pending.add(response);
    response.once('close', () => response.writableEnded && pending.delete(response));
    if (opened === undefined) return;
    try {
      requireStore(opened);
    } catch (error) {
      request.socket.destroy(); // Nothing is acknowledged.
      fail(error);
    }
  });

  /** The write of a client that has disconnected may still be pending. */
  const end = async (): Promise<void> => {
    const isIdle = (): boolean => [...pending].every(({ writableEnded }) => writableEnded);
    for (let waits = 0; !isIdle() && waits < MAX_IDLE_WAITS; waits += 1) await setTimeout(IDLE_WAIT_MILLISECONDS);
    process.exit(0);
  };
  process.on('message', (_, handle) => {
    if (!(handle instanceof Socket)) return void end();
    server.emit('connection', handle);
    handle.resume();
  });
  process.on('disconnect', end); // The service has ended.
  report({ isOpen: true, hasNoEngine: path !== '' && engine === undefined });
};

process.on('uncaughtException', (error) => {
  // The emulator throws if a client breaks off the connection within a request.
  if (errorKind(error) !== 'ECONNRESET') fail(error);
});
// The service ends this process, after its last answers. A signal goes to the whole group of processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
await open().catch(fail);
