// Replaces the package undici in a simulation: requests go to a function, and answers come after virtual time.
import { registerHooks } from 'node:module';

/** Modules that are imported afterwards get this one in place of undici. */
export const replaceUndici = (): void =>
  void registerHooks({
    resolve: (name, context, next) =>
      name === 'undici' ? { url: import.meta.url, shortCircuit: true } : next(name, context),
  });

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

interface Controller {
  abort(reason: Error): void;
}

/** The handler of undici's dispatch, in the order of its events. */
interface DispatchHandler {
  onRequestStart(controller: Controller): void;
  onResponseStart(controller: Controller, statusCode: number, headers: NetworkAnswer['headers']): void;
  onResponseData(controller: Controller, chunk: Buffer): void;
  onResponseEnd(controller: Controller): void;
  onResponseError(controller: Controller, error: Error): void;
}

interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
}

export class Agent {
  dispatch({ origin, path }: DispatchOptions, handler: DispatchHandler): boolean {
    let isAborted = false;
    const controller: Controller = {
      abort(reason) {
        if (isAborted) return;
        isAborted = true;
        handler.onResponseError(controller, reason);
      },
    };
    handler.onRequestStart(controller);
    network(`${origin}${path}`).then(
      ({ statusCode, headers, body }) => {
        if (!isAborted) handler.onResponseStart(controller, statusCode, headers);
        if (!isAborted) handler.onResponseData(controller, Buffer.from(body));
        if (!isAborted) handler.onResponseEnd(controller);
      },
      (error: Error) => {
        if (!isAborted) handler.onResponseError(controller, error);
      },
    );
    return true;
  }

  async close(): Promise<void> {}
}
