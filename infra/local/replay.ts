// `npm exec -- node infra/local/replay.ts`: serves the sample answers of the providers and an embedded DynamoDB at fixed
// ports, for functions that run elsewhere on this machine, such as in the containers of SAM. env.json names these ports.
import { parseArgs } from 'node:util';
import { readVariable } from '../../shared/composition/environment.ts';
import { errorMessage } from '../../shared/model/json.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startSampleServer } from './sample-server.ts';

const USAGE = 'usage: npm exec -- node infra/local/replay.ts [--providers PORT --dynamodb PORT]';

const portOf = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(USAGE);
};

const readPorts = (): { readonly providers: number; readonly dynamodb: number } => {
  const { values } = parseArgs({
    options: { providers: { type: 'string', default: '3100' }, dynamodb: { type: 'string', default: '3101' } },
  });
  return { providers: portOf(values.providers), dynamodb: portOf(values.dynamodb) };
};

const main = async (): Promise<void> => {
  const { providers, dynamodb } = readPorts();
  const host = readVariable(process.env, localEnv.host) ?? localDefaults.host;
  const sample = await startSampleServer(host, providers);
  const store = await startDynamoDb({ ...process.env, DATA_DIR: 'memory' }, { address: { host, port: dynamodb } });
  const end = (): void => void Promise.all([sample.close(), store.close()]).then(() => process.exit(0));
  process.once('SIGINT', end).once('SIGTERM', end);
  console.log(`providers: ${sample.origin}, ${sample.size} bundled posts`);
  console.log(`DynamoDB: ${store.environment['DYNAMODB_ENDPOINT']}, nothing is saved`);
};

answerHelp(USAGE);
await main().catch((error: unknown) => {
  console.error(errorMessage(error));
  process.exitCode = 1;
});
