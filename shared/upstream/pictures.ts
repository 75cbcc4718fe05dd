// Requests files from the picture hosts of X and hands their bytes on as streams, or reads a picture into memory. It follows no
// redirect, sends no header of a caller but those that are given, and keeps no more of a stream than one chunk. The type of a
// file is known only if Content-Type and first bytes agree.
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { type ProxiedHost, parseFileUrl } from '../model/picture-hosts.ts';
import type { ReadPicture } from '../ports/pictures.ts';

export interface FileResponse {
  readonly status: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** Its owner reads it to the end or destroys it. */
  readonly body: Readable;
}

/** @throws if the host does not answer in time, or the signal aborts */
export type RequestFile = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<FileResponse>;

const READER_LEFT = new Error('the reader has left');

export interface FileLimits {
  /** To one host at the same time. */
  readonly connections: number;
  /** Until a connection is there, until the header fields arrive, and between two chunks while the reader takes them. */
  readonly silenceMilliseconds: number;
}

/** Turns the events of one response into a stream: a full stream pauses the connection. */
const createCall = (settle: (response: FileResponse) => void, fail: (error: Error) => void) => {
  let controller: Dispatcher.DispatchController | undefined;
  const body = new Readable({
    read: () => controller?.resume(),
    destroy(error, callback) {
      controller?.abort(error ?? READER_LEFT);
      callback(error);
    },
  });
  // An error before the body is read reaches the caller by `fail`.
  body.on('error', () => undefined);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      // undici starts the request when it has a connection, which can be after the reader left.
      if (body.destroyed) started.abort(READER_LEFT);
      controller = started;
    },
    onResponseStart(_, status, fields) {
      if (status < 200) return; // RFC 9110 section 15.2: the final response follows
      settle({ status, header: (name) => [fields[name]].flat()[0], body });
    },
    onResponseData(current, chunk) {
      if (!body.push(chunk)) current.pause();
    },
    onResponseEnd: () => void body.push(null),
    onResponseError(_, error) {
      fail(error);
      body.destroy(error);
    },
  };
  return { handler, body };
};

export const createFileRequester = ({
  connections,
  silenceMilliseconds,
}: FileLimits): { readonly request: RequestFile; close(): Promise<void> } => {
  const agent = new Agent({
    connections,
    headersTimeout: silenceMilliseconds,
    bodyTimeout: silenceMilliseconds,
    connect: { timeout: silenceMilliseconds },
    allowH2: false,
  });
  return {
    async request({ origin, pathname, search }, headers, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<FileResponse>();
      const { handler, body } = createCall(resolve, reject);
      const leave = (): void => {
        body.destroy();
        reject(READER_LEFT);
      };
      signal?.addEventListener('abort', leave, { once: true });
      try {
        agent.dispatch({ origin, path: pathname + search, method: 'GET', headers }, handler);
        return await promise;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
    close: () => agent.destroy(),
  };
};

export const VIDEO = 'video/mp4';

/** By Content-Type: the first bytes of the file, one character each. */
const signatures: ReadonlyMap<string, RegExp> = /* @__PURE__ */ new Map([
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  [VIDEO, /^.{4}ftyp/s],
]);

export const SIGNATURE_BYTES = 12;

export const FILE_REQUEST_HEADERS = {
  accept: 'image/jpeg, image/png, image/gif, image/webp, video/mp4',
  'accept-encoding': 'identity',
} as const;

/** @returns the type of a picture or video by its header; undefined: it is another, or the file is encoded */
export const fileType = (response: FileResponse): string | undefined => {
  const type = (response.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  const isPlain = (response.header('content-encoding') ?? 'identity') === 'identity';
  return isPlain && signatures.has(type) ? type : undefined;
};

/** @param head the first bytes, one character each */
export const startsAs = (type: string, head: string): boolean =>
  head.length === SIGNATURE_BYTES && signatures.get(type)?.test(head) === true;

export interface PictureReaderOptions {
  /** The origin of each host. */
  readonly origins: Readonly<Record<ProxiedHost, string>>;
  readonly requestFile: RequestFile;
  /** Names the program, neither the service nor the reader. */
  readonly userAgent: string;
}

const MAX_MILLISECONDS = 5000;

/** @throws if the file is longer, or is not read in time */
const readWhole = async ({ body }: FileResponse, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const value of body) {
    const chunk: Buffer = value;
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('the file is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const createPictureReader =
  ({ origins, requestFile, userAgent }: PictureReaderOptions): ReadPicture =>
  async (url, maxBytes, signal) => {
    const file = parseFileUrl(url);
    if (file?.host !== 'pbs') return undefined;
    const limit = AbortSignal.timeout(MAX_MILLISECONDS);
    const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    let response: FileResponse | undefined;
    try {
      ends.throwIfAborted();
      const headers = { ...FILE_REQUEST_HEADERS, 'user-agent': userAgent };
      response = await requestFile(new URL(`${origins.pbs}${file.path}${file.query}`), headers, ends);
      const mimeType = response.status === 200 ? fileType(response) : undefined;
      if (mimeType === undefined || mimeType === VIDEO) return undefined;
      const { body } = response;
      ends.throwIfAborted();
      ends.addEventListener('abort', () => body.destroy(new Error('out of time')), { once: true });
      const bytes = await readWhole(response, maxBytes);
      return startsAs(mimeType, bytes.toString('latin1', 0, SIGNATURE_BYTES)) ? { mimeType, bytes } : undefined;
    } catch {
      return undefined; // the answer is complete without the picture
    } finally {
      response?.body.destroy();
    }
  };
