// Loads the bundles that AWS runs, each with a process object of its own: as on Lambda, no function sees another's
// environment, and what it prints is its log.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { Context } from 'aws-lambda';
import { LAMBDA_TIMEOUT_SECONDS, type SurfaceName, surfaces } from '../../shared/contract/surfaces.ts';
import type { HttpEvent } from '../../shared/lambda/event.ts';

type Handler = (event: HttpEvent, context: Context) => Promise<unknown>;

export type FunctionHost = (name: SurfaceName, event: HttpEvent) => Promise<unknown>;

export const lambdaContext = (name: string, requestId: string): Context => {
  const deadline = Date.now() + LAMBDA_TIMEOUT_SECONDS * 1000;
  const unsupported = (): never => {
    throw new Error('only the promise that a handler returns counts');
  };
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
    memoryLimitInMB: '512',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
};

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

/** @throws whatever the function throws at its start, such as a wrong setting */
const load = (file: string, environment: NodeJS.ProcessEnv, writeLog: (text: string) => void): Handler => {
  const output = { value: { write: writeLog } };
  const ownProcess = Object.create(process, { env: { value: { ...environment } }, stdout: output, stderr: output });
  const module = { exports: {} };
  const names = ['exports', 'require', 'module', '__filename', '__dirname', 'process'];
  const run = compileFunction(readFileSync(file, 'utf8'), names, { filename: file });
  run(module.exports, createRequire(file), module, file, dirname(file), ownProcess);
  const handler: unknown = Reflect.get(module.exports, 'handler');
  if (!isHandler(handler)) throw new Error(`${file} exports no handler`);
  return handler;
};

const timeOut = (milliseconds: number): { readonly expired: Promise<never>; stop(): void } => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${milliseconds / 1000} s`)), milliseconds);
  return { expired: promise, stop: () => clearTimeout(timer) };
};

/** @param directory holds `<function>/index.cjs` */
export const hostFunctions = (
  directory: string,
  environment: NodeJS.ProcessEnv,
  writeLog: (text: string) => void,
): FunctionHost => {
  const handlers = new Map(
    Object.keys(surfaces).map((name) => [name, load(join(directory, name, 'index.cjs'), environment, writeLog)]),
  );
  return async (name, event) => {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`there is no function ${name}`);
    const limit = timeOut(LAMBDA_TIMEOUT_SECONDS * 1000);
    try {
      return await Promise.race([handler(event, lambdaContext(name, event.requestContext.requestId)), limit.expired]);
    } finally {
      limit.stop();
    }
  };
};
