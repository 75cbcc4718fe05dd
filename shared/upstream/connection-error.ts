// Classifies an error of a connection to a provider.
import { errorKind } from '../model/errors.ts';
import type { AttemptResult } from './http-request.ts';

/** No connection was established. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection closed before the end of the response, or it was idle and the provider had closed it. */
const CONNECTION_CLOSED: ReadonlySet<string> = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * - no connection: `down`, and the provider is at fault
 * - a connection that closed: `down`
 * - any other error, such as a response that is not HTTP: `failed`, which is not repeated
 */
export const connectionError = (error: unknown): AttemptResult => {
  const why = errorKind(error); // the errors of undici's parser have a name and no code
  const noConnection = NO_CONNECTION.has(why);
  const isUnanswered = noConnection || CONNECTION_CLOSED.has(why);
  return {
    fetched: { kind: isUnanswered ? 'down' : 'failed', why },
    health: noConnection ? 'failure' : 'suspect',
    mayRetry: isUnanswered,
  };
};
