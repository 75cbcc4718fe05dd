// Runs the local service in a process of its own and reports its CPU, its memory and its open handles.
import { startLocalService } from '../../infra/local/service.ts';
import type { Environment } from '../../shared/composition/environment.ts';
import { answerMessages } from '../../test/support/processes.ts';

export interface ServiceSettings {
  readonly environment: Environment;
}

export interface StartedService {
  readonly origin: string;
}

/** `memory` collects garbage first, which takes some 10 ms. */
export type ServiceMessage = 'cpu' | 'memory';

export interface ServiceFigures {
  /** User and system time since the start, in microseconds. */
  readonly cpu: number;
  /** Bytes. */
  readonly heap: number;
  readonly rss: number;
  /** Store calls that failed or were too late, so that memory counted instead. */
  readonly storeFailures: number;
  /** Active resources of the event loop by type, such as `TCPSocketWrap`. */
  readonly resources: Readonly<Record<string, number>>;
}

const { environment }: ServiceSettings = JSON.parse(process.argv[2] ?? '');

let storeFailures = 0;
const service = await startLocalService({
  host: '127.0.0.1',
  port: 0,
  environment,
  writeLog: (text) => {
    if (text.includes('"store_failed"')) storeFailures += 1;
  },
});

const countResources = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

answerMessages({ origin: service.origin } satisfies StartedService, async (message) => {
  if (message === 'memory') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    cpu: user + system,
    heap: heapUsed,
    rss,
    storeFailures,
    resources: countResources(),
  } satisfies ServiceFigures;
});
