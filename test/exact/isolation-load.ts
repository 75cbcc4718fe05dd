// Measures how many requests of other callers are served while one caller misbehaves: each kind of misbehaviour with each
// kind of request, over HTTP, through the whole local service. Every caller has IP addresses of their own, and the one who
// misbehaves is a process of their own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startLocalService } from '../../infra/local/service.ts';
import { createKey } from '../support/create-key.ts';
import { misbehaviours, reads, send } from './isolation-requests.ts';
import { healthyHandle, healthyId, startMisbehavingProvider } from './misbehaving-provider.ts';

const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-only';

export const requestNames: readonly string[] = [...reads.keys()];

export const misbehaviourNames: readonly string[] = [...misbehaviours.keys()];

/** One of 65,000 loopback addresses, none of which the misbehaving caller has. */
const address = (index: number): string => `127.1.${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;

export interface Figure {
  readonly misbehaviour: string;
  readonly request: string;
  readonly served: number;
  readonly total: number;
}

export interface IsolationOptions {
  readonly misbehaviours: readonly string[];
  readonly requests: readonly string[];
  /** Requests of each kind during each misbehaviour. */
  readonly times: number;
  /** Concurrent requests of the misbehaving caller, unless the misbehaviour has its own number. */
  readonly concurrency: number;
  readonly report?: (figure: Figure) => void;
}

/** @returns the served share of the requests of other callers */
export const measureIsolation = async (options: IsolationOptions): Promise<readonly Figure[]> => {
  const { times, concurrency, report } = options;
  const figures: Figure[] = [];
  let victims = 0;
  for (const misbehaviour of options.misbehaviours) {
    const provider = await startMisbehavingProvider();
    const service = await startLocalService({
      host: '127.0.0.1',
      port: 0,
      environment: {
        ADMIN_TOKEN: OPERATOR_TOKEN,
        UPSTREAM: 'live',
        DATA_DIR: 'memory',
        FXTWITTER_BASE_URL: provider.origin,
        SYNDICATION_BASE_URL: provider.origin,
      },
      writeLog: () => undefined,
    });
    const key = await createKey(service.origin, OPERATOR_TOKEN, { search: '100000/60' });
    const misbehaving = fork(new URL('misbehave.ts', import.meta.url), [
      JSON.stringify({ origin: service.origin, misbehaviour, concurrency }),
    ]);
    await once(misbehaving, 'message');
    for (const name of options.requests) {
      const read = reads.get(name);
      if (read === undefined) throw new Error(`there is no request ${name}`);
      let served = 0;
      for (let index = 0; index < times; index += 1) {
        victims += 1;
        const subject = { id: healthyId(victims), handle: healthyHandle(victims) };
        if (await send(service.origin, read(subject, key), address(victims))) served += 1;
      }
      const figure = { misbehaviour, request: name, served, total: times };
      figures.push(figure);
      report?.(figure);
    }
    const ended = once(misbehaving, 'exit');
    misbehaving.kill();
    await ended;
    await service.close();
    provider.close();
  }
  return figures;
};
