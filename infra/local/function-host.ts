// Loads the bundles that AWS runs, each with a separate process object. As on Lambda, a function sees only its own
// environment, and its output is its log. The process object also has the counters that the functions share. The compiled code is kept beside a bundle, because compiling all bundles takes
// longer than the rest of the start.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { Script } from 'node:vm';
import type { Context } from 'aws-lambda';
import { LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdaNames, lambdas } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { asRecord } from '../../shared/model/json.ts';
import type { ProcessCounters } from '../../shared/ports/stores.ts';
import { createProcessCounters, PROCESS_COUNTERS } from '../../shared/stores/process-counters.ts';
import { checkedCode, withChecksum } from '../build/checked-code.ts';
import { bundleFile } from '../build/dist-layout.ts';

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'process'] as const;
const HEAD = `(function (${PARAMETERS.join(', ')}) {`;

type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: { readonly exports: object },
  filename: string,
  directory: string,
  process: object,
) => void;

interface Source {
  readonly text: string;
  /** The compiled code of this text, if it is undamaged. */
  readonly compiled: Buffer | undefined;
}

const BUNDLE = '.cjs';
const COMPILED = '.compiled';

const readCompiled = (filename: string, source: Buffer): Buffer | undefined => {
  try {
    return checkedCode(readFileSync(`${filename}${COMPILED}`), source);
  } catch {
    return undefined; // There is none, or only another user may read it.
  }
};

const readSource = (filename: string): Source => {
  const source = readFileSync(filename);
  return { text: source.toString(), compiled: readCompiled(filename, source) };
};

/** @returns file name to content, of all bundles in a folder */
const readSources = (folder: string): ReadonlyMap<string, Source> => {
  const names = readdirSync(folder).filter((name) => extname(name) === BUNDLE);
  return new Map(names.map((name) => [name, readSource(join(folder, name))]));
};

/** V8 ignores compiled code of another version. Another process can read the file at any time, so it appears at once. */
const keepCompiled = (script: Script, filename: string, text: string): void => {
  try {
    const unfinished = `${filename}.${process.pid}`;
    writeFileSync(unfinished, withChecksum(script.createCachedData(), text));
    renameSync(unfinished, `${filename}${COMPILED}`);
  } catch {
    // The folder is gone or belongs to another user; the next start compiles again.
  }
};

/**
 * Reads all files of the folder now, because it may be removed before a bundle needs the second one.
 *
 * @param file the path of a bundle
 * @returns the exports
 * @throws the error of a bundle that does not start
 */
export const loadBundle = (file: string, lambdaProcess: object): object => {
  const folder = dirname(file);
  const sources = readSources(folder);
  const requireFromNode = createRequire(file);
  const run = (name: string, { text, compiled }: Source): object => {
    const filename = join(folder, name);
    const script = new Script(`${HEAD}${text}\n})`, {
      filename,
      columnOffset: -HEAD.length,
      ...(compiled && { cachedData: compiled }),
    });
    const body: Body = script.runInThisContext();
    const module = { exports: {} };
    const load = (id: string): unknown => {
      const source = id.startsWith('./') ? sources.get(id.slice(2)) : undefined;
      return source === undefined ? requireFromNode(id) : run(id.slice(2), source);
    };
    body(module.exports, load, module, filename, folder, lambdaProcess);
    if (compiled === undefined || script.cachedDataRejected) keepCompiled(script, filename, text);
    return module.exports;
  };
  const name = basename(file);
  return run(name, sources.get(name) ?? { text: readFileSync(file, 'utf8'), compiled: undefined });
};

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
const load = (
  file: string,
  environment: NodeJS.ProcessEnv,
  writeLog: (text: string) => void,
  counters: ProcessCounters,
): Handler => {
  const output = { value: { write: writeLog } };
  const lambdaProcess = Object.create(process, {
    env: { value: { ...environment } },
    stdout: output,
    stderr: output,
    [PROCESS_COUNTERS]: { value: counters },
  });
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
  // In which the functions count with COUNTER_STORE=memory.
  const counters = createProcessCounters(Date);
  const handlers = new Map(
    names.map((name): [LambdaName, Handler] => [name, load(bundleFile(dist, name), environment, writeLog, counters)]),
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
