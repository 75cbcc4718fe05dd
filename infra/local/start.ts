// `npm start`: starts the whole service on one machine. docs/local-service.md lists its environment variables.
import { type Environment, parseVariable, readVariable } from '../../shared/composition/environment.ts';
import { adminOperations } from '../../shared/contract/admin-operations.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { errorKind, errorMessage } from '../../shared/model/json.ts';
import { httpUrl } from '../../shared/settings/base-parsers.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';
import { answerHelp } from '../command/answer-help.ts';
import { commandLine } from '../command/command-line.ts';
import { requireLoopback } from './require-loopback.ts';
import { type LocalService, startLocalService } from './service.ts';
import { createServiceLog } from './service-log.ts';

const USAGE = `usage: ${commandLine('start')}
Starts the whole service on one machine, without an AWS account and without Docker. Environment variables configure it,
such as PORT, HOST, UPSTREAM=auto|live|sample, DATA_DIR and ADMIN_TOKEN.`;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const hostOf = (environment: Environment): string => readVariable(environment, localEnv.host) ?? localDefaults.host;

const portOf = (environment: Environment): number => {
  const port = Number(readVariable(environment, localEnv.port) ?? localDefaults.port);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error('PORT must be a whole number from 0 to 65535');
};

/** Other calls, such as of DATA_DIR, fail with the same codes. */
const LISTEN_CALLS: readonly unknown[] = ['listen', 'getaddrinfo'];

const explain = (error: unknown, environment: Environment): string => {
  const message = errorMessage(error);
  if (!(error instanceof Error && 'syscall' in error && LISTEN_CALLS.includes(error.syscall))) return message;
  const [host, port] = [hostOf(environment), portOf(environment)];
  switch (errorKind(error)) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use. Set PORT to another port.`;
    case 'EACCES':
      return `this user may not listen on port ${port}. Set PORT to a port from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`;
    default:
      return message;
  }
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

const signIn = ({ operatorToken }: LocalService, environment: Environment): string => {
  if (operatorToken !== undefined) return 'the token above';
  return readVariable(environment, localEnv.adminToken) === undefined
    ? `a token of ${env.adminTokenHashes}`
    : localEnv.adminToken;
};

/** Scripts read the first three lines. */
const linesOf = (service: LocalService, environment: Environment): readonly string[] => {
  const { origin, upstream, operatorToken } = service;
  const base = parseVariable(environment, env.baseUrl, httpUrl) ?? origin;
  return [
    `postern listening on ${origin}`,
    upstream,
    ...(operatorToken === undefined ? [] : [`operator token: ${operatorToken}`]),
    `page: ${base}/`,
    `MCP: ${base}${MCP_PATH}`,
    `dashboard: ${base}${adminOperations.showDashboard.path}, sign in with ${signIn(service, environment)}`,
    `documentation: ${base}/docs`,
  ];
};

const start = async (environment: Environment): Promise<void> => {
  await requireLoopback();
  const service = await startLocalService({
    host: hostOf(environment),
    port: portOf(environment),
    environment,
    ...log,
  });
  stopOnSignal(service);
  // In one write, because a reader such as `head` can close its end after the first line.
  messages.write(`${linesOf(service, environment).join('\n')}\n`);
  for (const notice of service.notices) console.error(`postern: ${notice}`);
};

answerHelp(USAGE);
await start(process.env).catch((error: unknown) => {
  console.error(`postern: ${explain(error, process.env)}`);
  process.exitCode = 1;
});
