// Finds a port of this machine for a program that must be told its port.
import { createServer } from 'node:http';
import { listen, stop } from '../../infra/local/listen.ts';

export const freePort = async (): Promise<number> => {
  const server = createServer();
  const { port } = new URL(await listen(server, '127.0.0.1', 0));
  await stop(server);
  return Number(port);
};
