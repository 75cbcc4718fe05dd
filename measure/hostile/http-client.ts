// Sends generated requests to a service as they are, over connections that stay open, and raw bytes over new ones.
import { Agent } from 'node:http';
import { connect } from 'node:net';
import type { HostileRequest } from '../../test/generators/requests.ts';
import type { JudgedAnswer } from '../../test/support/answer-oracle.ts';
import { send } from '../../test/support/send.ts';

const TIMEOUT_MILLISECONDS = 60_000;
/** Fair use counts per address, and a refusal would hide the answer to the input. */
const ADDRESSES = 250;

export type HostileClient = ReturnType<typeof createHostileClient>;

export const createHostileClient = (origin: string) => {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let sentRequests = 0;
  return {
    send({ method, target, headers, body = '' }: HostileRequest): Promise<JudgedAnswer> {
      sentRequests += 1;
      const localAddress = `127.0.0.${1 + (sentRequests % ADDRESSES)}`;
      const query = { target, headers, ...(body !== '' && { body }) };
      return send(origin, query, { method, agent, localAddress, timeout: TIMEOUT_MILLISECONDS });
    },
    /** @returns everything that the service sent until it closed the connection */
    sendRaw(bytes: Buffer): Promise<Buffer> {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const chunks: Buffer[] = [];
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false });
      socket.setTimeout(TIMEOUT_MILLISECONDS, () => {
        socket.destroy();
        reject(new Error('the connection stays open'));
      });
      socket.on('data', (chunk) => void chunks.push(chunk));
      // A server may close while the rest is sent: RFC 9112 section 9.6.
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(Buffer.concat(chunks)));
      socket.end(bytes);
      return promise;
    },
    close: () => agent.destroy(),
  };
};
