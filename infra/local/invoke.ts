// `npm run invoke -- FUNCTION EVENT`: invokes one bundled function as Lambda does, without Docker. The response goes to
// standard output, the log to standard error.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isLambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { asRecord, errorMessage, isRecord } from '../../shared/model/json.ts';
import { parseJsonSource } from '../../shared/model/json-source.ts';
import { withBundles } from '../build/kept-build.ts';
import { answerHelp } from '../command/answer-help.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { type LocalDynamoDb, startDynamoDb } from './dynamodb.ts';
import { hostFunctions } from './function-host.ts';
import { loadCursorSecret, localEnvironment, resolveOperatorToken } from './local-environment.ts';

const USAGE = 'usage: npm run invoke -- posts test/events/read-post.json';

const isHttpEvent = (event: unknown): event is HttpEvent =>
  isRecord(event) &&
  typeof event['routeKey'] === 'string' &&
  typeof event['rawPath'] === 'string' &&
  isRecord(event['headers']) &&
  isRecord(asRecord(event['requestContext'])?.['http']);

const readEvent = async (file: string): Promise<HttpEvent> => {
  // npm runs commands in the folder of the project.
  const json = await readFile(resolve(process.env['INIT_CWD'] ?? '', file), 'utf8').catch(() => {
    throw new Error(`there is no file ${file}`);
  });
  const source = parseJsonSource(json);
  if ('problem' in source) throw new Error(`${file}: ${source.problem}`);
  const event = source.value;
  if (!isHttpEvent(event))
    throw new Error(`${file} is no HTTP API event: it needs routeKey, rawPath, headers and requestContext.http`);
  return event;
};

const main = async ([name, file]: readonly (string | undefined)[]): Promise<void> => {
  if (name === undefined || file === undefined) throw new Error(USAGE);
  if (!isLambdaName(name))
    throw new Error(`there is no function ${name}; there are ${Object.keys(lambdas).join(', ')}`);
  const event = await readEvent(file);
  const upstream = await chooseUpstream(process.env);
  let store: LocalDynamoDb | undefined;
  try {
    if (upstream.notice !== undefined) console.error(upstream.notice);
    if (lambdas[name].tables !== 'none') store = await startDynamoDb(process.env);
    const cursorSecret = loadCursorSecret(process.env);
    if (cursorSecret.notice !== undefined) console.error(cursorSecret.notice);
    const environment = localEnvironment({
      ...process.env,
      ...upstream.environment,
      ...store?.environment,
      ...cursorSecret.environment,
      ...resolveOperatorToken(process.env).environment,
    });
    const writeLog = (text: string): void => void process.stderr.write(text);
    const response = await withBundles((dist) => hostFunctions(dist, environment, writeLog, [name])(name, event));
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
