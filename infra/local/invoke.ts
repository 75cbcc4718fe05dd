// `npm run invoke -- FUNCTION EVENT`: invokes one bundled function in a separate process under the Lambda runtime
// interface, without Docker. The response goes to standard output, the log to standard error.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../shared/composition/environment.ts';
import { isLambdaName, LAMBDA_TIMEOUT_SECONDS, type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import { servesLists } from '../../shared/contract/operations.ts';
import { errorMessage, isRecord, parseJson } from '../../shared/model/json.ts';
import {
  adminVariables,
  discoveryVariables,
  httpVariables,
  listVariables,
  upstreamVariables,
} from '../../shared/settings/lambda-variables.ts';
import { FUNCTION_HANDLER, functionFolder } from '../build/dist-layout.ts';
import { answerHelp } from '../command/answer-help.ts';
import { withBundles } from './bundles.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { startDynamoDb } from './dynamodb.ts';
import { lambdaEnvironment, REGION } from './lambda-environment.ts';
import { loadCursorSecret, localEnvironment, resolveOperatorToken } from './local-environment.ts';
import { startRuntimeApi } from './runtime-api.ts';

const USAGE = 'usage: npm run invoke -- posts test/events/read-post.json';
const RUNTIME = fileURLToPath(new URL('./lambda-runtime.ts', import.meta.url));

const readEvent = async (file: string): Promise<unknown> => {
  const json = await readFile(file, 'utf8').catch(() => {
    throw new Error(`there is no file ${file}`);
  });
  const event = parseJson(json);
  if (event === undefined) throw new Error(`${file} is not JSON`);
  if (!isHttpEvent(event))
    throw new Error(`${file} is not an HTTP API event: routeKey, headers or requestContext is missing`);
  return event;
};

const isHttpEvent = (event: unknown): boolean =>
  isRecord(event) && ['routeKey', 'headers', 'requestContext'].every((name) => name in event);

/** Lambda gives every function the credentials of its role. */
const AWS_VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** As on Lambda, no other variable of this machine reaches the function. */
const functionVariables = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    [
      ...httpVariables,
      ...discoveryVariables,
      ...upstreamVariables,
      ...listVariables,
      ...adminVariables,
      ...AWS_VARIABLES,
    ].flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const lambdaVariables = (name: LambdaName, directory: string, runtimeApi: string): Record<string, string> => {
  const { version, memoryMiB, logGroup, logStream } = lambdaEnvironment(name);
  return {
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: version,
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    AWS_REGION: REGION,
    LAMBDA_TASK_ROOT: directory,
    TZ: ':UTC',
    _HANDLER: FUNCTION_HANDLER,
  };
};

/** Rejects if the function times out or its process ends before it responds. */
const rejectWithoutResponse = (child: ReturnType<typeof spawn>): Promise<never> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`timed out after ${LAMBDA_TIMEOUT_SECONDS} s`)),
    LAMBDA_TIMEOUT_SECONDS * 1000,
  );
  child.once('exit', (code) => {
    clearTimeout(timer);
    reject(new Error(`the function's process ended with ${code}`));
  });
  return promise;
};

const invoke = async (name: LambdaName, event: unknown, environment: Environment): Promise<unknown> =>
  withBundles(async (bundles) => {
    const directory = functionFolder(bundles, name);
    const api = await startRuntimeApi(event, name, LAMBDA_TIMEOUT_SECONDS);
    const child = spawn(process.execPath, [RUNTIME], {
      env: { ...functionVariables(environment), ...lambdaVariables(name, directory, api.address) },
      stdio: ['ignore', process.stderr, process.stderr],
    });
    try {
      return await Promise.race([api.response, rejectWithoutResponse(child)]);
    } finally {
      child.kill();
      await api.close();
    }
  });

const main = async ([name, file]: readonly (string | undefined)[]): Promise<void> => {
  if (name === undefined || file === undefined) throw new Error(USAGE);
  if (!isLambdaName(name))
    throw new Error(`there is no function ${name}; there are ${Object.keys(lambdas).join(', ')}`);
  const event = await readEvent(file);
  const upstream = await chooseUpstream(process.env);
  if (upstream.notice !== undefined) console.error(upstream.notice);
  const store = lambdas[name].tables === 'none' ? undefined : await startDynamoDb(process.env);
  if (store?.notice !== undefined) console.error(store.notice);
  try {
    const secrets = servesLists(name) || store !== undefined ? loadCursorSecret(process.env) : {};
    const environment = localEnvironment({
      ...process.env,
      ...upstream.environment,
      ...store?.environment,
      ...secrets,
      ...resolveOperatorToken(process.env).environment,
    });
    const response = await invoke(name, event, environment);
    console.log(JSON.stringify(response, null, 2));
  } finally {
    await Promise.all([upstream.close(), store?.close()]);
  }
};

answerHelp(USAGE);
await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(errorMessage(error));
  process.exitCode = 1;
});
