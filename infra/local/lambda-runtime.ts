// Runs a function as a Lambda runtime does: gets events from the Runtime API and posts the results. invoke.ts starts
// this file as a separate process with the environment that Lambda sets.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this program is started by invoke.ts`);
  return value;
};

const api = `http://${variable('AWS_LAMBDA_RUNTIME_API')}/2018-06-01/runtime`;

const post = async (path: string, body: unknown): Promise<void> => {
  await fetch(`${api}${path}`, { method: 'POST', body: JSON.stringify(body ?? null) });
};

const description = (error: unknown): object =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, stackTrace: error.stack?.split('\n') ?? [] }
    : { errorType: 'Error', errorMessage: String(error), stackTrace: [] };

type Handler = (event: unknown, context: object) => unknown;
const isHandler = (value: unknown): value is Handler => typeof value === 'function';

/** `_HANDLER` names a file and an export, such as `index.handler`. */
const loadHandler = (): Handler => {
  const [file = '', name = ''] = variable('_HANDLER').split('.');
  const exported: unknown = createRequire(import.meta.url)(join(variable('LAMBDA_TASK_ROOT'), `${file}.cjs`));
  const handler: unknown = Reflect.get(Object(exported), name);
  if (!isHandler(handler)) throw new Error(`${file} exports no ${name}`);
  return handler;
};

const contextOf = (headers: Headers): object => {
  const deadline = Number(headers.get('lambda-runtime-deadline-ms'));
  return {
    functionName: variable('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: variable('AWS_LAMBDA_FUNCTION_VERSION'),
    memoryLimitInMB: variable('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    logGroupName: variable('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: variable('AWS_LAMBDA_LOG_STREAM_NAME'),
    awsRequestId: headers.get('lambda-runtime-aws-request-id'),
    invokedFunctionArn: headers.get('lambda-runtime-invoked-function-arn'),
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
};

const serveOne = async (handler: Handler): Promise<void> => {
  const next = await fetch(`${api}/invocation/next`);
  const id = next.headers.get('lambda-runtime-aws-request-id');
  try {
    const result = await handler(await next.json(), contextOf(next.headers));
    await post(`/invocation/${id}/response`, result);
  } catch (error) {
    await post(`/invocation/${id}/error`, description(error));
  }
};

try {
  const handler = loadHandler();
  for (;;) await serveOne(handler);
} catch (error) {
  await post('/init/error', description(error));
  process.exitCode = 1;
}
