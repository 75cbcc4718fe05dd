// Answers requests that are not valid HTTP with a problem document; Node would answer without a body. A request with a
// method that Node's parser does not know is valid HTTP, so the function rejects it.
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { PUBLIC_HEADERS } from '../../shared/contract/headers.ts';
import { contentTypes } from '../../shared/contract/media-types.ts';
import { ERRORS_PATH } from '../../shared/contract/paths.ts';
import { type PlatformProblemCode, platformProblems } from '../../shared/contract/platform-problems.ts';
import type { ProblemRow } from '../../shared/contract/problem-rows.ts';
import { MAX_TARGET_BYTES } from '../../shared/http/pipeline.ts';
import type { OriginResponse } from './api-gateway.ts';
import { REQUEST_EVENTS } from './listen.ts';
import { LINGER_MILLISECONDS } from './request-body.ts';

const PLAIN_PATH = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/%]{0,511}$/;

/** @param target as the client sent it, if it is known; `instance` repeats only a plain path */
export const malformed = (code: PlatformProblemCode, detail: string, baseUrl: string, target = '/'): OriginResponse => {
  const { status, title, resolution, retryAfter }: ProblemRow = platformProblems[code];
  const [path = '/'] = target.split('?', 1);
  const instance = PLAIN_PATH.test(path) ? path : '/';
  const type = `${baseUrl}${ERRORS_PATH}#${code}`;
  return {
    status,
    headers: {
      ...PUBLIC_HEADERS,
      'Content-Type': contentTypes.problem,
      'Cache-Control': 'no-store',
      'X-Request-Id': randomUUID(),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: Buffer.from(
      `${JSON.stringify({
        type,
        title,
        status,
        code,
        detail,
        resolution,
        ...(retryAfter !== undefined && { retry_after: retryAfter }),
        instance,
      })}\n`,
    ),
  };
};

/** The head of a request that Node rejected. */
export interface Head {
  readonly method: string;
  readonly target: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/** RFC 9110 section 5.6.2. */
const TOKEN = "([!#$%&'*+\\-.^_`|~0-9A-Za-z]+)";
/** RFC 9112 section 3: a token, a target, a version. */
const REQUEST_LINE = new RegExp(`^${TOKEN} ([!-~]+) HTTP/1\\.[01]\\r?\\n`);
const LONG_REQUEST_LINE = new RegExp(`^${TOKEN} ([!-~]+)(?: |$)`);
/** The longest method that RFC 9110 defines has 7 bytes. */
const MAX_METHOD_BYTES = 64;
const FIELD = new RegExp(`^${TOKEN}:[ \\t]*([\\t -~\\x80-\\xff]*?)[ \\t]*\\r?$`);

/**
 * @param bytes the rejected packet
 * @returns undefined unless it contains a whole head that is valid except its method
 */
export const headOf = (bytes: Buffer | undefined): Head | undefined => {
  const text = bytes?.toString('latin1') ?? '';
  const [line, method, target] = REQUEST_LINE.exec(text) ?? [];
  const end = /\r?\n\r?\n/.exec(text);
  if (line === undefined || method === undefined || target === undefined || end === null) return undefined;
  const lines = text.slice(line.length, Math.max(line.length, end.index)).split('\n');
  const fields = lines.filter((field) => field !== '').map((field) => FIELD.exec(field));
  if (fields.includes(null)) return undefined;
  return { method, target, rawHeaders: fields.flatMap((field) => [field?.[1] ?? '', field?.[2] ?? '']) };
};

/**
 * A target that is too long is rejected before its end is read. Its beginning gets the answer of a target that is too long.
 *
 * @param bytes the rejected packet
 * @returns undefined unless it begins with a method and a target that is too long
 */
const headOfLongTarget = (bytes: Buffer | undefined): Head | undefined => {
  const text = bytes?.toString('latin1', 0, MAX_TARGET_BYTES + MAX_METHOD_BYTES) ?? '';
  const [, method, target = ''] = LONG_REQUEST_LINE.exec(text) ?? [];
  return method !== undefined && target.length > MAX_TARGET_BYTES ? { method, target, rawHeaders: [] } : undefined;
};

/** The answer to HEAD has no body (RFC 9110 section 9.3.2): a client would read it as the next answer. */
const isHead = (bytes: Buffer | undefined): boolean => bytes?.subarray(0, 5).toString('latin1') === 'HEAD ';

const write = (socket: Duplex, { status, headers, body }: OriginResponse, hasBody = true): void => {
  const fields = Object.entries({ ...headers, 'Content-Length': String(body.length), Connection: 'close' });
  const lines = fields.flatMap(([name, value]) => [value].flat().map((item) => `${name}: ${item}`));
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n');
  socket.end(hasBody ? Buffer.concat([Buffer.from(head), body]) : head);
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
};

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

const DETAILS: ReadonlyMap<string, string> = new Map([
  ['HPE_INVALID_METHOD', 'The request line does not begin with a method, a target and HTTP/1.1.'],
  ['HPE_INVALID_URL', 'The target of the request line has characters that must be percent-encoded.'],
  ['HPE_INVALID_VERSION', 'The version of the request line is not HTTP/1.0 or HTTP/1.1.'],
  ['HPE_INVALID_HEADER_TOKEN', 'A header field has a name or a value that is not allowed.'],
  ['HPE_INVALID_CONTENT_LENGTH', 'Content-Length is not one number.'],
  ['HPE_INVALID_TRANSFER_ENCODING', 'Transfer-Encoding cannot be combined with Content-Length.'],
  ['HPE_INVALID_CHUNK_SIZE', 'The body is not chunked as RFC 9112 section 7.1 requires.'],
]);

export interface MalformedOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Answers a request with an unknown method as any other request. */
  readonly answer: (head: Head, socket: Duplex) => Promise<OriginResponse>;
}

/** Answers the requests that Node rejects, and CONNECT, for which Node only emits an event. */
export const answerMalformed = (server: Server, { baseUrl, answer }: MalformedOptions): void => {
  const answered = new WeakSet<Duplex>();
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();

  /** The rejected bytes belong to no request that has its answer, at least in part. */
  const isUnanswered = (socket: Duplex): boolean => {
    const { request, response } = latest.get(socket) ?? {};
    return response?.headersSent !== true || (response.writableFinished && request?.complete === true);
  };

  const rejectionOf = async ({ code = '', rawPacket }: ParserError, socket: Duplex): Promise<OriginResponse> => {
    const head = code === 'HPE_INVALID_METHOD' ? headOf(rawPacket) : undefined;
    if (head !== undefined) return answer(head, socket);
    if (code === 'HPE_HEADER_OVERFLOW') {
      const long = headOfLongTarget(rawPacket);
      if (long !== undefined) return answer(long, socket);
      return malformed('header_fields_too_large', 'The header fields are larger than servers accept.', baseUrl);
    }
    return malformed('malformed_request', DETAILS.get(code) ?? 'The request cannot be parsed.', baseUrl);
  };

  const remember = (request: IncomingMessage, response: ServerResponse): void =>
    void latest.set(request.socket, { request, response });
  for (const event of REQUEST_EVENTS) server.on(event, remember);
  server.on('clientError', (error: ParserError, socket) => {
    if (answered.has(socket)) return; // later bytes of a connection that is closing
    // A closed or idle connection cannot be answered.
    if (!socket.writable || !isUnanswered(socket) || !error.code?.startsWith('HPE_')) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    void rejectionOf(error, socket).then((response) => write(socket, response, !isHead(error.rawPacket)));
  });
  server.on('connect', ({ method = 'CONNECT', url = '/', rawHeaders }, socket) => {
    // Node has removed its listener, and an error of a connection that nothing hears would end the process.
    socket.on('error', () => socket.destroy());
    void answer({ method, target: url, rawHeaders }, socket).then((response) => write(socket, response));
  });
};
