// Starts the whole service on one machine: the bundles of everything that AWS runs, behind an emulated CloudFront.
import { createServer } from 'node:http';
import {
  type Environment,
  elapsedClock,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
} from '../../shared/composition/environment.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { httpUrl } from '../../shared/settings/base-parsers.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { edgeFile } from '../build/dist-layout.ts';
import { withBundles } from '../build/kept-build.ts';
import { createApiGateway, createFunctionUrl } from './api-gateway.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { answerHead, type CloudFrontOptions, createCloudFront } from './cloudfront.ts';
import { startDynamoDb } from './dynamodb.ts';
import { createEdgeFunction } from './edge-sandbox.ts';
import { hostFunctions } from './function-host.ts';
import { listen, stop } from './listen.ts';
import { loadCursorSecret, localEnvironment, resolveOperatorToken } from './local-environment.ts';
import { answerMalformed } from './malformed-requests.ts';
import type { ServiceLog } from './service-log.ts';
import { createSharedCache } from './shared-cache.ts';

/** Far above CloudFront's limit, so that a head that is too large is read and gets a problem document. */
const MAX_HEADER_BYTES = 1_048_576;

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
  close(): Promise<void>;
}

/**
 * @param environment the complete environment of the functions
 * @param baseUrl for problems that no function answers
 * @param names the functions to load; all by default
 */
export const createLocalHandler = (
  directory: string,
  environment: Environment,
  writeLog: LocalServiceOptions['writeLog'],
  baseUrl: string,
  names?: readonly LambdaName[],
): CloudFrontOptions => {
  const functions = hostFunctions(directory, environment, writeLog, names);
  const reportFailure = (message: string): void => writeLog(`${message}\n`);
  return {
    baseUrl,
    edge: createEdgeFunction(edgeFile(directory)),
    api: createApiGateway(functions, reportFailure),
    mcp: createFunctionUrl(functions, reportFailure),
    cache: readCacheTtlSeconds(environment) > 0 ? createSharedCache(elapsedClock) : undefined,
    originSecret: readVariable(environment, env.originSecrets)?.split(',')[0] ?? '',
  };
};

/** Starts both at the same time. If one fails, the other is closed. */
const startDependencies = async (environment: Environment) => {
  const starting = [chooseUpstream(environment), startDynamoDb(environment)] as const;
  try {
    const [upstream, store] = await Promise.all(starting);
    return { upstream, store };
  } catch (error) {
    const started = await Promise.allSettled(starting);
    await Promise.all(started.map((part) => part.status === 'fulfilled' && part.value.close()));
    throw error;
  }
};

/** @throws if the port is in use or a setting is invalid */
export const startLocalService = async (options: LocalServiceOptions): Promise<LocalService> => {
  const operator = resolveOperatorToken(options.environment);
  const { upstream, store } = await startDependencies(options.environment);
  // cloudfront.ts rejects a missing Host with a problem document; Node would answer without a body.
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false });
  const close = async (): Promise<void> => {
    await stop(server);
    await Promise.all([upstream.close(), store.close()]);
  };
  try {
    const origin = await withBundles(async (directory) => {
      const listening = await listen(server, options.host, options.port);
      const given = {
        ...options.environment,
        ...upstream.environment,
        ...store.environment,
        ...operator.environment,
        ...loadCursorSecret(options.environment),
      };
      const environment = localEnvironment(given, listening);
      // No await between `listen` and the listeners below: no request may arrive before them.
      const handler = {
        ...createLocalHandler(
          directory,
          environment,
          options.writeLog,
          parseVariable(environment, env.baseUrl, httpUrl) ?? listening,
        ),
        ...(options.reportRequest && { reportRequest: options.reportRequest }),
      };
      const listener = createCloudFront(handler);
      server.on('request', listener);
      server.on('checkExpectation', listener); // RFC 9110 section 10.1.1: an unknown expectation may be ignored
      answerMalformed(server, { baseUrl: handler.baseUrl, answer: answerHead(handler) });
      return listening;
    });
    return {
      origin,
      upstream: upstream.line,
      ...(operator.generated !== undefined && { operatorToken: operator.generated }),
      notices: store.notice === undefined ? [] : [store.notice],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
