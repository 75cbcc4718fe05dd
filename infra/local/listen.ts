// Starts and stops an HTTP server.
import type { Server } from 'node:http';

/**
 * @param port 0 for any free port
 * @returns the origin of the server, without a trailing slash
 */
export const listen = async (server: Server, host: string, port: number): Promise<string> => {
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

/** Closes all connections, also those with a pending request. */
export const stop = async (server: Server): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
};
