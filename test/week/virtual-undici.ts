// Replaces the package undici in a simulation: requests go to a function, and answers come after virtual time.
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

export interface NetworkAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Rejects if no answer comes; a promise that stays pending is a provider that hangs. */
export type Network = (url: string) => Promise<NetworkAnswer>;

let network: Network = () => Promise.reject(new Error('there is no network'));

export const connectNetwork = (next: Network): void => {
  network = next;
};

/** An error of a connection, as undici reports it. */
export const connectionError = (code: string): Error => Object.assign(new Error(code), { code });

export class Agent {}

interface RequestOptions {
  readonly signal: EventEmitter;
}

export const request = (url: string, { signal }: RequestOptions) => {
  const aborted = new Promise<never>((_, reject) => {
    signal.once('abort', () => reject(Object.assign(new Error('aborted'), { code: 'UND_ERR_ABORTED' })));
  });
  const answered = network(url).then(({ body, ...head }) => ({ ...head, body: Readable.from([Buffer.from(body)]) }));
  return Promise.race([answered, aborted]);
};
