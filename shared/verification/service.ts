// Gives the checks their access to the verified service. It remembers every answer for the checks over all answers, and
// sends a plain GET only once.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as netConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { asRecord, type JsonRecord } from '../model/json.ts';
import type { WallClock } from '../ports/system.ts';
import { type Answer, jsonOf, type Probe, textMember } from './answer.ts';

// Requests go over node:http, because fetch hides repeated header lines, follows redirects
// and normalizes paths.

/** Longer than the service needs for any answer. */
const TIMEOUT_MILLISECONDS = 15_000;

/** More than the 6 MB of the largest answer of Lambda. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

const USER_AGENT = 'postern-verify';

const isEncrypted = (origin: URL): boolean => origin.protocol === 'https:';

const portOf = (origin: URL): number => Number(origin.port) || (isEncrypted(origin) ? 443 : 80);

/** `[::1]` in a URL is `::1` for a socket. */
const hostOf = (origin: URL): string => origin.hostname.replace(/^\[|\]$/g, '');

const decode = (bytes: Buffer, coding: string | undefined): string => {
  if (coding === 'gzip') return gunzipSync(bytes, { maxOutputLength: MAX_ANSWER_BYTES }).toString();
  if (coding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: MAX_ANSWER_BYTES }).toString();
  return bytes.toString();
};

const headerLines = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as const] : []));

/** Throws before the bytes of a server that never ends fill the memory. */
const addChunk = (chunks: Buffer[], size: number, chunk: Buffer): number => {
  if (size + chunk.length > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
  chunks.push(chunk);
  return size + chunk.length;
};

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) size = addChunk(chunks, size, chunk);
  return Buffer.concat(chunks);
};

const readAnswer = async (response: IncomingMessage, target: string, probe: Probe): Promise<Answer> => {
  const bytes = await readBody(response);
  return {
    target,
    probe,
    status: response.statusCode ?? 0,
    lines: headerLines(response.rawHeaders),
    body: decode(bytes, bytes.length === 0 ? undefined : response.headers['content-encoding']),
    bytes: bytes.length,
  };
};

const timeLimit = (signal: AbortSignal | undefined): AbortSignal => {
  const limit = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
};

export interface Client {
  readonly sendProbe: (origin: URL, target: string, probe: Probe, options?: RequestOptions) => Promise<Answer>;
  readonly countHeadBytes: (
    origin: URL,
    target: string,
    headers?: Probe['headers'],
    signal?: AbortSignal,
  ) => Promise<number>;
}

/**
 * @param target path and query, sent unchanged
 * @param options its signal ends the request earlier
 * @throws Error if there is no complete answer in 15 seconds, or if it is larger than MAX_ANSWER_BYTES
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
      signal: timeLimit(options.signal),
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
 * @throws Error if there is no complete answer in 15 seconds, or if it is larger than MAX_ANSWER_BYTES
 */
export const countHeadBytes = (
  origin: URL,
  target: string,
  headers: Probe['headers'] = {},
  signal?: AbortSignal,
): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const host = hostOf(origin);
  const socket = isEncrypted(origin)
    ? tlsConnect({ host, port: portOf(origin), servername: host, ALPNProtocols: ['http/1.1'] })
    : netConnect({ host, port: portOf(origin) });
  const limit = timeLimit(signal);
  const giveUp = (): void => void socket.destroy(new Error('HEAD: no complete answer in time'));
  // A time-out of the socket would begin again with each byte.
  if (limit.aborted) giveUp();
  limit.addEventListener('abort', giveUp);
  const chunks: Buffer[] = [];
  let size = 0;
  socket
    .on('data', (chunk: Buffer) => {
      try {
        size = addChunk(chunks, size, chunk);
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    })
    .on('error', reject)
    .on('close', () => limit.removeEventListener('abort', giveUp))
    .on('end', () => {
      const bytes = Buffer.concat(chunks);
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) reject(new Error('HEAD: the connection ended within the header section'));
      else resolve(bytes.length - end - END_OF_HEAD.length);
    });
  const fields = { Host: origin.host, 'User-Agent': USER_AGENT, Connection: 'close', ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HEAD ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return promise;
};

export const httpClient: Client = { sendProbe, countHeadBytes };

export interface KnownResources {
  /** The id of a post that is known to exist. */
  readonly post: string;
  /** The handle of a profile that is known to exist. */
  readonly profile: string;
}

export interface ServiceOptions {
  /** For dates in documents. */
  readonly wall: WallClock;
  readonly origin: URL;
  readonly known: KnownResources;
  readonly key?: string | undefined;
  /** The URL of the HTTP API or of the function URL, which must refuse requests that do not come from the edge. */
  readonly directOrigin?: URL | undefined;
  /** Header fields of every request. */
  readonly headers?: Probe['headers'];
  /** Ends every request, also those of checks that have started. */
  readonly signal?: AbortSignal | undefined;
  /** @default over the network */
  readonly client?: Client;
}

export interface Service extends ServiceOptions {
  readonly client: Client;
  /** The answers to all requests of `send` and `read`. */
  readonly answers: readonly Answer[];
  send(target: string, probe?: Probe): Promise<Answer>;
  /** The answer to a GET that other checks may have sent. @param accept none by default */
  read(target: string, accept?: string): Promise<Answer>;
  /** Counts the bytes of the body of an answer to HEAD, which has none. */
  countHeadBytes(target: string): Promise<number>;
  /** The `base_url` that the service publishes; its own address if it publishes none. */
  baseUrl(): Promise<string>;
  /** The version of the deployment; undefined if it publishes none. */
  version(): Promise<string | undefined>;
  /** Tells whether `/openapi.json` of the deployment has the path. An older deployment lacks newer routes. */
  hasRoute(path: string): Promise<boolean>;
  /** Tells whether `/openapi.json` of the deployment has a GET with the id. */
  hasOperation(id: string): Promise<boolean>;
  close(): void;
}

const MAX_SOCKETS = 8;

export const createService = (options: ServiceOptions): Service => {
  const { origin, headers, signal, client = httpClient } = options;
  const Agent = origin.protocol === 'https:' ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const answers: Answer[] = [];
  const remembered = new Map<string, Promise<Answer>>();

  const send = async (target: string, probe: Probe = {}): Promise<Answer> => {
    const sent = headers === undefined ? probe : { ...probe, headers: { ...headers, ...probe.headers } };
    const answer = await client.sendProbe(origin, target, sent, { agent, ...(signal && { signal }) });
    answers.push(answer);
    return answer;
  };
  const read = (target: string, accept?: string): Promise<Answer> => {
    const name = `${accept ?? ''} ${target}`;
    const answer = remembered.get(name) ?? send(target, accept === undefined ? {} : { headers: { Accept: accept } });
    remembered.set(name, answer);
    return answer;
  };
  let described: Promise<JsonRecord> | undefined;
  const description = (): Promise<JsonRecord> => {
    described ??= read('/openapi.json').then(jsonOf);
    return described;
  };
  return {
    ...options,
    client,
    answers,
    send,
    read,
    countHeadBytes: (target) => client.countHeadBytes(origin, target, headers, signal),
    baseUrl: async () => textMember(jsonOf(await read('/api')), 'base_url') ?? origin.origin,
    version: async () => textMember((await description())['info'], 'version'),
    hasRoute: async (path) => Object.hasOwn(asRecord((await description())['paths']) ?? {}, path),
    hasOperation: async (id) =>
      Object.values(asRecord((await description())['paths']) ?? {}).some(
        (path) => textMember(asRecord(path)?.['get'], 'operationId') === id,
      ),
    close: () => agent.destroy(),
  };
};
