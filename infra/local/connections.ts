// Bounds the connections of strangers. A connection waits while it has no whole head of a request: it is new, idle between
// two requests, or its head has not ended. If too many wait, the one goes that has waited longest, of the network that has
// most of them. Connections whose request is being answered stay.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import { REQUEST_EVENTS } from './listen.ts';

/** With the request line. Node parses no more. */
const MAX_HEAD_BYTES = 32_768;

/** Node keeps no more fields of a head, each of which costs more than its bytes. */
export const MAX_HEAD_FIELDS = 200;

/** A head and its body are received within this time. */
const REQUEST_MILLISECONDS = 30_000;

/** Longer than proxies keep their connections (Caddy 120 s, nginx and load balancers 60 s), so that none meets its end. */
const IDLE_MILLISECONDS = 130_000;

/** How often Node looks for requests that take too long. */
const CHECK_MILLISECONDS = 5000;

export const SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  // cloudfront.ts rejects a missing Host with a problem document; Node would answer without a body.
  requireHostHeader: false,
  headersTimeout: REQUEST_MILLISECONDS,
  requestTimeout: REQUEST_MILLISECONDS,
  keepAliveTimeout: IDLE_MILLISECONDS,
  // Node closes an idle connection this much later than it says (default 1 s).
  keepAliveTimeoutBuffer: CHECK_MILLISECONDS,
  connectionsCheckingInterval: CHECK_MILLISECONDS,
} as const;

/** A browser opens six. */
const MAX_WAITING_OF_NETWORK = 128;
/** Unfinished heads of this number keep less than 32 MB. */
const MAX_WAITING = 512;

interface Connection {
  readonly network: string;
  /** Several if the client does not wait for an answer before its next request. */
  requests: number;
}

/** @param isProxy a trusted proxy, whose connections are of many networks */
export const boundConnections = (server: Server, isProxy: (ip: string) => boolean): void => {
  const connections = new WeakMap<Socket, Connection>();
  /** By network, in the order in which they began to wait. */
  const waiting = new Map<string, Set<Socket>>();
  let count = 0;

  const remove = (socket: Socket, network: string): void => {
    const sockets = waiting.get(network);
    if (sockets?.delete(socket) !== true) return;
    count -= 1;
    if (sockets.size === 0) waiting.delete(network);
  };

  const endOldestOf = (network: string): void => {
    const [oldest] = waiting.get(network) ?? [];
    if (oldest === undefined) return;
    remove(oldest, network);
    oldest.destroy();
  };

  const greediest = (): string => {
    let [found, most] = ['', 0];
    for (const [network, { size }] of waiting) if (size > most) [found, most] = [network, size];
    return found;
  };

  const add = (socket: Socket, network: string): void => {
    const sockets = waiting.get(network) ?? new Set();
    waiting.set(network, sockets.add(socket));
    count += 1;
    if (sockets.size > MAX_WAITING_OF_NETWORK && !isProxy(socket.remoteAddress ?? '')) endOldestOf(network);
    else if (count > MAX_WAITING) endOldestOf(greediest());
  };

  server.maxHeadersCount = MAX_HEAD_FIELDS;
  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress);
    connections.set(socket, { network, requests: 0 });
    socket.once('close', () => remove(socket, network));
    add(socket, network);
  });
  const countRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    remove(socket, connection.network);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && !socket.destroyed) add(socket, connection.network);
    });
  };
  for (const event of REQUEST_EVENTS) server.on(event, countRequest);
};
