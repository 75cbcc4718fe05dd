// `npm start`: starts the whole service on one machine, without an AWS account and without Docker.
// Environment variables configure it, such as PORT, HOST, UPSTREAM=auto|live|sample, DATA_DIR and ADMIN_TOKEN.
// docs/local-service.md lists all of them. With `save` as its first argument it saves posts instead, as `npm run save` does.
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { errorKind, errorMessage } from '../../shared/model/json.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { type LocalService, startLocalService } from './service.ts';
import { createServiceLog } from './service-log.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const hostOf = (environment: Environment): string => readVariable(environment, localEnv.host) ?? localDefaults.host;

const portOf = (environment: Environment): number => {
  const port = Number(readVariable(environment, localEnv.port) ?? localDefaults.port);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error('PORT must be a whole number from 0 to 65535');
};

const explain = (error: unknown, environment: Environment): string => {
  const isTaken = errorKind(error) === 'EADDRINUSE';
  return isTaken
    ? `port ${portOf(environment)} of ${hostOf(environment)} is in use. Set PORT to another port.`
    : errorMessage(error);
};

const stopOnSignal = (service: LocalService): void => {
  const end = (): void => {
    // A second signal ends the process at once.
    for (const signal of SIGNALS) process.once(signal, () => process.exit(1));
    void service.close().then(() => process.exit(0));
  };
  for (const signal of SIGNALS) process.once(signal, end);
};

/** One output has the log, the other the messages for people. */
const [output, messages] =
  readVariable(process.env, localEnv.logOutput) === 'stdout'
    ? [process.stdout, process.stderr]
    : [process.stderr, process.stdout];

const log = createServiceLog(output.isTTY === true, (text) => void output.write(text));

const say = (line: string): void => void messages.write(`${line}\n`);

const start = async (environment: Environment): Promise<void> => {
  const service = await startLocalService({
    host: hostOf(environment),
    port: portOf(environment),
    environment,
    ...log,
  });
  stopOnSignal(service);
  say(`postern listening on ${service.origin}`);
  say(service.upstream);
  if (service.operatorToken !== undefined) say(`operator token: ${service.operatorToken}`);
  for (const notice of service.notices) console.error(`postern: ${notice}`);
};

const [command, ...args] = process.argv.slice(2);
if (command === 'save') {
  const { saveCommand } = await import('./save/run-save.ts');
  await saveCommand(args);
} else {
  answerHelp();
  await start(process.env).catch((error: unknown) => {
    console.error(`postern: ${explain(error, process.env)}`);
    process.exitCode = 1;
  });
}
