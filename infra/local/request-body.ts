// Reads the bodies of requests within bounds of memory, for one network and for all, and lets a client that still sends a
// body read its answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { clientNetwork } from '../../shared/auth/client-network.ts';

/** Bytes of bodies whose requests have no answer yet. */
const MAX_BYTES_OF_NETWORK = 1_000_000;
const MAX_BYTES_OF_ALL = 8_000_000;

export interface RequestBody {
  readonly bytes: Buffer;
  /** Called once, when the request has its answer. */
  release(): void;
}

export const NO_BODY: RequestBody = { bytes: Buffer.alloc(0), release: () => undefined };

export interface BodyOptions {
  readonly viewerIp: string;
  /** The most that the route takes. */
  readonly maxBytes: number;
  /** Called before the first byte is awaited. */
  readonly onRead: () => void;
}

/**
 * A body that is larger than its route takes is one byte longer than that, so the function refuses it, in the order of its
 * own checks. If Content-Length says the size, nothing of such a body is read.
 *
 * @returns undefined if there is no room for the body
 */
export type ReadBody = (request: IncomingMessage, options: BodyOptions) => Promise<RequestBody | undefined>;

export const createBodyReader = (): ReadBody => {
  let bytesOfAll = 0;
  const bytesOf = new Map<string, number>();

  /** @param bytes negative: they are released */
  const take = (network: string, bytes: number): boolean => {
    const own = (bytesOf.get(network) ?? 0) + bytes;
    if (bytes > 0 && (own > MAX_BYTES_OF_NETWORK || bytesOfAll + bytes > MAX_BYTES_OF_ALL)) return false;
    bytesOfAll += bytes;
    if (own > 0) bytesOf.set(network, own);
    else bytesOf.delete(network);
    return true;
  };

  return async (request, { viewerIp, maxBytes, onRead }) => {
    const { 'content-length': field, 'transfer-encoding': coding } = request.headers;
    // RFC 9112 section 6.3: no body. To wait for its end takes a tenth of the time of this emulation.
    if (field === undefined && coding === undefined) return NO_BODY;
    const length = Number(field ?? 0);
    if (length > maxBytes) return { ...NO_BODY, bytes: Buffer.alloc(maxBytes + 1) };

    const network = clientNetwork(viewerIp);
    let taken = 0;
    const takeUpTo = (bytes: number): boolean => {
      if (bytes <= taken) return true;
      if (!take(network, bytes - taken)) return false;
      taken = bytes;
      return true;
    };
    const release = (): void => void take(network, -taken);
    if (!takeUpTo(length)) return undefined;
    try {
      onRead();
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        size += chunk.length;
        if (!takeUpTo(Math.min(size, maxBytes + 1))) {
          release();
          return undefined;
        }
        chunks.push(chunk);
        if (size > maxBytes) break;
      }
      return { bytes: Buffer.concat(chunks, Math.min(size, maxBytes + 1)), release };
    } catch (error) {
      release();
      throw error;
    }
  };
};

/** The rest of a request is read for this time, so that the client receives the answer. */
export const LINGER_MILLISECONDS = 1000;

/** Reads and drops the rest of a body. @returns when it has ended, or after a second */
export const dropBody = async (request: IncomingMessage): Promise<void> => {
  if (request.complete || request.destroyed) return;
  request.resume();
  const signal = AbortSignal.timeout(LINGER_MILLISECONDS);
  await finished(request, { signal, cleanup: true }).catch(() => undefined);
};

/**
 * Sends the body of an answer. A connection that ends while its client still sends loses the answer (RFC 9112 section
 * 9.6), and Node drops what remains of the body before it parses the next request.
 */
export const endAfterBody = (request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void => {
  if (request.complete) {
    response.end(body);
    return;
  }
  if (body === undefined || body.length === 0) response.flushHeaders();
  else response.write(body);
  void dropBody(request).then(() => response.end());
};
