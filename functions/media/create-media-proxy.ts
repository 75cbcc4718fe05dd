// Passes pictures and videos of X on to readers, so that X learns nothing about them: only files that a page of this service
// links, of two hosts and with paths and parameters of a strict grammar, and no header field of the reader but Range and
// If-None-Match.
//
// A file goes through as a stream that the reader drives: a slow reader slows the connection to X, and nothing is kept. Its
// type is decided by Content-Type and by its first bytes. The first bytes of a part are those of the file only if the part
// starts there; before any other part of a file is passed on, its first bytes are requested once.
//
// A picture has at most 25 MB. A part of a file ends after 4 MB, after which a player asks for the next part (RFC 9110 section
// 15.3.7), also if the host of X sends the file whole. Only a request without Range, by which a browser opens the link of a
// video, gets a larger file whole.
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PUBLIC_HEADERS } from '../../shared/contract/headers.ts';
import { contentTypes } from '../../shared/contract/media-types.ts';
import {
  isFailure,
  type Problem,
  problem,
  problemDocument,
  problemRow,
  toProblem,
} from '../../shared/contract/problems.ts';
import { errorText, keysOf, tableOf } from '../../shared/model/json.ts';
import {
  type HostedFile,
  type ProxiedHost,
  parseProxyPath,
  type SignedFile,
} from '../../shared/model/picture-hosts.ts';
import { elapsed } from '../../shared/model/time.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import { createBoundedMap } from '../../shared/resilience/bounded-map.ts';
import {
  FILE_REQUEST_HEADERS,
  type FileResponse,
  type RequestFile,
  SIGNATURE_BYTES,
  VIDEO,
} from '../../shared/upstream/pictures.ts';
import {
  type AnsweredPart,
  type FilePart,
  lengthOf,
  MAX_ANSWER_BYTES,
  MAX_PART_BYTES,
  parseRange,
  placesOf,
  requireFile,
  requirePart,
  requireSignature,
  requireType,
  unusable,
} from './file-response.ts';
import { createReaderSlots, type ReaderSlot } from './reader-slots.ts';

const MAX_VIDEO_BYTES = 512_000_000;

/** Files that are passed on at the same time. Videos are open for long, so they take no slot of pictures. */
const SLOTS: Readonly<Record<ProxiedHost, number>> = { pbs: 64, video: 32 };

export const MEDIA_LIMITS = { connections: SLOTS.pbs + SLOTS.video, silenceMilliseconds: 8000 } as const;
/** A reader that takes no chunk for this time is disconnected. */
const STALL_MILLISECONDS = 30_000;
const MAX_MILLISECONDS = 900_000;

const RETRY_SECONDS = 5;

const METHODS = ['GET', 'HEAD'];

export interface MediaPorts {
  /** The origin of each host. */
  readonly origins: Readonly<Record<ProxiedHost, string>>;
  readonly requestFile: RequestFile;
  /** Files that no page has linked are not found. */
  readonly isLinked: (file: SignedFile) => boolean;
  /** The User-Agent of the calls to X: the program, neither the service nor the reader. */
  readonly userAgent: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface MediaRequest {
  readonly method: string;
  /** Still percent-encoded. */
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
  readonly range?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** The base URL of a problem document; empty: it has relative references. */
  readonly baseUrl: string;
  /** The network of the reader. @default the files of readers are not counted */
  readonly network?: string;
  /** Where a larger file than a part is a stream. @default this answer may be one */
  readonly streamAt?: string;
  /** The request did not come through the edge. @default false */
  readonly isForbidden?: boolean;
  /** Aborts when the reader leaves. */
  readonly signal?: AbortSignal;
}

type Headers = Readonly<Record<string, string>>;

/** Sends status and header fields, and returns where the body goes. */
export type Respond = (status: number, headers: Headers) => Writable;

/** Answers one request. Never rejects. */
export type MediaProxy = (request: MediaRequest, respond: Respond) => Promise<void>;

const ETAG = /^(?:W\/)?"[!#-~]{0,128}"$/;
const UNSATISFIED_RANGE = /^bytes \*\/\d{1,12}$/;

const matching = (name: string, value: string | undefined, pattern: RegExp): Headers =>
  value !== undefined && pattern.test(value) ? { [name]: value } : {};

/** A browser gives the document of a sandboxed video the origin `null`, so its own file is of another origin. */
const FILE_HEADERS: Headers = {
  ...PUBLIC_HEADERS,
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': 'sandbox',
};

const requireTarget = (
  { method, path, query, isForbidden }: MediaRequest,
  isLinked: MediaPorts['isLinked'],
): HostedFile => {
  if (isForbidden) throw problem('forbidden_origin');
  if (!METHODS.includes(method)) throw problem('method_not_allowed', { headers: { Allow: METHODS.join(', ') } });
  const file = parseProxyPath(path, query);
  if (file === 'path' || (file !== 'query' && !isLinked(file))) throw problem('route_not_found');
  if (file !== 'query') return file;
  const detail = 'A picture takes format and name, a video takes tag, each once.';
  throw problem('invalid_parameter', { detail });
};

const problemAnswer = (thrown: Problem, baseUrl: string, path: string) => {
  const instance = /^[\w/.:~-]{1,512}$/.test(path) ? path : '/';
  const document = problemDocument(thrown, { baseUrl, instance });
  const body = `${JSON.stringify(document)}\n`;
  const retryAfter = document['retry_after'];
  return {
    body,
    headers: {
      ...PUBLIC_HEADERS,
      'Content-Type': contentTypes.problem,
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...thrown.options.headers,
    },
  };
};

/** RFC 9110 section 15.5.17, and RFC 9457 section 4.2.1. Streams without a body do not end in every version of Lambda. */
const BEYOND = '{"type":"about:blank","title":"Range Not Satisfiable","status":416}\n';

/** A shared cache that kept a 416 would answer it to readers of other parts, and of the whole file. */
const beyondHeaders = (contentRange: Headers): Headers => ({
  ...FILE_HEADERS,
  'Content-Type': contentTypes.problem,
  'Content-Length': String(BEYOND.length),
  'Cache-Control': 'no-store',
  ...contentRange,
});

/** An ended `Writable` of Lambda sends its header fields only after a write. */
const end = (target: Writable, body = ''): void => {
  target.write(body);
  target.end();
};

interface PassOptions {
  readonly method: string;
  readonly streamAt: string | undefined;
  readonly part: FilePart | undefined;
  readonly slot: ReaderSlot;
  readonly respond: Respond;
}

interface CopyOptions {
  readonly bound: number;
  readonly slot: ReaderSlot;
  /** The places of the first and the last byte that are passed on. @default all */
  readonly first?: number;
  readonly last?: number;
}

const MAX_CHECKED_FILES = 1000;

const keyOf = ({ host, path, query }: HostedFile): string => host + path + query;

export const createMediaProxy = ({ origins, requestFile, isLinked, userAgent, clock, log }: MediaPorts): MediaProxy => {
  const slots = tableOf(keysOf(SLOTS), (host) => createReaderSlots(SLOTS[host], clock));
  /** The types of files whose first bytes were read. */
  const checkedTypes = createBoundedMap<string>(MAX_CHECKED_FILES);

  const request = async (
    { host, path, query }: HostedFile,
    headers: Headers,
    signal: AbortSignal | undefined,
  ): Promise<FileResponse> => {
    const url = new URL(`${origins[host]}${path}${query}`);
    const fields = { ...FILE_REQUEST_HEADERS, 'user-agent': userAgent, ...headers };
    try {
      return await requestFile(url, fields, signal);
    } catch (error) {
      throw problem('upstream_unavailable', { cause: error });
    }
  };

  /** @throws Problem unless the file starts as its type does */
  const checkStart = async (file: HostedFile, signal: AbortSignal | undefined): Promise<void> => {
    if (checkedTypes.get(keyOf(file)) !== undefined) return;
    const start = await request(file, { range: `bytes=0-${SIGNATURE_BYTES - 1}` }, signal);
    try {
      requireFile(start);
      const type = requireType(start);
      await requireSignature(type, start);
      checkedTypes.set(keyOf(file), type);
    } finally {
      start.body.destroy();
    }
  };

  /** @returns the number of bytes that were passed on @throws Problem before the answer has started */
  const pass = async (
    file: HostedFile,
    response: FileResponse,
    { method, streamAt, part, slot, respond }: PassOptions,
  ): Promise<number> => {
    const { status, body } = response;
    const validator = matching('ETag', response.header('etag'), ETAG);
    requireFile(response);
    if (status === 304) {
      end(respond(status, { ...FILE_HEADERS, ...validator }));
      return 0;
    }
    if (status === 416) {
      const contentRange = matching('Content-Range', response.header('content-range'), UNSATISFIED_RANGE);
      end(respond(status, beyondHeaders(contentRange)), BEYOND);
      return 0;
    }
    const type = requireType(response);
    const answered = status === 206 ? requirePart(response.header('content-range'), part) : undefined;
    const isStart = status === 200 || part?.showsType === true;
    if (!isStart && checkedTypes.get(keyOf(file)) !== type) throw unusable('the type has changed');
    const bound = type === VIDEO ? MAX_VIDEO_BYTES : MAX_ANSWER_BYTES;
    const length = lengthOf(response);
    if ((length ?? 0) > bound) throw unusable('the file is too large');
    if (isStart) await requireSignature(type, response);
    const fields = { ...FILE_HEADERS, 'Content-Type': type, 'Accept-Ranges': 'bytes', ...validator };
    const partFields = ({ first, last, field }: AnsweredPart): Headers => ({
      ...fields,
      'Content-Length': String(last - first + 1),
      'Content-Range': field,
    });
    if (status === 200 && part !== undefined) {
      // As a stream it would ask for its part here again.
      if (length === undefined) throw unusable('the file has no length');
      const places = placesOf(part, length);
      if (places === undefined) {
        end(respond(416, beyondHeaders({ 'Content-Range': `bytes */${length}` })), BEYOND);
        return 0;
      }
      const [first, last] = places;
      const target = respond(206, partFields({ first, last, field: `bytes ${first}-${last}/${length}` }));
      return copy(body, target, { bound, slot, first, last });
    }
    if (answered !== undefined) {
      const last = answered.last - answered.first;
      if (length !== undefined && length <= last) throw unusable('the part is shorter than its range');
      return copy(body, respond(status, partFields(answered)), { bound, slot, last });
    }
    if (streamAt !== undefined && method === 'GET' && (length ?? Infinity) > MAX_PART_BYTES) {
      const moved = { ...PUBLIC_HEADERS, Location: streamAt, 'Content-Length': '0', 'Cache-Control': 'no-store' };
      end(respond(307, moved));
      return 0;
    }
    const target = respond(status, {
      ...fields,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    });
    if (method === 'HEAD') {
      end(target);
      return 0;
    }
    return copy(body, target, { bound, slot });
  };

  const copy = async (
    body: Readable,
    target: Writable,
    { bound, slot, first = 0, last = Infinity }: CopyOptions,
  ): Promise<number> => {
    const start = clock();
    let bytes = 0;
    let at = 0;
    const bounded = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const given of chunks) {
        const chunk = given.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
        at += given.length;
        bytes += chunk.length;
        if (bytes > bound) throw new Error('the file is longer than the bound');
        if (elapsed(start, clock()) > MAX_MILLISECONDS) throw new Error('the reader takes too long');
        const stalled = setTimeout(() => body.destroy(new Error('the reader has stopped')), STALL_MILLISECONDS);
        slot.setWaitsForReader(true);
        try {
          yield chunk;
        } finally {
          clearTimeout(stalled);
          slot.setWaitsForReader(false);
        }
        if (at > last) return;
      }
    };
    await pipeline(body, bounded, target);
    return bytes;
  };

  const answer = async (given: MediaRequest, respond: Respond): Promise<number> => {
    const file = requireTarget(given, isLinked);
    const part = given.method === 'GET' ? parseRange(given.range) : undefined;
    let response: FileResponse | undefined;
    const end = (): void => void response?.body.destroy(new Error('the slot of the reader is given to another'));
    const slot = await slots[file.host].acquire(given.network, end);
    if (slot === undefined) {
      throw problem('upstream_unavailable', { detail: 'Too many files are being read.', retryAfter: RETRY_SECONDS });
    }
    try {
      if (part !== undefined && !part.showsType) await checkStart(file, given.signal);
      const headers = {
        ...(part !== undefined && { range: part.field }),
        ...(given.ifNoneMatch !== undefined && { 'if-none-match': given.ifNoneMatch }),
      };
      response = await request(file, headers, given.signal);
      const { method, streamAt } = given;
      return await pass(file, response, { method, streamAt, part, slot, respond });
    } finally {
      response?.body.destroy();
      slot.release();
    }
  };

  return async (given, respond) => {
    const start = clock();
    let status = 0;
    let code: string | undefined;
    let cause: string | undefined;
    let bytes = 0;
    let target: Writable | undefined;
    let isBroken = false;
    const recorded: Respond = (sent, headers) => {
      status = sent;
      target = respond(sent, headers);
      return target;
    };
    try {
      bytes = await answer(given, recorded);
    } catch (error) {
      const thrown = toProblem(error);
      cause = thrown.cause === undefined ? undefined : errorText(thrown.cause);
      isBroken = target !== undefined;
      if (target !== undefined) target.destroy();
      else if (!given.signal?.aborted) {
        code = thrown.code;
        const { headers, body } = problemAnswer(thrown, given.baseUrl, given.path);
        end(recorded(problemRow(thrown.code).status, headers), given.method === 'HEAD' ? '' : body);
      }
    }
    const method = METHODS.includes(given.method) ? given.method : 'other';
    log({
      level: isFailure(status) || (isBroken && !given.signal?.aborted) ? 'error' : 'info',
      event: 'media',
      method,
      status,
      code,
      cause,
      bytes,
      duration_ms: elapsed(start, clock()),
    });
  };
};
