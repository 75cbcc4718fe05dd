// Opens what answers the requests of a command: the service at BASE_URL or, if it is unset, the functions in this process.
import { CommandError } from '../../infra/command/output.ts';
import { type InProcess, startInProcess } from '../../infra/local/in-process.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { MAX_RESPONSE_BYTES } from '../../shared/contract/bounds.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import type { Fetch } from '../src/http-client.ts';

export interface Service extends Pick<InProcess, 'close'>, Partial<Pick<InProcess, 'notice' | 'origins'>> {
  /** First part of every URL, without a slash at its end. */
  readonly origin: string;
  readonly apiKey?: string | undefined;
  readonly fetch: Fetch;
}

/** Longer than the service takes for any answer. */
const TIMEOUT_MILLISECONDS = 30_000;

/** More than the service sends in any answer. */
const MAX_ANSWER_BYTES = 2 * MAX_RESPONSE_BYTES;

const readBytes = async ({ body }: Response): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES)
      throw new CommandError(`The answer has more than ${MAX_ANSWER_BYTES} bytes. Check BASE_URL.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Fetches a whole answer. What answers at BASE_URL can be anything, so a request follows no redirect, which could lead a
 * secret elsewhere, and has bounds on its time and on the size of the answer.
 *
 * @throws CommandError if the answer is too large; another error if there is no complete answer
 */
export const boundedFetch = async (url: string, { signal, ...init }: RequestInit): Promise<Response> => {
  const limit = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  const bytes = await readBytes(response);
  // Some statuses allow no body, not even an empty one.
  return new Response(bytes.length === 0 ? null : bytes, response);
};

/** `fetch` rejects a URL with credentials, and its message would print them. */
const isServiceUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
};

/** @returns it without a slash at its end @throws CommandError */
export const requireServiceUrl = (baseUrl: string): string => {
  const origin = baseUrl.replace(/\/+$/, '');
  if (isServiceUrl(origin)) return origin;
  throw new CommandError(`${env.baseUrl} must be the URL of a service`);
};

/** @throws Error if a setting is invalid */
export const openService = async (environment: Environment): Promise<Service> => {
  const baseUrl = readVariable(environment, env.baseUrl);
  if (baseUrl === undefined) return startInProcess(environment);
  return {
    origin: requireServiceUrl(baseUrl),
    apiKey: readVariable(environment, localEnv.apiKey),
    fetch: boundedFetch,
    close: async () => undefined,
  };
};
