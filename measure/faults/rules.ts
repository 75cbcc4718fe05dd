// Checks an answer that a caller got during a fault against the rules that every answer must obey.
import { freshnessOf } from '../../infra/local/shared-cache.ts';
import { MAX_RESPONSE_BYTES } from '../../shared/contract/bounds.ts';
import { conformanceErrors } from '../../test/support/conformance.ts';
import type { Answer } from '../../test/support/faults/client.ts';
import type { Reading } from '../../test/support/faults/surfaces.ts';
import type { Query } from '../../test/support/send.ts';
import { SECRETS } from './service.ts';

/** The deadline of a request, and the time that a busy machine may add. */
export const DEADLINE_MILLISECONDS = 8000;
const MARGIN_MILLISECONDS = 1500;

/** Retry-After of `upstream_unavailable`: the service must be back by then. */
export const RECOVERY_MILLISECONDS = 30_000;

/** A stack, a path of this machine, or an error of Node. */
const INTERNALS = /\bat [\w.<> ]+\(|node:internal|file:\/\/|ECONN|UND_ERR|\.cjs:\d/;

/** Degraded answers stay in a shared cache for at most a minute. */
const MAX_DEGRADED_MILLISECONDS = 60_000;

const storedMilliseconds = ({ headers }: Answer): number => freshnessOf(headers['cache-control'])?.fresh ?? 0;

const hasWarning = ({ body }: Answer): boolean => /"warnings":\s*\[\s*\{/.test(body);

export const isInTime = (milliseconds: number, limit: number): boolean => milliseconds <= limit + MARGIN_MILLISECONDS;

/** The rules of every answer, whatever failed. */
export const commonErrors = (query: Query, answer: Answer): readonly string[] => {
  const { body, headers } = answer;
  const text = `${JSON.stringify(headers)}\n${body}`;
  return [
    ...conformanceErrors(query.body === undefined ? 'GET' : 'POST', query.target, answer),
    ...(text.includes('LEAKY') ? ['the answer has text of the provider or the store'] : []),
    ...(INTERNALS.test(body) ? ['the answer has internals'] : []),
    ...Object.values(SECRETS).filter((secret) => text.includes(secret)),
    ...(isInTime(answer.milliseconds, DEADLINE_MILLISECONDS + answer.stalledMilliseconds)
      ? []
      : [`${Math.round(answer.milliseconds)} ms`]),
    ...(answer.status === 500 ? ['an error of the service itself'] : []),
    ...(Buffer.byteLength(body) > MAX_RESPONSE_BYTES ? [`an answer of ${Buffer.byteLength(body)} bytes`] : []),
    ...(answer.status >= 400 && storedMilliseconds(answer) > 0 ? [`a ${answer.status} may be stored`] : []),
  ];
};

/** The rules of an answer during an outage of the providers, about a subject that exists. */
export const outageErrors = (
  query: Query,
  answer: Answer,
  { status, isServed, isTrue }: Reading,
  mayLie: boolean,
): readonly string[] => [
  ...commonErrors(query, answer),
  ...([401, 403, 404, 410, 429].includes(status) ? [`an outage is reported as ${status}`] : []),
  ...(isServed && !isTrue && !mayLie ? ['the answer is not about the subject'] : []),
  ...(isServed && hasWarning(answer) && storedMilliseconds(answer) > MAX_DEGRADED_MILLISECONDS
    ? ['a degraded answer may be stored for more than a minute']
    : []),
  ...(answer.status === 503 && answer.headers['retry-after'] === undefined ? ['503 without Retry-After'] : []),
];

/** Requests of other callers while the subjects of one caller fail. */
export interface Victims {
  readonly served: number;
  readonly total: number;
  /** Provider calls of the one caller that had met the fault before the first request of another caller. */
  readonly failures: number;
}

/** One victim in twenty may fail. */
const LEAST_SERVED = 19 / 20;
/** With fewer, the victims would stand beside no fault. */
export const LEAST_FAILURES = 5;

/** @param victims undefined: the fault concerns all subjects */
export const victimErrors = (victims: Victims | undefined): readonly string[] => {
  if (victims === undefined) return [];
  const { served, total, failures } = victims;
  return [
    ...(served < LEAST_SERVED * total ? [`only ${served} of ${total} victims were served`] : []),
    ...(failures < LEAST_FAILURES ? [`only ${failures} calls met the fault before the first victim`] : []),
  ];
};
