// Checks that the parts of the service reach each other: the store and the sample answer on the loopback interface.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { errorKind } from '../../shared/model/json.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';
import { listen } from './listen.ts';

const CONNECT_MILLISECONDS = 1500;

/**
 * @param host an address of the loopback interface
 * @throws Error that says what to do, because a container or a machine may have the interface down
 */
export const requireLoopback = async (host: string = localDefaults.host): Promise<void> => {
  const server = createServer((socket) => socket.destroy());
  try {
    const { port } = new URL(await listen(server, host, 0));
    const signal = AbortSignal.timeout(CONNECT_MILLISECONDS);
    const socket = connect({ host, port: Number(port), signal });
    await once(socket, 'connect').finally(() => socket.destroy());
  } catch (error) {
    throw new Error(
      `the loopback interface is down or blocked (${host}: ${errorKind(error)}), and the service needs it for its store and its sample. Bring it up: ip link set lo up`,
    );
  } finally {
    server.close();
  }
};
