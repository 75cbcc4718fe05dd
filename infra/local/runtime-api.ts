// Serves Lambda's Runtime API for one invocation: sends the event and waits for the response.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LambdaName } from '../../shared/contract/lambdas.ts';
import { lambdaEnvironment } from './lambda-environment.ts';
import { listen, stop } from './listen.ts';

const PREFIX = '/2018-06-01/runtime';

export interface RuntimeApi {
  /** Host and port, as AWS_LAMBDA_RUNTIME_API has them. */
  readonly address: string;
  /** The response of the function. Rejects with the error of the function or of its start. */
  readonly response: Promise<unknown>;
  close(): Promise<void>;
}

const failureOf = (description: unknown): Error => {
  const { errorType, errorMessage } = Object(description);
  return new Error(`${String(errorType)}: ${String(errorMessage)}`);
};

export const startRuntimeApi = async (
  event: unknown,
  functionName: LambdaName,
  timeoutSeconds: number,
): Promise<RuntimeApi> => {
  const requestId = randomUUID();
  const { promise: response, resolve, reject } = Promise.withResolvers<unknown>();
  let isSent = false;

  const sendEvent = (answer: ServerResponse): void => {
    if (isSent) return; // there is no second event: the runtime waits, as on Lambda
    isSent = true;
    answer.writeHead(200, {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': requestId,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutSeconds * 1000),
      'Lambda-Runtime-Invoked-Function-Arn': lambdaEnvironment(functionName).arn,
    });
    answer.end(JSON.stringify(event));
  };

  const handle = async (request: IncomingMessage, answer: ServerResponse): Promise<void> => {
    if (request.url === `${PREFIX}/invocation/next`) return sendEvent(answer);
    const body: unknown = JSON.parse(await text(request));
    answer.writeHead(202).end();
    if (request.url === `${PREFIX}/invocation/${requestId}/response`) resolve(body);
    else reject(failureOf(body));
  };

  const server = createServer((request, answer) => void handle(request, answer).catch(reject));
  const origin = await listen(server, '127.0.0.1', 0);
  return { address: origin.replace('http://', ''), response, close: () => stop(server) };
};
