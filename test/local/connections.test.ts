// Opens more connections than the local service keeps waiting, and inspects how long it keeps one.
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boundConnections, SERVER_OPTIONS } from '../../infra/local/connections.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import { openConnection } from '../support/raw-connection.ts';

const NO_PROXY = '127.0.0.99';

/** A server that answers `/` at once, and `/held` never. */
const startServer = async (proxy = NO_PROXY) => {
  const server = createServer(SERVER_OPTIONS, ({ url }, response) => void (url === '/' && response.end('answer')));
  boundConnections(server, (ip) => ip === proxy);
  const origin = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return { server, origin };
};

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n';
const HELD = 'GET /held HTTP/1.1\r\nHost: a\r\n\r\n';

/** Opens them one after the other, so that their order is known. */
const open = async (origin: string, count: number, localAddress: string, bytes = HEAD) => {
  const opened: Awaited<ReturnType<typeof openConnection>>[] = [];
  for (let index = 0; index < count; index += 1) {
    const connection = await openConnection(origin, localAddress);
    connection.write(bytes);
    opened.push(connection);
  }
  return opened;
};

const isOpen = ({ socket }: { readonly socket: { readonly closed: boolean } }): boolean => !socket.closed;

describe('[running 3] heads that do not end', () => {
  test('of one network are 128 at most, of which the oldest goes', async () => {
    const { origin } = await startServer();
    const [other] = await open(origin, 1, '127.0.0.3');
    const heads = await open(origin, 130, '127.0.0.2');
    await expect.poll(() => heads.filter(isOpen)).toHaveLength(128);
    expect(heads.slice(0, 2).some(isOpen)).toBe(false);
    other?.write('\r\n');
    await expect.poll(() => other?.statuses()).toEqual([200]);
  });

  test('of all networks are 512 at most, of which those of the greediest network go', async () => {
    const { origin } = await startServer();
    const openAtOnce = (count: number, address: string) =>
      Promise.all(Array.from({ length: count }, () => open(origin, 1, address)));
    const few = await openAtOnce(60, '127.0.0.2');
    const many = await Promise.all([3, 4, 5, 6, 7].map((network) => openAtOnce(100, `127.0.0.${network}`)));
    const all = [few, ...many].flat(2);
    await expect.poll(() => all.filter(isOpen)).toHaveLength(512);
    expect(few.flat().every(isOpen)).toBe(true);
  });

  test('of a trusted proxy have no bound of their own', async () => {
    const { origin } = await startServer('127.0.0.2');
    const heads = await open(origin, 130, '127.0.0.2');
    const [last] = heads.slice(-1);
    last?.write('\r\n');
    await expect.poll(() => last?.statuses()).toEqual([200]);
    expect(heads.every(isOpen)).toBe(true);
  });

  test('leave the connections whose request is being answered', async () => {
    const { origin } = await startServer();
    const held = await open(origin, 5, '127.0.0.2', HELD);
    const idle = await open(origin, 1, '127.0.0.2', `${HEAD}\r\n`);
    await expect.poll(() => idle[0]?.statuses()).toEqual([200]);
    const heads = await open(origin, 128, '127.0.0.2');
    await expect.poll(() => [...idle, ...heads].filter(isOpen)).toHaveLength(128);
    expect(held.every(isOpen)).toBe(true);
    expect(idle.some(isOpen)).toBe(false);
  });
});

test('[running 5] an idle connection is kept for 130 s, and a request must be received in 30 s', async () => {
  const { server, origin } = await startServer();
  const [connection] = await open(origin, 1, '127.0.0.1', `${HEAD}\r\n`);
  await expect.poll(() => connection?.received()).toMatch(/^Keep-Alive: timeout=130\r$/m);
  const { keepAliveTimeout, headersTimeout, requestTimeout, timeout } = server;
  expect({ keepAliveTimeout, headersTimeout, requestTimeout, timeout }).toEqual({
    keepAliveTimeout: 130_000,
    headersTimeout: 30_000,
    requestTimeout: 30_000,
    timeout: 0,
  });
});
