// Starts and stops an HTTP server.
import type { Server, ServerResponse } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * @param port 0 for any free port
 * @returns the origin of the server, without a trailing slash
 */
export const listen = async (server: TcpServer, host: string, port: number): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  // A server on all addresses is reached by that of the machine itself.
  const ip = address.address.replace(/^(?:0\.0\.0\.0|::)$/, '127.0.0.1');
  return `http://${ip.includes(':') ? `[${ip}]` : ip}:${address.port}`;
};

/** Node emits one of them for each request, the others only for a request with an expectation. */
export const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Connections that are idle for this time when the service stops are closed. */
const IDLE_MILLISECONDS = 300;
const POLL_MILLISECONDS = 50;

/**
 * Prepares a server to stop without losing an answer.
 *
 * @returns answers what is in flight and what arrives on open connections, tells clients to close them, and accepts no
 * further connection; after `milliseconds`, or if there is no connection, it closes all
 */
export const drainable = (server: Server): ((milliseconds: number) => Promise<void>) => {
  const pending = new Set<ServerResponse>();
  let isStopping = false;
  const count = (_: unknown, response: ServerResponse): void => {
    if (isStopping) response.shouldKeepAlive = false;
    pending.add(response);
    response.once('close', () => pending.delete(response));
  };
  for (const event of REQUEST_EVENTS) server.prependListener(event, count);
  return async (milliseconds) => {
    const end = performance.now() + milliseconds;
    const connections = promisify(server.getConnections.bind(server));
    isStopping = true;
    for (const response of pending) if (!response.headersSent) response.shouldKeepAlive = false;
    if ((await connections()) > 0) await setTimeout(Math.min(IDLE_MILLISECONDS, milliseconds));
    server.close();
    while (pending.size > 0 && performance.now() < end) await setTimeout(POLL_MILLISECONDS);
    // The last answers may still be on their way to the socket.
    if ((await connections()) > 0) await setTimeout(POLL_MILLISECONDS);
  };
};

/** Closes all connections, also those with a pending request. */
export const stop = async (server: Server): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
};
