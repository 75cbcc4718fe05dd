// Sends one request from a loopback address of a caller, over connections that stay open.
import { Agent, request } from 'node:http';
import { errorKind } from '../../shared/model/json.ts';
import type { LoadRequest } from './load-routes.ts';
import type { Completed } from './open-loop.ts';

/** The result of a request whose connection failed. */
export const NO_ANSWER = 'no answer';

/** A tool call has the status 200 and says in its result whether it failed. */
const toolResult = (body: string): string => {
  if (!body.includes('"isError":true')) return '200';
  return `200, ${/\\?"code\\?":\s*\\?"([a-z_]+)\\?"/.exec(body)?.[1] ?? 'tool error'}`;
};

export interface Client {
  /** Never rejects. @param localAddress of the caller, in 127.0.0.0/8 @param secret an API key */
  send(request: LoadRequest, localAddress: string, secret?: string): Promise<Completed>;
  close(): void;
}

/** A connection that is idle for longer is closed. */
const IDLE_MILLISECONDS = 1000;

export const createClient = (origin: string): Client => {
  // Thousands of callers have a connection each, and the service has a bound on open files.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 10_000, timeout: IDLE_MILLISECONDS });
  const { hostname, port } = new URL(origin);
  const send: Client['send'] = (loadRequest, localAddress, secret) => {
    const { target, headers, body } = loadRequest;
    const { promise, resolve } = Promise.withResolvers<Completed>();
    const outgoing = request(
      {
        hostname,
        port,
        path: target,
        method: body === undefined ? 'GET' : 'POST',
        localAddress,
        agent,
        headers: {
          ...headers,
          ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      async (response) => {
        const chunks: Buffer[] | undefined = await response.toArray().catch(() => undefined);
        const status = String(response.statusCode);
        if (chunks === undefined) resolve({ result: NO_ANSWER });
        else if (body === undefined || status !== '200') resolve({ result: status });
        else resolve({ result: toolResult(Buffer.concat(chunks).toString()) });
      },
    );
    outgoing
      .on('error', (error) => {
        // The service closes a connection that was idle for 5 s, also while this request is on its way (RFC 9112 section 9.3.1).
        const isClosedIdle = outgoing.reusedSocket && errorKind(error) === 'ECONNRESET';
        resolve(isClosedIdle ? send(loadRequest, localAddress, secret) : { result: NO_ANSWER });
      })
      .end(body);
    return promise;
  };
  return {
    send,
    close: () => agent.destroy(),
  };
};
