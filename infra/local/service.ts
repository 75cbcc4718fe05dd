// The whole service on one machine: what AWS runs, from fresh bundles, behind the local edge.
import { createServer } from 'node:http';
import {
  type Environment,
  parseVariable,
  readCacheTtlSeconds,
  readVariable,
} from '../../shared/composition/environment.ts';
import { httpUrl as baseAddress } from '../../shared/settings/base-parsers.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { edgeFile } from '../build/dist-layout.ts';
import { createApiGateway } from './api-gateway.ts';
import { withBundles } from './bundles.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { answerHead, type CloudFrontOptions, createCloudFront } from './cloudfront.ts';
import { loadCursorSecret } from './cursor-secret.ts';
import { startDynamoDb } from './dynamodb.ts';
import { createEdgeFunction } from './edge-sandbox.ts';
import { hostFunctions } from './function-host.ts';
import { createFunctionUrl } from './function-url.ts';
import { listen, stop } from './listen.ts';
import { localEnvironment } from './local-environment.ts';
import { answerMalformed } from './malformed-requests.ts';
import { resolveOperatorToken } from './operator-token.ts';
import { createSharedCache } from './shared-cache.ts';

/** Far more than CloudFront takes, so that a head that is too large is read and gets our own answer. */
const MAX_HEADER_BYTES = 1_048_576;

export interface LocalServiceOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly environment: Environment;
  /** Receives the log of the functions, lines with their ends. */
  readonly writeLog: (text: string) => void;
}

export interface LocalService {
  readonly origin: string;
  /** Which providers answer, for people. */
  readonly upstream: string;
  /** Of whoever operates it, where it was made up. */
  readonly operatorToken?: string;
  /** What people should know beside that. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** @param environment of the functions, complete @param baseUrl of problems that no function answers */
const createLocalHandler = (
  directory: string,
  environment: Environment,
  writeLog: LocalServiceOptions['writeLog'],
  baseUrl: string,
): CloudFrontOptions => {
  const functions = hostFunctions(directory, environment, writeLog);
  const reportFailure = (message: string): void => writeLog(`${message}\n`);
  return {
    baseUrl,
    edge: createEdgeFunction(edgeFile(directory)),
    api: createApiGateway(functions, reportFailure),
    mcp: createFunctionUrl(functions, reportFailure),
    cache: readCacheTtlSeconds(environment) > 0 ? createSharedCache(Date.now) : undefined,
    originSecret: readVariable(environment, env.originSecrets)?.split(',')[0] ?? '',
  };
};

/** @throws when the port is taken or a setting is wrong */
export const startLocalService = async (options: LocalServiceOptions): Promise<LocalService> => {
  const operator = resolveOperatorToken(options.environment);
  const upstream = await chooseUpstream(options.environment);
  const store = await startDynamoDb(options.environment).catch(async (error: unknown) => {
    await upstream.close();
    throw error;
  });
  // A missing Host is refused by the gateway, with a body.
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false });
  const close = async (): Promise<void> => {
    await stop(server);
    await Promise.all([upstream.close(), store.close()]);
  };
  try {
    const origin = await withBundles(async (directory) => {
      const address = await listen(server, options.host, options.port);
      const given = {
        ...options.environment,
        ...upstream.environment,
        ...store.environment,
        ...operator.environment,
        ...loadCursorSecret(options.environment),
      };
      const environment = localEnvironment(given, address);
      // Nothing is awaited between listening and this, so no request comes before there is somebody to answer it.
      const gateway = createLocalHandler(
        directory,
        environment,
        options.writeLog,
        parseVariable(environment, env.baseUrl, baseAddress) ?? address,
      );
      const listener = createCloudFront(gateway);
      server.on('request', listener);
      server.on('checkExpectation', listener); // an expectation that is not known is passed over (RFC 9110 section 10.1.1)
      answerMalformed(server, { baseUrl: gateway.baseUrl, answer: answerHead(gateway) });
      return address;
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
