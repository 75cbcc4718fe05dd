// Sends requests over HTTP from any loopback address. A target is sent as it is; fetch would normalize dots and backslashes.
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { errorKind } from '../../shared/model/json.ts';
import { decoded } from './content-coding.ts';

export interface Query {
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set: the request is a POST, unless another method is given. */
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** After content decoding. */
  readonly body: string;
}

export interface SendOptions {
  readonly method?: string;
  /** The address of the caller, as the service sees it, in 127.0.0.0/8. */
  readonly localAddress?: string;
  /** @default a connection for each request */
  readonly agent?: Agent;
  /** Milliseconds. @default none */
  readonly timeout?: number;
}

/** Rejects if the connection fails, or if no answer comes in time. */
export const send = (origin: string, query: Query, options: SendOptions = {}): Promise<HttpAnswer> => {
  const { target, headers, body } = query;
  const { method = body === undefined ? 'GET' : 'POST', agent = false, ...rest } = options;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const { hostname, port } = new URL(origin);
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const outgoing = request(
    { hostname, port, path: target, method, agent, headers: { ...headers, ...length }, ...rest },
    async (response) => {
      try {
        const chunks: Buffer[] = await response.toArray();
        const text = decoded(Buffer.concat(chunks), response.headers['content-encoding']);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      } catch (error) {
        reject(error);
      }
    },
  );
  // An agent ends connections that are idle with the same event.
  if (options.timeout !== undefined) outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
  outgoing
    .on('error', (error) => {
      // A server closes a connection that was idle, also while this request is on its way (RFC 9112 section 9.3.1).
      const isClosedIdle = outgoing.reusedSocket && errorKind(error) === 'ECONNRESET';
      if (isClosedIdle) resolve(send(origin, query, options));
      else reject(error);
    })
    .end(body);
  return promise;
};
