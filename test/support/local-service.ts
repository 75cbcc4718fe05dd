// Starts the local service in this process and sends requests to it without normalizing their targets.
import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { exampleEnvironment } from '../../infra/local/examples.ts';
import { startSampleServer } from '../../infra/local/sample-server.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../infra/local/service.ts';
import { expectConformance } from './conformance.ts';
import { decoded } from './content-coding.ts';
import { slowDownTime } from './slow-time.ts';

export interface LocalResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The result in X-Cache: Hit, Miss or RefreshHit. */
  readonly cache: string | undefined;
  json(): Record<string, unknown>;
}

export interface LocalRequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Set if another server answers, whose answers need not conform to /openapi.json. */
  readonly isForeign?: boolean;
}

/** @param target sent unchanged; fetch would normalize dots and backslashes */
export const sendRequest = (
  origin: string,
  target: string,
  { method = 'GET', headers = {}, body = '', isForeign = false }: LocalRequestOptions = {},
): Promise<LocalResponse> => {
  const { promise, resolve, reject } = Promise.withResolvers<LocalResponse>();
  const { hostname, port } = new URL(origin);
  request(
    {
      hostname,
      port,
      path: target,
      method,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
    },
    async (response) => {
      const chunks: Buffer[] = await response.toArray();
      const text = decoded(Buffer.concat(chunks), response.headers['content-encoding']);
      const answer = { status: response.statusCode ?? 0, headers: response.headers, body: text };
      try {
        if (!isForeign) expectConformance(method, target, answer, headers, { isAtEdge: true });
      } catch (fault) {
        reject(fault);
      }
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: text,
        cache: String(response.headers['x-cache']).split(' ')[0],
        json: () => JSON.parse(text),
      });
    },
  )
    .on('error', reject)
    .end(body);
  return promise;
};

export const localOptions = (environment: LocalServiceOptions['environment'] = {}): LocalServiceOptions => ({
  host: '127.0.0.1',
  port: 0,
  environment: { UPSTREAM: 'sample', DATA_DIR: 'memory', ...environment },
  writeLog: () => undefined,
});

/** Starts the local service. Until it is closed, a busy machine has ten times longer for its time limits. */
export const startSlowService = async (options: LocalServiceOptions): Promise<LocalService> => {
  const endSlowTime = slowDownTime();
  try {
    const service = await startLocalService(options);
    return { ...service, close: () => service.close().finally(endSlowTime) };
  } catch (error) {
    endSlowTime();
    throw error;
  }
};

/** Starts the service as with live data: the sample server takes the place of the providers. */
export const startLiveService = async (environment: LocalServiceOptions['environment'] = {}): Promise<LocalService> => {
  const sample = await startSampleServer();
  const service = await startSlowService(localOptions({ ...exampleEnvironment(sample.origin), ...environment }));
  return {
    ...service,
    close: async () => {
      await service.close();
      await sample.close();
    },
  };
};

/** The service is stopped when the test ends. */
export const startTestService = async (environment?: LocalServiceOptions['environment']) => {
  const service = await startSlowService(localOptions(environment));
  onTestFinished(service.close);
  return {
    ...service,
    get: (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options),
  };
};
