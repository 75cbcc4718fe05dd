// The slimmed undici is judged as Lambda gets it: bundled, then run against loopback servers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../infra/build/bundle.ts';
import { slimUndici, undiciReplacements } from '../../infra/build/undici-plugin.ts';

/** Measured 161,435 with undici 8.12.4; the slack is for esbuild's naming. */
const MOST_BYTES = 164_000;

const PROBE = "export { Agent, request } from 'undici';\nexport const handler = async () => 'ready';\n";

const directory = mkdtempSync(join(tmpdir(), 'undici-bundle-'));
const entry = join(directory, 'probe.ts');
const file = join(directory, 'out', 'probe', 'index.cjs');

let bytes = 0;
let undici: typeof import('undici');

beforeAll(async () => {
  writeFileSync(entry, PROBE);
  const made = await bundle({ entries: { probe: entry }, outDir: join(directory, 'out') });
  bytes = made.bytes.probe ?? 0;
  undici = createRequire(import.meta.url)(file) as typeof import('undici');
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const listen = async (server: TcpServer): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const serve = async (listener: RequestListener): Promise<{ origin: string; connections: () => number }> => {
  const server: Server = createServer(listener);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const host = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://${host}`, connections: () => connections };
};

type AgentOptions = ConstructorParameters<typeof import('undici').Agent>[0];

const agent = (options: AgentOptions = {}): import('undici').Agent => {
  const dispatcher = new undici.Agent({ connections: 4, ...options });
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
};

const patterned = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 31) % 251));

test('the bundle holds one parser and no more of undici than measured', () => {
  const text = readFileSync(file, 'utf8');
  expect(bytes).toBe(Buffer.byteLength(text));
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(text.match(/AGFzbQ/g)).toHaveLength(1);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  expect(text).not.toMatch(/sourceMappingURL/);
});

test('the same sources give the same bytes', async () => {
  const outDir = join(directory, 'again');
  await bundle({ entries: { probe: entry, twin: entry }, outDir });
  for (const name of ['probe', 'twin']) {
    expect(readFileSync(join(outDir, name, 'index.cjs')).equals(readFileSync(file))).toBe(true);
  }
});

test('loading the bundle exports a handler and requires no costly built-in', () => {
  const script = `
    const before = new Set(process.moduleLoadList);
    const loaded = require(${JSON.stringify(file)});
    if (typeof loaded.handler !== 'function') throw new Error('no handler');
    new loaded.Agent();
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => !before.has(name))));`;
  const modules = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as readonly string[];
  const names = modules.map((name) => name.replace('NativeModule ', ''));
  expect(names).toContain('net');
  const costly = [
    'http',
    'https',
    'http2',
    'tls',
    'crypto',
    'zlib',
    'assert',
    'sqlite',
    'worker_threads',
    'perf_hooks',
  ];
  expect(names.filter((name) => costly.includes(name) || name.includes('undici'))).toEqual([]);
});

test('one hundred requests in a row share one connection', async () => {
  const seen: unknown[] = [];
  const { origin, connections } = await serve((incoming, response) => {
    seen.push([incoming.method, incoming.url, incoming.headers['x-probe'], incoming.headers.host]);
    response.end(JSON.stringify({ path: incoming.url }));
  });
  const dispatcher = agent({ connections: 1 });
  for (let index = 0; index < 100; index += 1) {
    const answer = await undici.request(`${origin}/2/status/${index}?lang=en#part`, {
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

test('a pool opens a second connection at most for requests in a row', async () => {
  // A client is free again one turn of the event loop after its body ends; undici as published does the same.
  const { origin, connections } = await serve((_, response) => response.end('fine'));
  const dispatcher = agent({ connections: 8 });
  for (let index = 0; index < 50; index += 1) await (await undici.request(origin, { dispatcher })).body.text();
  expect(connections()).toBeLessThanOrEqual(2);
});

test('https works, reuses its connection and never offers HTTP/2', async () => {
  // A pre-shared key instead of a certificate: no private key has to live in the repository.
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
  const dispatcher = agent({ connections: 1, allowH2: true, connect });
  for (let index = 0; index < 3; index += 1) {
    const { body } = await undici.request(`https://${host}/`, { dispatcher });
    expect(await body.text()).toBe('over tls');
  }
  expect(offered).toEqual([['http/1.1']]);
});

test('a body is read whole, by chunks, with a length and without', async () => {
  const payload = patterned(1_500_000);
  const { origin } = await serve((incoming, response) => {
    if (incoming.url === '/length') response.setHeader('content-length', payload.length);
    response.write(payload.subarray(0, 10));
    response.end(payload.subarray(10));
  });
  const dispatcher = agent();
  for (const path of ['/length', '/chunked']) {
    const whole = await undici.request(origin + path, { dispatcher });
    expect(Buffer.from(await whole.body.arrayBuffer()).equals(payload)).toBe(true);
    const chunks: Buffer[] = [];
    for await (const chunk of (await undici.request(origin + path, { dispatcher })).body) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(payload)).toBe(true);
  }
});

test('gzip bytes pass through untouched', async () => {
  const zipped = gzipSync(patterned(20_000));
  const { origin } = await serve((_, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(zipped);
  });
  const { headers, body } = await undici.request(origin, {
    dispatcher: agent(),
    headers: { 'accept-encoding': 'gzip' },
  });
  const received = Buffer.from(await body.arrayBuffer());
  expect(headers['content-encoding']).toBe('gzip');
  expect(received.equals(zipped)).toBe(true);
  expect(gunzipSync(received).equals(patterned(20_000))).toBe(true);
});

test('a redirect is answered, not followed', async () => {
  const paths: unknown[] = [];
  const { origin } = await serve((incoming, response) => {
    paths.push(incoming.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const { statusCode, headers, body } = await undici.request(`${origin}/here`, { dispatcher: agent() });
  await body.arrayBuffer();
  expect([statusCode, headers.location, paths]).toEqual([302, '/elsewhere', ['/here']]);
});

test('a signal ends a request before and after its headers, with its reason', async () => {
  const late = new Error('too late');
  const silent = new AbortController();
  const half = new AbortController();
  const { origin } = await serve((incoming, response) => {
    if (incoming.url === '/half') response.writeHead(200, { 'content-length': 100 }).write('half');
    else silent.abort(late);
  });
  const dispatcher = agent();

  const send = () => undici.request(`${origin}/silent`, { dispatcher, signal: silent.signal });
  await expect(send()).rejects.toBe(late);
  // Already aborted before it is sent.
  await expect(send()).rejects.toBe(late);

  const { body } = await undici.request(`${origin}/half`, { dispatcher, signal: half.signal });
  const reading = body.arrayBuffer();
  half.abort(late);
  await expect(reading).rejects.toBe(late);
});

test('a reset connection is an error, in the headers, in the body and when reused', async () => {
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
  const send = async (path: string): Promise<string> =>
    (await undici.request(origin + path, { dispatcher })).body.text();

  const reset = { code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/) };
  await expect(send('/headers')).rejects.toMatchObject(reset);
  await expect(send('/body')).rejects.toThrow();
  expect(await send('/fine')).toBe('fine');
  await expect(send('/headers')).rejects.toMatchObject(reset);
  expect(await send('/fine')).toBe('fine');
  // No request was sent twice.
  expect([calls, connections()]).toEqual([5, 4]);
});

test('silence in the handshake, the headers and the body each has its time-out', async () => {
  const { origin } = await serve((incoming, response) => {
    if (incoming.url === '/body') response.writeHead(200, { 'content-length': 100 }).write('part');
  });
  const mute = createTcpServer((socket) => onTestFinished(() => void socket.destroy()));
  const host = await listen(mute);
  onTestFinished(() => void mute.close());
  const dispatcher = agent({ headersTimeout: 20, bodyTimeout: 20, connect: { timeout: 20 } });

  const connecting = undici.request(`https://${host}/`, { dispatcher });
  const headers = undici.request(`${origin}/headers`, { dispatcher });
  const body = undici.request(`${origin}/body`, { dispatcher }).then((answer) => answer.body.arrayBuffer());
  await Promise.all([
    expect(connecting).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' }),
    expect(headers).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' }),
    expect(body).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' }),
  ]);
});

test('an answer that is too large or is not HTTP is an error', async () => {
  const { origin } = await serve((_, response) => response.end(patterned(5_000)));
  const capped = await undici.request(origin, { dispatcher: agent({ maxResponseSize: 1_000 }) });
  await expect(capped.body.arrayBuffer()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });

  const babbler = createTcpServer((socket) => void socket.on('error', () => undefined).end('BABBLE\r\n\r\n'));
  const host = await listen(babbler);
  onTestFinished(() => void babbler.close());
  await expect(undici.request(`http://${host}/`, { dispatcher: agent() })).rejects.toMatchObject({
    name: 'HTTPParserError',
    message: expect.stringContaining('Expected HTTP/'),
  });
});

test('what was left out refuses instead of misbehaving', async () => {
  const { origin } = await serve((incoming, response) => void incoming.pipe(response));
  const dispatcher = agent();
  const echoed = await undici.request(origin, { dispatcher, method: 'POST', body: 'words' });
  expect(await echoed.body.text()).toBe('words');

  const form = new FormData() as unknown as import('undici').FormData;
  await expect(undici.request(origin, { dispatcher, method: 'POST', body: form })).rejects.toThrow(/FormData/);
  await expect(undici.request(origin)).rejects.toThrow(/pass one/);
  await expect(undici.request('ftp://example.org', { dispatcher })).rejects.toThrow(/Invalid URL/);
});

const buildWith = (replacements: Readonly<Record<string, () => string>>, stdin = PROBE): Promise<unknown> =>
  build({
    stdin: { contents: stdin, resolveDir: directory },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
    plugins: [slimUndici(replacements)],
  });

test('the build fails when a replaced path is gone from the package', async () => {
  await expect(buildWith({ ...undiciReplacements, 'lib/dispatcher/client-h9.js': () => '' })).rejects.toThrow(
    'undici has no lib/dispatcher/client-h9.js',
  );
});

test('the build fails when a replaced path is no longer reached', async () => {
  const unreached = { ...undiciReplacements, 'lib/mock/mock-agent.js': () => '', 'node:dgram': () => '' };
  await expect(buildWith(unreached)).rejects.toThrow('undici no longer leads to lib/mock/mock-agent.js');
  await expect(buildWith(unreached)).rejects.toThrow('undici no longer leads to node:dgram');
});

test('the build fails when undici leads to a room that nothing replaces', async () => {
  const { 'lib/web/fetch/body.js': _, ...rest } = undiciReplacements;
  await expect(buildWith(rest)).rejects.toThrow('undici leads to lib/web/fetch/body.js');
});

test('a bundle can import nothing else of undici, and need not import it', async () => {
  await expect(buildWith(undiciReplacements, "export { fetch } from 'undici';")).rejects.toThrow('"fetch"');
  await expect(buildWith(undiciReplacements, 'export const handler = () => 1;')).resolves.toBeDefined();
});
