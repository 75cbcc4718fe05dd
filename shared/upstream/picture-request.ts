// Requests one file from a picture host and hands its bytes on as a stream. It follows no redirect, sends no header of a
// caller but those that are given, and keeps no more of the body than one chunk.
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';

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
