// Sends requests from any loopback address and measures the time until the answer.
import { request } from 'node:http';
import { decoded } from '../support/content-coding.ts';
import { stallsSince } from './stalls.ts';

export interface Query {
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set: the request is a POST of JSON. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the request to the last byte, on the clock. */
  readonly milliseconds: number;
  /** The part in which this process waited for a processor. A rule allows it in addition; no figure is without it. */
  readonly stalledMilliseconds: number;
}

/** @param localAddress the address that the service sees */
export const send = (origin: string, { target, headers = {}, body }: Query, localAddress: string): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  request(
    {
      hostname,
      port,
      path: target,
      method: body === undefined ? 'GET' : 'POST',
      localAddress,
      agent: false,
      headers: {
        ...(body !== undefined && {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    },
    async (response) => {
      const chunks: Buffer[] = await response.toArray().catch(() => []);
      const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(fields),
        body: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
        milliseconds: performance.now() - startedAt,
        stalledMilliseconds: stallsSince(startedAt).reduce((sum, stall) => sum + stall, 0),
      });
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
};
