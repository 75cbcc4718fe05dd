// Starts a host in place of X's picture hosts, which records its requests, and the picture proxy of the local service
// before it.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { createLocalMedia, createMediaListener } from '../../infra/local/media.ts';
import { createLinkCheck, createProxyPath, type IsLinked } from '../../shared/auth/picture-signatures.ts';
import { startTestServer } from './test-server.ts';

const text = (head: string): Buffer => Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(100, 1)]);

/** The shortest files that the proxy takes for one of their type. */
export const FILES = {
  'image/jpeg': text('\xff\xd8\xff\xe0'),
  'image/png': text('\x89PNG\r\n\x1a\n'),
  'image/gif': text('GIF89a'),
  'image/webp': text('RIFF\x10\x00\x00\x00WEBP'),
  'video/mp4': text('\x00\x00\x00\x18ftypmp42'),
} as const;

export const sendFile = (response: ServerResponse, type: string, body: Buffer = FILES['image/jpeg']): void =>
  void response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);

const SECRET = 'secret of cursors';

const signedPath = createProxyPath(SECRET);

/** @param url of a picture or video on X @returns its path in the proxy */
export const proxyPath = (url: string): string => {
  const path = signedPath(url);
  if (path === undefined) throw new Error(`the proxy refuses ${url}`);
  return path;
};

/** @param listener the answers of the host @default a picture @param isLinked @default the path is one of proxyPath */
export const startPictureProxy = async (
  listener: RequestListener = (_, response) => sendFile(response, 'image/jpeg'),
  isLinked: IsLinked = createLinkCheck([SECRET]),
) => {
  const calls: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>[] = [];
  const host = await startTestServer((request, response) => {
    const { method, url, rawHeaders } = request;
    calls.push({ method, url, rawHeaders });
    listener(request, response);
  });
  const lines: string[] = [];
  const { proxy, close } = createLocalMedia({
    origins: { pbs: host, video: host },
    isLinked,
    writeLog: (line) => void lines.push(line),
  });
  onTestFinished(close);
  const answer = createMediaListener(proxy, undefined);
  const origin = await startTestServer((request, response) =>
    answer(request, response, { viewerIp: request.socket.remoteAddress ?? '', baseUrl: 'https://postern.example' }),
  );
  return { origin, calls, lines };
};
