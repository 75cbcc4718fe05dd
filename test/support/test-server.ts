// Starts a server on loopback for one test.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen, stop } from '../../infra/local/listen.ts';

/** The server is stopped when the test ends. @returns its origin */
export const startTestServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return origin;
};

/** Starts a server below HTTP, which is stopped when the test ends. @param onConnection gets each connection */
export const startByteServer = async (onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<URL> => {
  const server = createTcpServer((socket) => onConnection(socket.on('error', () => undefined)));
  const origin = await listen(server, host, 0);
  onTestFinished(() => void server.close());
  return new URL(origin);
};
