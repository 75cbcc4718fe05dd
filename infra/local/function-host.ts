// Loads the bundles that AWS runs, each with a separate process object. As on Lambda, a function sees only its own
// environment, and its output is its log.
import type { Context } from 'aws-lambda';
import { LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { asRecord } from '../../shared/model/json.ts';
import { bundleFile } from '../build/dist-layout.ts';
import { loadBundle } from './load-bundle.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '123456789012';

/** Lambda's limit for the JSON response of a synchronous invocation: 6 MiB and 100 bytes. */
const MAX_RESPONSE_BYTES = 6_291_556;

type Handler = (event: HttpEvent, context: Context) => Promise<unknown>;

export type FunctionHost = (name: LambdaName, event: HttpEvent) => Promise<unknown>;

export const lambdaContext = (name: LambdaName, requestId: string): Context => {
  const deadline = performance.now() + LAMBDA_TIMEOUT_SECONDS * 1000;
  const unsupported = (): never => {
    throw new Error('Lambda uses only the promise that a handler returns');
  };
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
    memoryLimitInMB: String(lambdas[name].memoryMiB),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
};

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

/** @throws the error of a function that does not start, such as an invalid setting */
const load = (file: string, environment: NodeJS.ProcessEnv, writeLog: (text: string) => void): Handler => {
  const output = { value: { write: writeLog } };
  const lambdaProcess = Object.create(process, { env: { value: { ...environment } }, stdout: output, stderr: output });
  const handler: unknown = Reflect.get(loadBundle(file, lambdaProcess), 'handler');
  if (!isHandler(handler)) throw new Error(`${file} exports no handler`);
  return handler;
};

const timeOut = (milliseconds: number): { readonly expired: Promise<never>; stop(): void } => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${milliseconds / 1000} s`)), milliseconds);
  return { expired: promise, stop: () => clearTimeout(timer) };
};

/** The largest size of a UTF-16 code unit as a JSON escape. */
const MAX_BYTES_PER_CODE_UNIT = 6;

/** @throws if Lambda would reject the response because of its size */
const requireResponseSize = (result: unknown): unknown => {
  const { body = '', ...head } = asRecord(result) ?? {};
  // Bodies are seldom large, and to write one as JSON takes 5 % of the time of a request.
  const codeUnits = typeof body === 'string' ? body.length + JSON.stringify(head).length : Number.POSITIVE_INFINITY;
  if (codeUnits * MAX_BYTES_PER_CODE_UNIT <= MAX_RESPONSE_BYTES) return result;
  const bytes = Buffer.byteLength(JSON.stringify(result) ?? '');
  if (bytes <= MAX_RESPONSE_BYTES) return result;
  throw new Error(`Function.ResponseSizeTooLarge: ${bytes} bytes; Lambda sends at most ${MAX_RESPONSE_BYTES}`);
};

/**
 * Rejects an invocation that exceeds the timeout or the response size of Lambda.
 *
 * @param dist the output folder of the build
 * @param names the functions to load @default all
 */
export const hostFunctions = (
  dist: string,
  environment: NodeJS.ProcessEnv,
  writeLog: (text: string) => void,
  names: readonly LambdaName[] = lambdaNames,
): FunctionHost => {
  const handlers = new Map(
    names.map((name): [LambdaName, Handler] => [name, load(bundleFile(dist, name), environment, writeLog)]),
  );
  return async (name, event) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`there is no function ${name}`);
    const limit = timeOut(LAMBDA_TIMEOUT_SECONDS * 1000);
    try {
      const result = handler(event, lambdaContext(name, event.requestContext.requestId));
      return requireResponseSize(await Promise.race([result, limit.expired]));
    } finally {
      limit.stop();
    }
  };
};
