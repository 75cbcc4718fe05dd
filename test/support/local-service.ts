// Starts the local service in this process and sends requests to it without normalizing their targets.
import { beforeAll, onTestFinished } from 'vitest';
import { exampleEnvironment } from '../../infra/local/examples.ts';
import { startSampleServer } from '../../infra/local/sample-server.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../../infra/local/service.ts';
import { slowDownTime } from '../../infra/local/slow-time.ts';
import { expectConformance } from './conformance.ts';
import { type HttpAnswer, send } from './send.ts';

export interface LocalResponse extends HttpAnswer {
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
export const sendRequest = async (
  origin: string,
  target: string,
  { method = 'GET', headers = {}, body = '', isForeign = false }: LocalRequestOptions = {},
): Promise<LocalResponse> => {
  const answer = await send(origin, { target, headers, body }, { method });
  if (!isForeign) expectConformance(method, target, answer, headers, { isAtEdge: true });
  return {
    ...answer,
    cache: String(answer.headers['x-cache']).split(' ')[0],
    json: () => JSON.parse(answer.body),
  };
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

/** Starts one service for all tests of a file, or of the `describe` that calls this. */
export const shareService = (options: LocalServiceOptions = localOptions()) => {
  let service: LocalService | undefined;
  beforeAll(async () => {
    service = await startSlowService(options);
    return service.close;
  });
  const started = (): LocalService => {
    if (service === undefined) throw new Error('the service starts before the first test');
    return service;
  };
  return {
    get origin(): string {
      return started().origin;
    },
    get operatorToken(): string | undefined {
      return started().operatorToken;
    },
    get: (target: string, how?: LocalRequestOptions) => sendRequest(started().origin, target, how),
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
