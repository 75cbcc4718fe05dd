// Passes pictures and videos on in the host of the local service, as a Lambda of its own does on AWS.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMediaProxy,
  MEDIA_LIMITS,
  type MediaPorts,
  type MediaProxy,
} from '../../functions/media/create-media-proxy.ts';
import { clientNetwork } from '../../shared/auth/client-network.ts';
import { createJsonLog, elapsedClock } from '../../shared/composition/environment.ts';
import { userAgent } from '../../shared/composition/provider-settings.ts';
import { createFileRequester } from '../../shared/upstream/pictures.ts';
import { originForm } from './api-gateway.ts';
import { splitTarget } from './edge-sandbox.ts';
import type { ServiceLog } from './service-log.ts';

export interface LocalMediaOptions extends Pick<MediaPorts, 'origins' | 'isLinked'>, Pick<ServiceLog, 'writeLog'> {}

/** @param viewer its IP address, and the base URL of its problem documents */
export type MediaListener = (
  request: IncomingMessage,
  response: ServerResponse,
  viewer: { readonly viewerIp: string; readonly baseUrl: string },
) => void;

/** @returns the proxy, and what ends its connections */
export const createLocalMedia = ({
  origins,
  isLinked,
  writeLog,
}: LocalMediaOptions): { readonly proxy: MediaProxy; close(): Promise<void> } => {
  const { request, close } = createFileRequester(MEDIA_LIMITS);
  const write = (line: string): void => writeLog(`${line}\n`);
  const proxy = createMediaProxy({
    origins,
    requestFile: request,
    isLinked,
    userAgent: userAgent(undefined),
    clock: elapsedClock,
    log: createJsonLog({ write, clock: Date.now }),
  });
  return { proxy, close };
};

/** @param report receives each request that was answered, or whose reader left */
export const createMediaListener =
  (proxy: MediaProxy, report: ServiceLog['reportRequest']): MediaListener =>
  (request, response, { viewerIp, baseUrl }) => {
    const { method = 'GET', url = '/', headers } = request;
    const [path, query] = splitTarget(originForm(url));
    const start = performance.now();
    const left = new AbortController();
    response.on('close', () => {
      left.abort();
      const milliseconds = performance.now() - start;
      report?.({ method, path, status: response.statusCode, milliseconds, cached: undefined });
    });
    request.resume();
    const given = {
      method,
      path,
      query,
      range: headers.range,
      ifNoneMatch: headers['if-none-match'],
      baseUrl,
      network: clientNetwork(viewerIp),
      signal: left.signal,
    };
    void proxy(given, (status, fields) => response.writeHead(status, fields));
  };
