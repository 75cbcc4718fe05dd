// Starts an HTTP server on loopback for one test.
import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen, stop } from '../../infra/local/listen.ts';

/** The server is stopped when the test ends. @returns its origin */
export const startTestServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return origin;
};
