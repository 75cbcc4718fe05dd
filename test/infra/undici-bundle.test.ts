// Tests the stubbed undici as Lambda runs it: bundled, against loopback servers.
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../infra/build/bundle.ts';
import { undiciStubs } from '../../infra/build/package-stubs.ts';
import { bundleProbe, fromProject, modulesLoadedBy } from '../support/bundled-files.ts';
import { startTestServer } from '../support/test-server.ts';

/** 166,590 bytes with undici 8.12.4. The margin is for the names that esbuild chooses. */
const MAX_BYTES = 169_000;

const PROBE = "export { Agent } from 'undici';\nexport const handler = async () => 'ready';\n";

const probe = await bundleProbe(PROBE);
afterAll(probe.remove);
const undici: Pick<typeof import('undici'), 'Agent'> = createRequire(import.meta.url)(probe.file);

const listen = async (server: TcpServer): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const serve = async (listener: RequestListener): Promise<{ origin: string; connections: () => number }> => {
  const sockets = new Set<unknown>();
  const origin = await startTestServer((incoming, response) => {
    sockets.add(incoming.socket);
    listener(incoming, response);
  });
  return { origin, connections: () => sockets.size };
};

type AgentOptions = ConstructorParameters<typeof import('undici').Agent>[0];

const agent = (options: AgentOptions = {}): import('undici').Agent => {
  const dispatcher = new undici.Agent({ connections: 4, ...options });
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
};

const patterned = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 31) % 251));

test('the undici bundle has one parser, is ASCII and stays below its maximum size', () => {
  expect(probe.code.length).toBeGreaterThan(100_000);
  expect(probe.code.length).toBeLessThanOrEqual(MAX_BYTES);
  expect(probe.code).toMatch(/^[\0-\x7f]*$/);
  expect(probe.code.match(/AGFzbQ/g)).toHaveLength(1);
  expect(probe.code).not.toMatch(/sourceMappingURL/);
});

test('the undici bundle contains every stub', () => {
  const files = probe.files.map((file) => file.replace(/^.*node_modules\/|^stub:/, ''));
  expect(files).toEqual(expect.arrayContaining(Object.keys(undiciStubs.stubs)));
});

test('the undici bundle has no unstubbed file of the features that the service does not use', () => {
  const unused = /undici\/lib\/(?:web|milo|mock|cache|interceptor|handler|encoding)\//;
  const files = probe.files.map((file) => file.replace(/^.*node_modules\//, ''));
  expect(files.filter((file) => unused.test(file) && !Object.hasOwn(undiciStubs.stubs, file))).toEqual([]);
});

test('two builds of the same sources give the same bytes', async () => {
  const { directory, entry, code } = probe;
  const outDir = join(directory, 'again');
  await bundle({ entries: { probe: entry, twin: entry }, outDir, plugins: [fromProject(entry)] });
  for (const name of ['probe', 'twin']) expect(readFileSync(join(outDir, name, 'bundle.cjs'), 'utf8')).toBe(code);
});

test('the undici bundle requires no expensive built-in when it is loaded', () => {
  const names = modulesLoadedBy(probe, 'new loaded.Agent();');
  expect(names).toContain('net');
  const expensive = 'https http2 tls crypto zlib assert sqlite worker_threads perf_hooks'.split(' ');
  expect(names.filter((name) => expensive.includes(name) || name.includes('undici'))).toEqual([]);
});

test('the Agent uses one connection when 100 requests follow each other', async () => {
  const seen: unknown[] = [];
  const { origin, connections } = await serve((incoming, response) => {
    seen.push([incoming.method, incoming.url, incoming.headers['x-probe'], incoming.headers.host]);
    response.end(JSON.stringify({ path: incoming.url }));
  });
  const dispatcher = agent({ connections: 1 });
  for (let index = 0; index < 100; index += 1) {
    const answer = await request(`${origin}/2/status/${index}?lang=en#part`, {
      dispatcher,
      method: 'GET',
      headers: { 'x-probe': `${index}` },
    });
    expect(answer.statusCode).toBe(200);
    expect(await answer.body.json()).toEqual({ path: `/2/status/${index}?lang=en` });
  }
  expect(connections()).toBe(1);
  expect(seen[7]).toEqual(['GET', '/2/status/7?lang=en', '7', origin.slice('http://'.length)]);
});

test('the Agent reuses its TLS connection and does not offer HTTP/2 when it must not', async () => {
  // With a pre-shared key the repository needs no private key.
  const psk = Buffer.from('0123456789abcdef');
  const ciphers = 'PSK+AES128';
  const offered: unknown[] = [];
  const ALPNCallback = ({ protocols }: { readonly protocols: readonly string[] }): string => {
    offered.push(protocols);
    return 'http/1.1';
  };
  const server = createTlsServer({ pskCallback: () => psk, ciphers, ALPNCallback }, (_, response) =>
    response.end('over tls'),
  );
  const host = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const connect = { ciphers, checkServerIdentity: () => undefined, pskCallback: () => ({ psk, identity: 'probe' }) };
  const dispatcher = agent({ connections: 1, allowH2: false, connect });
  for (let index = 0; index < 3; index += 1) {
    const { body } = await request(`https://${host}/`, { dispatcher });
    expect(await body.text()).toBe('over tls');
  }
  expect(offered).toEqual([['http/1.1']]);
});

test('a request rejects and is not repeated when the connection is reset', async () => {
  let calls = 0;
  const { origin, connections } = await serve((incoming, response) => {
    calls += 1;
    if (incoming.url === '/fine') response.end('fine');
    else if (incoming.url === '/body') {
      response.writeHead(200, { 'content-length': 100 });
      response.write('part', () => incoming.socket.resetAndDestroy());
    } else incoming.socket.resetAndDestroy();
  });
  const dispatcher = agent({ connections: 1 });
  const send = async (path: string): Promise<string> => (await request(origin + path, { dispatcher })).body.text();

  const reset = { code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/) };
  await expect(send('/headers')).rejects.toMatchObject(reset);
  await expect(send('/body')).rejects.toThrow();
  expect(await send('/fine')).toBe('fine');
  await expect(send('/headers')).rejects.toMatchObject(reset);
  expect(await send('/fine')).toBe('fine');
  expect([calls, connections()]).toEqual([5, 4]);
});

test('a request rejects with its own timeout code when the handshake, the headers or the body do not arrive', async () => {
  const { origin } = await serve((incoming, response) => {
    if (incoming.url === '/body') response.writeHead(200, { 'content-length': 100 }).write('part');
  });
  const mute = createTcpServer((socket) => onTestFinished(() => void socket.destroy()));
  const host = await listen(mute);
  onTestFinished(() => void mute.close());
  const connecting = request(`https://${host}/`, { dispatcher: agent({ connect: { timeout: 20 } }) });
  const headers = request(`${origin}/headers`, { dispatcher: agent({ headersTimeout: 20 }) });
  const body = request(`${origin}/body`, { dispatcher: agent({ bodyTimeout: 20 }) }).then((answer) =>
    answer.body.arrayBuffer(),
  );
  await Promise.all([
    expect(connecting).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' }),
    expect(headers).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' }),
    expect(body).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' }),
  ]);
});

test('a request rejects when the response is too large or is not HTTP', async () => {
  const { origin } = await serve((_, response) => response.end(patterned(5_000)));
  const capped = await request(origin, { dispatcher: agent({ maxResponseSize: 1_000 }) });
  await expect(capped.body.arrayBuffer()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });

  const garbled = createTcpServer((socket) => void socket.on('error', () => undefined).end('GARBLED\r\n\r\n'));
  const host = await listen(garbled);
  onTestFinished(() => void garbled.close());
  await expect(request(`http://${host}/`, { dispatcher: agent() })).rejects.toMatchObject({
    name: 'HTTPParserError',
    message: expect.stringContaining('Expected HTTP/'),
  });
});

test('a request rejects when the call needs a feature that is a stub', async () => {
  const { origin } = await serve((incoming, response) => void incoming.pipe(response));
  const dispatcher = agent();
  const echoed = await request(origin, { dispatcher, method: 'POST', body: 'text' });
  expect(await echoed.body.text()).toBe('text');

  const form = new FormData() as unknown as import('undici').FormData;
  await expect(request(origin, { dispatcher, method: 'POST', body: form })).rejects.toThrow(/FormData/);
});
