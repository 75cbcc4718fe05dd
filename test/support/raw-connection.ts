// Sends bytes on one connection and reads the answers as they come.
import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** The connection is closed when the test ends. @param localAddress the caller, in 127.0.0.0/8 */
export const openConnection = async (origin: string, localAddress = '127.0.0.1') => {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    received += bytes;
  });
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return {
    socket,
    closed,
    write: (text: string): void => void socket.write(text),
    received: () => received,
    /** The status codes of the answers so far. */
    statuses: () => [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)),
  };
};
