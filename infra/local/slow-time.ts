// Lets time pass ten times slower for this process, so that an emulated processor, or a busy machine in tests, meets the time
// limits of the product. Timers, monotonic clocks and time-outs stay in proportion: a limit that the product lacks is still
// missing. The time of day and the timers of Node's own modules are not changed, but for idle connections of HTTP servers.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { performance as nodePerformance } from 'node:perf_hooks';

const FACTOR = 10;
/** The default of Node is 5 s. */
const KEEP_ALIVE_MILLISECONDS = 5000 * FACTOR;

/** A client whose timers are slow must not use a connection that the server is closing. */
const keepConnections = (message: unknown): void => {
  const { server } = Object(message);
  if (server instanceof Server && server.keepAliveTimeout > 0) server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
};
const REQUESTS = 'http.server.request.start';

/** The milliseconds are the argument with this index. */
const withLongerWait = <T extends (...args: never) => unknown>(wait: T, index: number): T =>
  new Proxy(wait, {
    apply: (target, self, args: unknown[]) =>
      Reflect.apply(target, self, args.with(index, Number(args[index] ?? 0) * FACTOR)),
  });

/** A clock that goes on from its present reading. */
const slowed = (read: () => number): (() => number) => {
  const start = read();
  return () => start + (read() - start) / FACTOR;
};

/** @returns a function that puts the original back, unless it was replaced in the meantime */
const replace = (owner: object, name: string, value: unknown): (() => void) => {
  const original = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, enumerable: true, writable: true, value });
  return () => {
    if (Reflect.get(owner, name) !== value) return;
    if (original === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, original);
  };
};

const install = (): (() => void) => {
  const utilization = nodePerformance.eventLoopUtilization.bind(nodePerformance);
  const idle = slowed(() => utilization().idle);
  const restores = [
    replace(globalThis, 'setTimeout', withLongerWait(globalThis.setTimeout, 1)),
    replace(AbortSignal, 'timeout', withLongerWait(AbortSignal.timeout, 0)),
    replace(nodePerformance, 'now', slowed(nodePerformance.now.bind(nodePerformance))),
    replace(nodePerformance, 'eventLoopUtilization', () => ({ ...utilization(), idle: idle() })),
  ];
  subscribe(REQUESTS, keepConnections);
  return () => {
    unsubscribe(REQUESTS, keepConnections);
    for (const restore of restores) restore();
  };
};

let uses = 0;
let uninstall = (): void => undefined;

/** @returns a function that ends the use; time passes normally again after the last use */
export const slowDownTime = (): (() => void) => {
  if (uses === 0) uninstall = install();
  uses += 1;
  let isInUse = true;
  return () => {
    if (!isInUse) return;
    isInUse = false;
    uses -= 1;
    if (uses === 0) uninstall();
  };
};

/** Options of Node that let time pass slower for another process from its start. */
export const SLOW_TIME_OPTIONS: readonly string[] = [
  '--import',
  `data:text/javascript,import { slowDownTime } from '${import.meta.url}'; slowDownTime();`,
];
