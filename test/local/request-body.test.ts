// Sends bodies that do not end, are too large or have no reader to the local service.
import { describe, expect, test } from 'vitest';
import { localOptions, shareService } from '../support/local-service.ts';
import { openConnection } from '../support/raw-connection.ts';

const service = shareService(
  localOptions({ ADMIN_TOKEN: 'a-token-of-the-operator-for-tests-only', TRUSTED_PROXIES: '127.0.0.99' }),
);

const JSON_TYPE = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';

const head = (line: string, fields = ''): string => `${line} HTTP/1.1\r\nHost: postern.test\r\n${fields}\r\n`;

const post = (length: number, more = ''): string =>
  head('POST /mcp', `${JSON_TYPE}Content-Length: ${length}\r\n${more}`);

const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const QUARTER = 250_000;

/** Announces a body and sends none of it. */
const holdBody = async (localAddress: string, fields = '', length = QUARTER) => {
  const connection = await openConnection(service.origin, localAddress);
  connection.write(post(length, `${fields}Expect: 100-continue\r\n`));
  await expect.poll(connection.statuses).not.toEqual([]);
  return connection;
};

const ping = async (localAddress: string) => {
  const connection = await openConnection(service.origin, localAddress);
  connection.write(post(PING.length) + PING);
  await expect.poll(connection.statuses).toHaveLength(1);
  return connection.statuses()[0];
};

describe('[running 3] a body', () => {
  test.each([
    ['of a read', head('POST /jack/status/20', 'Content-Length: 6000000\r\n'), 405],
    ['of a GET', head('GET /jack/status/20', 'Content-Length: 6000000\r\n'), 200],
    ['of an unknown route', head('POST /api/v1/nothing', `${JSON_TYPE}${CHUNKED}`), 404],
    ['of a target that is too long', head(`POST /mcp?q=${'a'.repeat(9000)}`, `${JSON_TYPE}${CHUNKED}`), 414],
    ['of another method of the MCP server', head('PUT /mcp', `${JSON_TYPE}${CHUNKED}`), 405],
    ['of an operation without a body', head('DELETE /admin/session', `${JSON_TYPE}${CHUNKED}`), 401],
    ['above the limit of the MCP server', post(262_145), 413],
    ['above the limit of any server', post(1e15), 413],
    ['above the limit, of another type', head('POST /mcp', 'Content-Length: 6000000\r\n'), 415],
    ['above the limit of the admin API', head('POST /admin/session', `${JSON_TYPE}Content-Length: 16385\r\n`), 413],
    ['above the limit, of a stranger', head('POST /api/admin/keys', `${JSON_TYPE}Content-Length: 16385\r\n`), 401],
  ])('%s is not awaited', async (_, bytes, status) => {
    const connection = await openConnection(service.origin);
    connection.write(bytes);
    await expect.poll(connection.statuses).toEqual([status]);
  });

  test('without a length ends at the limit of its route', async () => {
    const connection = await openConnection(service.origin);
    connection.write(head('POST /mcp', JSON_TYPE + CHUNKED));
    connection.write(`40000\r\n${' '.repeat(0x40000)}\r\n`);
    connection.write('1\r\n \r\n');
    await expect.poll(connection.statuses).toEqual([413]);
    expect(connection.received()).toContain('"code":"content_too_large"');
  });

  test('that no route reads is not read as the next request', async () => {
    const connection = await openConnection(service.origin);
    const body = head('GET /api/v1/nothing');
    connection.write(head('POST /jack/status/20', `Content-Length: ${body.length}\r\n`));
    await expect.poll(connection.statuses).toEqual([405]);
    connection.write(body + head('GET /jack/status/20'));
    await expect.poll(connection.statuses).toEqual([405, 200]);
  });

  test('is sent to its end by a client that closes the connection then, and its answer is received', async () => {
    const connection = await openConnection(service.origin);
    connection.write(head('POST /jack/status/20', 'Content-Length: 3000000\r\nConnection: close\r\n'));
    await expect.poll(connection.statuses).toEqual([405]);
    connection.write('a'.repeat(3_000_000));
    const [isBroken] = await connection.closed;
    expect({ isBroken, body: connection.received() }).toEqual({
      isBroken: false,
      body: expect.stringContaining('"code":"method_not_allowed"'),
    });
  });

  test('is asked for by 100 only if its route reads it', async () => {
    const refused = await openConnection(service.origin);
    refused.write(head('POST /jack/status/20', 'Content-Length: 9\r\nExpect: 100-continue\r\n'));
    await expect.poll(refused.statuses).toEqual([405]);
    const accepted = await holdBody('127.0.0.1', '', PING.length);
    expect(accepted.statuses()).toEqual([100]);
    accepted.write(PING);
    await expect.poll(accepted.statuses).toEqual([100, 200]);
  });
});

describe('[running 3] bodies that do not end', () => {
  const BUSY = /"code":"service_busy".*"retry_after":1/;

  test('of one network have room for 1 MB, and others have theirs', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => holdBody('127.0.0.2')));
    expect(held.map(({ statuses }) => statuses())).toEqual([[100], [100], [100], [100]]);
    const refused = await holdBody('127.0.0.2');
    expect(refused.statuses()).toEqual([503]);
    expect(refused.received()).toMatch(BUSY);
    expect(refused.received()).toMatch(/^Retry-After: 1\r$/m);
    expect(await ping('127.0.0.3')).toBe(200);
    for (const { socket } of held) socket.destroy();
    await expect.poll(() => ping('127.0.0.2')).toBe(200);
  });

  test('without a length count as they come', async () => {
    const held = await Promise.all(Array.from({ length: 5 }, () => openConnection(service.origin, '127.0.0.4')));
    for (const { write } of held) write(head('POST /mcp', JSON_TYPE + CHUNKED));
    expect(await ping('127.0.0.4')).toBe(200);
    for (const { write } of held) write(`3d090\r\n${' '.repeat(0x3d090)}\r\n`);
    const statuses = () => held.flatMap((connection) => connection.statuses());
    await expect.poll(statuses).toEqual([503]);
  });

  test('of a network behind a trusted proxy are counted for this network', async () => {
    const through = (ip: string) => holdBody('127.0.0.99', `X-Forwarded-For: ${ip}\r\n`);
    // One customer has a whole /64.
    for (let host = 1; host <= 4; host += 1) await through(`2001:db8::${host}`);
    expect((await through('2001:db8::5')).statuses()).toEqual([503]);
    expect((await through('2001:db8:1::1')).statuses()).toEqual([100]);
  });

  test('of all networks have room for 8 MB', async () => {
    const addresses = Array.from({ length: 8 }, (_, index) => `127.0.1.${index + 1}`);
    for (const address of addresses) await Promise.all(Array.from({ length: 4 }, () => holdBody(address)));
    expect((await holdBody('127.0.1.9')).received()).toMatch(BUSY);
    expect((await service.get('/jack/status/20')).status).toBe(200);
  });
});
