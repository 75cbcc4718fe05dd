// Starts the processes of a measurement: the backends, the service and the client.

import type { Subject } from '../../test/support/faults/surfaces.ts';
import { type Process, startProcess } from '../../test/support/processes.ts';
import type { BackendCalls, Backends, BackendsMessage, BackendsSettings } from './backends-process.ts';
import { CURSOR_SECRET } from './callers.ts';
import { requestedResource, type SubjectKind } from './fake-provider.ts';
import { createClient } from './send-request.ts';
import type { ServiceFigures, ServiceMessage, ServiceSettings, StartedService } from './service-process.ts';

export type ServiceProcess = Process<StartedService, ServiceMessage, ServiceFigures>;
export type BackendsProcess = Process<Backends, BackendsMessage, BackendCalls>;

export type LoadStand = Awaited<ReturnType<typeof startStand>>;

/** Starts the processes and the client of one measurement. */
export const startStand = async (
  settings: Partial<BackendsSettings> = {},
  environment: Readonly<Record<string, string>> = {},
) => {
  const backends: BackendsProcess = await startProcess(new URL('backends-process.ts', import.meta.url), {
    keys: 0,
    faultShare: 0,
    seed: 1,
    ...settings,
  });
  const serviceSettings: ServiceSettings = {
    environment: {
      ...backends.ready.environment,
      UPSTREAM: 'live',
      DATA_DIR: 'memory',
      CURSOR_SECRETS: CURSOR_SECRET,
      ...environment,
    },
  };
  const service: ServiceProcess = await startProcess(new URL('service-process.ts', import.meta.url), serviceSettings, [
    '--expose-gc',
  ]);
  const client = createClient(service.ready.origin);
  return {
    service,
    backends,
    client,
    async close(): Promise<void> {
      client.close();
      await service.close();
      await backends.close();
    },
  };
};

let subjects = 0;

/** @returns a subject that was never requested */
export const newSubject = (kind: SubjectKind = 'healthy'): Subject => {
  subjects += 1;
  return requestedResource(kind, subjects);
};
