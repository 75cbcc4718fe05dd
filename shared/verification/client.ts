// Sends requests to the verified service over node:http, because fetch hides repeated header lines, follows redirects
// and normalizes paths.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as netConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer, Probe } from './answer.ts';

/** Longer than the service needs for any answer. */
const TIMEOUT_MILLISECONDS = 15_000;

const USER_AGENT = 'postern-verify';

const isEncrypted = (origin: URL): boolean => origin.protocol === 'https:';

const portOf = (origin: URL): number => Number(origin.port) || (isEncrypted(origin) ? 443 : 80);

/** `[::1]` in a URL is `::1` for a socket. */
const hostOf = (origin: URL): string => origin.hostname.replace(/^\[|\]$/g, '');

const decode = (bytes: Buffer, coding: string | undefined): string => {
  if (coding === 'gzip') return gunzipSync(bytes).toString();
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return bytes.toString();
};

const headerLines = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as const] : []));

const readAnswer = async (response: IncomingMessage, target: string, probe: Probe): Promise<Answer> => {
  const bytes = Buffer.concat(await response.toArray());
  return {
    target,
    probe,
    status: response.statusCode ?? 0,
    lines: headerLines(response.rawHeaders),
    body: decode(bytes, bytes.length === 0 ? undefined : response.headers['content-encoding']),
    bytes: bytes.length,
  };
};

/**
 * @param target path and query, sent unchanged
 * @throws Error if there is no complete answer in 15 seconds
 */
export const sendProbe = (origin: URL, target: string, probe: Probe, options: RequestOptions = {}): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { method = 'GET', headers = {}, body = '' } = probe;
  const send = isEncrypted(origin) ? httpsRequest : httpRequest;
  const request = send(
    {
      ...options,
      hostname: hostOf(origin),
      port: portOf(origin),
      path: target,
      method,
      headers: {
        'User-Agent': USER_AGENT,
        ...headers,
        ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    },
    (response) => void readAnswer(response, target, probe).then(resolve, reject),
  );
  request.on('error', reject).end(body);
  return promise;
};

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Counts the bytes after the header section of the answer to HEAD. HTTP clients discard them.
 *
 * @throws Error if there is no complete answer in 15 seconds
 */
export const countHeadBytes = (origin: URL, target: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const host = hostOf(origin);
  const socket = isEncrypted(origin)
    ? tlsConnect({ host, port: portOf(origin), servername: host, ALPNProtocols: ['http/1.1'] })
    : netConnect({ host, port: portOf(origin) });
  const chunks: Buffer[] = [];
  socket
    .setTimeout(TIMEOUT_MILLISECONDS, () => socket.destroy(new Error('HEAD: no answer in time')))
    .on('data', (chunk: Buffer) => void chunks.push(chunk))
    .on('error', reject)
    .on('end', () => {
      const bytes = Buffer.concat(chunks);
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) reject(new Error('HEAD: the connection ended within the header section'));
      else resolve(bytes.length - end - END_OF_HEAD.length);
    });
  socket.write(
    `HEAD ${target} HTTP/1.1\r\nHost: ${origin.host}\r\nUser-Agent: ${USER_AGENT}\r\nConnection: close\r\n\r\n`,
  );
  return promise;
};
