// Runs the embedded store in a process of its own, and starts it again after it has ended: at once it would meet the same
// disk, so after 1 s, and after twice as long each time, up to 60 s.
//
// The service listens for the store and hands each connection over, so the endpoint stays while the process changes. Without
// a process, connections are closed at once: the callers of the store go on without it (stores/store-guard.ts).
//
// A store that was open once is never created again: an empty store would take valid keys for unknown ones.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asRecord } from '../../shared/model/json.ts';
import { type DiskError, type DiskTrouble, diskErrorOf, diskTrouble, PROCESS_ENDED } from './disk-trouble.ts';
import { listen } from './listen.ts';

/** The sources and the bundles of the container have the same names. */
const PROGRAM = join(import.meta.dirname, `store-process${extname(import.meta.filename)}`);

/** Nothing else of the environment, which has secrets. */
const { NODE_COMPILE_CACHE } = process.env;

/** Below DATA_DIR. */
const STORE = 'dynamodb';

/** The heap is small, and should stay so. */
const NODE_OPTIONS = ['--max-semi-space-size=1'];

const FIRST_WAIT_MILLISECONDS = 1000;
const MAX_WAIT_MILLISECONDS = 60_000;
/** A store that was open for so long is well. */
const WELL_MILLISECONDS = 60_000;
/** The start does not wait longer for a slow disk. The time to load the program does not count: a busy machine needs more. */
const START_MILLISECONDS = 10_000;
const END_MILLISECONDS = 4000;

export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface EmbeddedStoreOptions {
  /** DATA_DIR; undefined: the store is in memory. */
  readonly folder: string | undefined;
  readonly address: ListenAddress;
  /** Called whenever the store has been opened, before it counts as reachable. */
  prepare(endpoint: string): Promise<void>;
  /** Called when the store cannot be reached, and when it can be again. */
  onChange(trouble: DiskTrouble | undefined): void;
}

export interface EmbeddedStore {
  readonly endpoint: string;
  /** Set if the store is in memory although there is a folder. */
  readonly notice: string | undefined;
  close(): Promise<void>;
}

const errorIn = (message: unknown): DiskError | undefined => {
  const { code, message: text } = asRecord(asRecord(message)?.['error']) ?? {};
  return typeof code === 'string' && typeof text === 'string' ? { code, message: text } : undefined;
};

/** The promise resolves when the store is open, when it is known that it cannot be opened, or 10 s after it was tried. */
export const startEmbeddedStore = async (options: EmbeddedStoreOptions): Promise<EmbeddedStore> => {
  const { folder, address, prepare, onChange } = options;
  const path = folder === undefined ? '' : join(folder, STORE);
  let child: ChildProcess | undefined;
  let isOpen = false;
  let wasOpen = false;
  let hasNoEngine = false;
  /** The first start is no change. */
  let isReachable = true;
  let isClosing = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const decided = Promise.withResolvers<void>();

  const server = createServer({ pauseOnConnect: true }, (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    if (isOpen && child?.connected) child.send('connection', socket, () => undefined);
    else socket.destroy();
  });
  const endpoint = await listen(server, address.host, address.port);

  /** @param error undefined: the store can be reached */
  const setReachable = (error: DiskError | undefined): void => {
    if ((error === undefined) !== isReachable) onChange(error && diskTrouble(error, folder ?? 'memory'));
    isReachable = error === undefined;
    decided.resolve();
  };

  const startAgain = (error: DiskError, openedAt: number): void => {
    setReachable(error);
    // What was in memory is gone, and nothing else may take its place.
    if ((folder === undefined || hasNoEngine) && wasOpen) return;
    failures = performance.now() - openedAt >= WELL_MILLISECONDS ? 0 : failures;
    timer = setTimeout(start, Math.min(MAX_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** failures));
    failures += 1;
  };

  /** A process that ends has a better reason than what was asked of it, so only a second failure is reported. */
  const useOpen = async (): Promise<void> => {
    isOpen = true;
    wasOpen = true;
    for (let attempts = 1; isOpen; attempts += 1) {
      try {
        await prepare(endpoint);
        return setReachable(undefined);
      } catch (error) {
        if (attempts > 1 && isOpen) setReachable(diskErrorOf(error));
        await sleep(FIRST_WAIT_MILLISECONDS, undefined, { ref: false });
      }
    }
  };

  const run = (): void => {
    let error: DiskError | undefined;
    let openedAt = Number.POSITIVE_INFINITY;
    child = fork(PROGRAM, [path, wasOpen ? '' : 'new'], {
      execArgv: NODE_OPTIONS,
      env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', (thrown) => {
      error = diskErrorOf(thrown);
    });
    child.on('message', (message) => {
      error = errorIn(message) ?? error;
      const { isOpen: isOpenNow, hasNoEngine: isInMemory } = asRecord(message) ?? {};
      if (isOpenNow === false) setTimeout(decided.resolve, START_MILLISECONDS).unref();
      if (isOpenNow !== true) return;
      hasNoEngine = isInMemory === true;
      openedAt = performance.now();
      void useOpen();
    });
    child.once('close', (code, signal) => {
      isOpen = false;
      if (!isClosing) startAgain(error ?? { code: PROCESS_ENDED, message: `${signal ?? code}` }, openedAt);
    });
  };

  const start = (): void => {
    try {
      run();
    } catch (error) {
      startAgain(diskErrorOf(error), Number.POSITIVE_INFINITY); // such as no memory for a process
    }
  };
  start();
  await decided.promise;

  return {
    endpoint,
    notice: hasNoEngine
      ? `The store has no build for ${process.platform} on ${process.arch}, so this service keeps its keys in memory.`
      : undefined,
    async close() {
      isClosing = true;
      clearTimeout(timer);
      server.close(); // Its event would not come if a process with connections has ended before.
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        const kill = setTimeout(() => child?.kill('SIGKILL'), END_MILLISECONDS);
        if (child.connected) child.send({ close: true }, () => undefined);
        await ended;
        clearTimeout(kill);
      }
    },
  };
};
