// Starts the whole service on one machine: the bundles of everything that AWS runs, behind an emulated CloudFront.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import {
  type Environment,
  elapsedClock,
  parseVariable,
  readCacheTtlSeconds,
  readProxiesPictures,
  readVariable,
} from '../../shared/composition/environment.ts';
import { linkCheckFromEnvironment, readPictureOrigins } from '../../shared/composition/pictures.ts';
import { readProviders } from '../../shared/composition/provider-settings.ts';
import { type LambdaName, lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import { httpUrl } from '../../shared/settings/base-parsers.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { weightWarnings } from '../../shared/settings/feature-parsers.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { edgeFile } from '../build/dist-layout.ts';
import { withBundles } from '../build/kept-build.ts';
import { createAnswerBounds } from './answer-bounds.ts';
import { createApiGateway, createFunctionUrl } from './api-gateway.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { answerHead, type CloudFrontOptions, createCloudFront } from './cloudfront.ts';
import { boundConnections, SERVER_OPTIONS } from './connections.ts';
import type { LocalDynamoDb } from './dynamodb.ts';
import { createEdgeFunction } from './edge-sandbox.ts';
import { type FunctionHost, hostFunctions } from './function-host.ts';
import { drainable, listen, REQUEST_EVENTS, stop } from './listen.ts';
import { loadCursorSecret, localEnvironment, resolveOperatorToken } from './local-environment.ts';
import { answerMalformed } from './malformed-requests.ts';
import { createLocalMedia, createMediaListener } from './media.ts';
import { cacheShares } from './memory.ts';
import type { ServiceLog } from './service-log.ts';
import { createSharedCache, type SharedCache } from './shared-cache.ts';
import { isTrustedProxy, trustedProxies } from './trusted-proxies.ts';
import { watchWithheld } from './withheld-watch.ts';

export interface LocalServiceOptions extends ServiceLog {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly environment: Environment;
}

export interface LocalService {
  readonly origin: string;
  /** The chosen upstream, for people. */
  readonly upstream: string;
  /** Set if the operator token was generated. */
  readonly operatorToken?: string;
  /** Further messages for people. */
  readonly notices: readonly string[];
  /** Waits for answers in flight for less than 10 s, after which `docker stop` would end the process. */
  close(): Promise<void>;
}

/** @param baseUrl for problems that no function answers @param cache used unless caching is off */
export const createLocalHandler = (
  directory: string,
  environment: Environment,
  functions: FunctionHost,
  writeLog: LocalServiceOptions['writeLog'],
  baseUrl: string,
  cache: SharedCache = createSharedCache(elapsedClock),
): CloudFrontOptions => {
  const reportFailure = (message: string): void => writeLog(`${message}\n`);
  return {
    baseUrl,
    edge: createEdgeFunction(readFileSync(edgeFile(directory), 'utf8')),
    api: createApiGateway(functions, reportFailure),
    mcp: createFunctionUrl(functions, reportFailure),
    cache: readCacheTtlSeconds(environment) > 0 ? cache : undefined,
    originSecret: readVariable(environment, env.originSecrets)?.split(',')[0] ?? '',
    bounds: createAnswerBounds(),
  };
};

/** Above the time of a read, and far enough below 10 s for the end of the store. */
const DRAIN_MILLISECONDS = 8500;

const WAIT_MILLISECONDS = 20;
const MAX_WAITS = 10;

interface Functions {
  readonly functions: FunctionHost;
  /** Rejects if the store does not start, or a function that needs it. */
  readonly store: Promise<LocalDynamoDb>;
}

/**
 * Starts the functions without tables now, then the store and the others, whose requests wait for it. The packages and the
 * start of the store occupy the process for longer than all else, so the first answers go before them.
 *
 * @param environment of the functions, without that of the store
 * @throws if a function without tables does not start
 */
const startFunctions = (
  directory: string,
  environment: Environment,
  { environment: given, writeLog }: LocalServiceOptions,
): Functions => {
  // The official API bills rows, which are counted in a table.
  const countsRows = readProviders(environment).includes('x_api');
  const needsStore = (name: LambdaName): boolean =>
    lambdas[name].tables !== 'none' || (lambdas[name].readsProviders && countsRows);
  const others = lambdaNames.filter(needsStore);
  const first = lambdaNames.filter((name) => !needsStore(name));
  const now = hostFunctions(directory, environment, writeLog, first);
  let answering = 0;

  const startOthers = async () => {
    for (let waits = 0; waits === 0 || (answering > 0 && waits < MAX_WAITS); waits += 1)
      await setTimeout(WAIT_MILLISECONDS);
    const { startDynamoDb } = await import('./dynamodb.ts');
    const store = await startDynamoDb(given, { writeLog });
    try {
      const complete = { ...environment, ...store.environment };
      return { store, later: hostFunctions(directory, complete, writeLog, others) };
    } catch (error) {
      await store.close();
      throw error;
    }
  };
  const started = startOthers();

  const functions: FunctionHost = async (name, event) => {
    if (needsStore(name)) return (await started).later(name, event);
    answering += 1;
    return now(name, event).finally(() => {
      answering -= 1;
    });
  };
  return { functions, store: started.then(({ store }) => store) };
};

/** @throws if the port is in use or a setting is invalid */
export const startLocalService = async (options: LocalServiceOptions): Promise<LocalService> => {
  const operator = resolveOperatorToken(options.environment);
  const withheldFile = readVariable(options.environment, env.withheldFile);
  const withheld = withheldFile === undefined ? undefined : watchWithheld(withheldFile, options.writeLog);
  const upstream = await chooseUpstream(options.environment);
  const server = createServer(SERVER_OPTIONS);
  let store: Promise<LocalDynamoDb> | undefined;
  let media: ReturnType<typeof createLocalMedia> | undefined;
  const drain = drainable(server);
  const close = async (): Promise<void> => {
    await drain(DRAIN_MILLISECONDS);
    withheld?.close();
    await stop(server);
    const started = await store?.catch(() => undefined);
    await Promise.all([upstream.close(), started?.close(), media?.close()]);
  };
  try {
    return await withBundles(async (directory) => {
      const origin = await listen(server, options.host, options.port);
      const cursorSecret = loadCursorSecret(options.environment);
      const given = {
        ...options.environment,
        ...upstream.environment,
        ...operator.environment,
        ...cursorSecret.environment,
      };
      const proxies = parseVariable(given, localEnv.trustedProxies, trustedProxies);
      boundConnections(server, (ip) => isTrustedProxy(ip, proxies ?? []));
      const local = localEnvironment(given, origin);
      const baseUrl = parseVariable(local, env.baseUrl, httpUrl) ?? origin;
      // Links then have the origin that each request of a proxy names.
      const isOpen = proxies !== undefined && readVariable(given, env.baseUrl) === undefined;
      const environment = {
        ...local,
        [env.requestCacheMebibytes]:
          readVariable(given, env.requestCacheMebibytes) ?? String(cacheShares().requestsMebibytes),
        ...(isOpen && { [env.baseUrl]: '' }),
      };
      if (readProxiesPictures(environment)) {
        media = createLocalMedia({
          origins: readPictureOrigins(environment),
          isLinked: linkCheckFromEnvironment(environment),
          writeLog: options.writeLog,
        });
      }
      // No await between `listen` and the listeners below: no request may arrive before them.
      const started = startFunctions(directory, environment, options);
      store = started.store;
      const handler = {
        ...createLocalHandler(directory, environment, started.functions, options.writeLog, baseUrl, withheld?.cache),
        proxies,
        ...(options.reportRequest && { reportRequest: options.reportRequest }),
        ...(media && { media: createMediaListener(media.proxy, options.reportRequest) }),
      };
      const listener = createCloudFront(handler);
      for (const event of REQUEST_EVENTS) server.on(event, listener);
      answerMalformed(server, { baseUrl: handler.baseUrl, answer: answerHead(handler) });
      const { notice } = await store;
      return {
        origin,
        upstream: upstream.line,
        ...(operator.generated !== undefined && { operatorToken: operator.generated }),
        notices: [
          notice,
          cursorSecret.notice,
          ...weightWarnings(options.environment, ({ variable }) => variable),
        ].filter((text) => text !== undefined),
        close,
      };
    });
  } catch (error) {
    await close();
    throw error;
  }
};
