// Starts both providers on one loopback port and plants a fault in the answers that a test selects.
import { createServer, type IncomingMessage } from 'node:http';
import { listen, stop } from '../../../infra/local/listen.ts';
import { answerTruthfully } from '../truthful-provider.ts';
import { type ProviderFault, sendAnswer } from './provider-faults.ts';

export interface PlantedFault {
  readonly fault: ProviderFault;
  /** @default all requests */
  readonly concerns?: (path: string) => boolean;
}

export type ProviderProxy = Awaited<ReturnType<typeof startProviderProxy>>;

/** @param random uniform in [0, 1); decides where an answer breaks off */
export const startProviderProxy = async (random: () => number) => {
  const calls: string[] = [];
  let faulted = 0;
  const usedSockets = new WeakSet<IncomingMessage['socket']>();
  let planted: PlantedFault | undefined;
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    calls.push(path);
    const isReused = usedSockets.has(incoming.socket);
    usedSockets.add(incoming.socket);
    const answer = answerTruthfully(path);
    const current = planted;
    const plant = current !== undefined && (current.concerns?.(path) ?? true) ? current.fault.plant : undefined;
    if (plant === undefined || plant === 'down') return sendAnswer(response, answer);
    response.once('close', () => {
      if (current === planted) faulted += 1;
    });
    plant({ incoming, response, path, answer, isReused, random });
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  const origin = await listen(server, '127.0.0.1', 0);
  let isDown = false;
  return {
    fxtwitter: `${origin}/fx`,
    syndication: `${origin}/synd`,
    /** The paths of all requests, in order of arrival. */
    calls,
    /** The number of requests that met the planted fault and ended, also if the client gave up. */
    get faulted(): number {
      return faulted;
    },
    /** Replaces the fault; undefined: all answers are true. */
    async plant(next: PlantedFault | undefined): Promise<void> {
      planted = next;
      faulted = 0;
      const becomesDown = next?.fault.plant === 'down';
      if (becomesDown && !isDown) await stop(server);
      if (!becomesDown && isDown) await listen(server, '127.0.0.1', Number(new URL(origin).port));
      isDown = becomesDown;
    },
    close: (): Promise<void> => (isDown ? Promise.resolve() : stop(server)),
  };
};
