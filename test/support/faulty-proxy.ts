// Forwards requests to a service and plants a fault in its answers.
import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen, stop } from '../../infra/local/listen.ts';

export interface ProxiedRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface ProxiedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Further header lines, also of a field that `headers` has. */
  readonly more?: readonly string[];
}

/** @returns the changed answer; the same answer leaves it as it is */
export type Fault = (asked: ProxiedRequest, answer: ProxiedAnswer) => ProxiedAnswer;

/** Header fields that belong to one connection. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];

/** @param localAddress the IP address of the client network that the service sees */
const forward = (
  origin: string,
  { method, target, headers, body }: ProxiedRequest,
  localAddress: string,
): Promise<ProxiedAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<ProxiedAnswer>();
  const { hostname, port, host } = new URL(origin);
  const options = { hostname, port, method, path: target, headers: { ...headers, host }, agent: false, localAddress };
  request(options, async (response) => {
    const bytes = Buffer.concat(await response.toArray());
    const lines = Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name));
    resolve({
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(lines.map(([name, value]) => [name, String(value)])),
      body: bytes,
    });
  })
    .on('error', reject)
    .end(body);
  return promise;
};

/** The header section and the body as bytes, since node:http sends no body to HEAD. */
const wireBytes = ({ status, headers, body, more = [] }: ProxiedAnswer): Buffer => {
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(body.length) };
  const fields = { ...headers, ...length, connection: 'close' };
  const lines = [...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), ...more];
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Planted\r\n${lines.join('\r\n')}\r\n\r\n`), body]);
};

let networks = 0;

/** Each proxy is a client network of its own, and stops when the test ends. @returns its origin */
export const startFaultyProxy = async (origin: string, fault: Fault): Promise<string> => {
  networks += 1;
  const localAddress = `127.3.${Math.floor(networks / 250)}.${1 + (networks % 250)}`;
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const asked = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers: incoming.headers, body };
    const answer = fault(asked, await forward(origin, asked, localAddress));
    response.socket?.end(wireBytes(answer));
  });
  const address = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => stop(server));
  return address;
};
