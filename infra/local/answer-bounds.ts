// Bounds what the answers of strangers take: the requests of one network on which functions work at the same time, and the
// bytes of answers that their readers have not taken. If these are too many, the oldest answer of the network that has most
// of them goes.
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import { type Bulkhead, createBulkhead } from '../../shared/resilience/bulkhead.ts';
import type { OriginResponse } from './api-gateway.ts';
import { usableMemory } from './memory.ts';

/** The calls to a provider that one network has at the same time are about as many. */
const MAX_WORK_OF_NETWORK = 6;
const MAX_WAITING_OF_NETWORK = 256;
/**
 * The next request of the network begins after this time, or in another turn of the event loop. To make an answer of 1 MB
 * takes about 130 ms, in which no other caller is served, so three quarters of the time are for others.
 */
const BYTES_PER_MILLISECOND_OF_REST = 2500;
/** A caller who waits longer is told to come again. */
const WAIT_MILLISECONDS = 8000;

const UNSENT_SHARE = 1 / 8;
const UNSENT_SHARE_OF_NETWORK = 1 / 32;

export interface AnswerBounds {
  /** @returns undefined if other work of the network did not end in time */
  work(viewerIp: string, run: () => Promise<OriginResponse>): Promise<OriginResponse | undefined>;
  /** Counts an answer until its reader has taken it. */
  countUnsent(viewerIp: string, response: ServerResponse, bytes: number): void;
}

interface Worker {
  readonly bulkhead: Bulkhead;
  /** Also those that wait. */
  requests: number;
  released?: Promise<void>;
}

interface Unsent {
  readonly bytes: number;
  readonly response: ServerResponse;
}

interface UnsentOfNetwork {
  /** In the order of the answers. */
  readonly answers: Set<Unsent>;
  bytes: number;
}

export const createAnswerBounds = (memory: number = usableMemory()): AnswerBounds => {
  const workers = new Map<string, Worker>();
  const unsent = new Map<string, UnsentOfNetwork>();
  let bytesOfAll = 0;

  const add = (network: string, answer: Unsent): UnsentOfNetwork => {
    const own = unsent.get(network) ?? { answers: new Set(), bytes: 0 };
    unsent.set(network, own);
    own.answers.add(answer);
    own.bytes += answer.bytes;
    bytesOfAll += answer.bytes;
    return own;
  };

  const remove = (network: string, answer: Unsent): void => {
    const own = unsent.get(network);
    if (own?.answers.delete(answer) !== true) return;
    own.bytes -= answer.bytes;
    bytesOfAll -= answer.bytes;
    if (own.answers.size === 0) unsent.delete(network);
  };

  const endOldestOf = (network: string): void => {
    const [oldest] = unsent.get(network)?.answers ?? [];
    if (oldest === undefined) return;
    remove(network, oldest);
    oldest.response.destroy();
  };

  const greediest = (): string => {
    let [network, most] = ['', -1];
    for (const [name, { bytes }] of unsent) if (bytes > most) [network, most] = [name, bytes];
    return network;
  };

  return {
    async work(viewerIp, run) {
      const network = clientNetwork(viewerIp);
      const worker = workers.get(network) ?? { bulkhead: createBulkhead(MAX_WORK_OF_NETWORK), requests: 0 };
      if (worker.requests >= MAX_WORK_OF_NETWORK + MAX_WAITING_OF_NETWORK) return undefined;
      workers.set(network, worker);
      worker.requests += 1;
      const leave = (): void => {
        worker.requests -= 1;
        if (worker.requests === 0) workers.delete(network);
      };
      if (!(await worker.bulkhead.acquire(WAIT_MILLISECONDS))) {
        leave();
        return undefined;
      }
      let response: OriginResponse | undefined;
      try {
        response = await run();
        return response;
      } finally {
        const rest = Math.floor((response?.body.length ?? 0) / BYTES_PER_MILLISECOND_OF_REST);
        worker.released = (worker.released ?? Promise.resolve()).then(async () => {
          await (rest > 0 ? setTimeout(rest) : setImmediate());
          worker.bulkhead.release();
          leave();
        });
      }
    },
    countUnsent(viewerIp, response, bytes) {
      if (bytes === 0 || response.closed) return;
      const network = clientNetwork(viewerIp);
      const answer = { bytes, response };
      const own = add(network, answer);
      response.once('close', () => remove(network, answer));
      while (own.bytes > memory * UNSENT_SHARE_OF_NETWORK && own.answers.size > 1) endOldestOf(network);
      while (bytesOfAll > memory * UNSENT_SHARE && unsent.size > 0) endOldestOf(greediest());
    },
  };
};
