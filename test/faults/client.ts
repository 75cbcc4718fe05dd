// Sends requests from any loopback address and measures the time until the answer.
import { request } from 'node:http';
import { decoded } from '../support/content-coding.ts';

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
  readonly milliseconds: number;
}

const TICK_MILLISECONDS = 20;
let stalledMilliseconds = 0;

/**
 * Measures for how long this process could not run, because the machine is busy. The providers, the service and the callers
 * run in this process, so the time of an answer does not include it.
 *
 * @returns ends the measurement
 */
export const meterStalls = (): (() => void) => {
  let expectedAt = performance.now() + TICK_MILLISECONDS;
  const timer = setInterval(() => {
    const now = performance.now();
    stalledMilliseconds += Math.max(0, now - expectedAt);
    expectedAt = now + TICK_MILLISECONDS;
  }, TICK_MILLISECONDS);
  return () => clearInterval(timer);
};

/** @returns milliseconds without those of stalls */
export const runningTime = (): number => performance.now() - stalledMilliseconds;

/** @param localAddress the address that the service sees */
export const send = (origin: string, { target, headers = {}, body }: Query, localAddress: string): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(origin);
  const startedAt = runningTime();
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
        milliseconds: Math.max(0, runningTime() - startedAt),
      });
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
};
