// Starts further instances of the local service from one build, since each measurement needs breakers and caches of its own.
import { createServer } from 'node:http';
import { createCloudFront } from '../../infra/local/cloudfront.ts';
import { hostFunctions } from '../../infra/local/function-host.ts';
import { listen, stop } from '../../infra/local/listen.ts';
import { localEnvironment } from '../../infra/local/local-environment.ts';
import { createLocalHandler } from '../../infra/local/service.ts';
import type { Environment } from '../../shared/composition/environment.ts';
import type { LambdaName } from '../../shared/contract/lambdas.ts';

/** Values that no answer may have. */
export const SECRETS = {
  ORIGIN_SECRETS: 'origin-secret-of-the-measurement',
  CURSOR_SECRETS: 'cursor-secret-of-the-measurement',
} as const;

export interface ServiceInstance {
  readonly origin: string;
  close(): Promise<void>;
}

/** @param directory the output of a build @param lambda the function that answers @param environment of providers and stores */
export const startInstance = async (
  directory: string,
  lambda: LambdaName,
  environment: Environment,
): Promise<ServiceInstance> => {
  const server = createServer();
  const origin = await listen(server, '127.0.0.1', 0);
  const given = { UPSTREAM: 'live', ...SECRETS, ...environment };
  const complete = localEnvironment(given, origin);
  const functions = hostFunctions(directory, complete, () => undefined, [lambda]);
  const handler = createLocalHandler(directory, complete, functions, () => undefined, origin);
  server.on('request', createCloudFront(handler));
  return { origin, close: () => stop(server) };
};
