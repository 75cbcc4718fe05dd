// Defines a check: one statement about the service that is visible from outside, and the answers that it judges.

import { asRecord, isRecord, type JsonRecord, parseJson } from '../model/json.ts';
import type { Service } from './service.ts';

/** The request of a check. The default is GET without header fields. */
export interface Probe {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer of the verified service as it was sent: header lines are not joined. */
export interface Answer {
  /** Path and query as they were sent. */
  readonly target: string;
  readonly probe: Probe;
  readonly status: number;
  /** Header lines in their order, names in lower case. */
  readonly lines: readonly (readonly [string, string])[];
  /** Without content coding. */
  readonly body: string;
  /** The size of the body as it was sent. */
  readonly bytes: number;
}

export const linesOf = ({ lines }: Answer, name: string): readonly string[] =>
  lines.flatMap(([field, value]) => (field === name ? [value] : []));

/** The value of a header field; the lines of a repeated field are joined (RFC 9110 section 5.3). */
export const headerOf = (answer: Answer, name: string): string | undefined => {
  const values = linesOf(answer, name);
  return values.length === 0 ? undefined : values.join(', ');
};

/** The members of a header field that is a list, in lower case. */
export const listOf = (answer: Answer, name: string): readonly string[] =>
  (headerOf(answer, name) ?? '')
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');

export const jsonOf = ({ body }: Answer): JsonRecord => asRecord(parseJson(body)) ?? {};

export const textMember = (value: unknown, name: string): string | undefined => {
  const member = asRecord(value)?.[name];
  return typeof member === 'string' ? member : undefined;
};

/** The objects in a member that is a list; empty if it is none. */
export const listMember = (value: unknown, name: string): readonly JsonRecord[] => {
  const member = asRecord(value)?.[name];
  const items: readonly unknown[] = Array.isArray(member) ? member : [];
  return items.flatMap((item) => (isRecord(item) ? [item] : []));
};

export const codeOf = (answer: Answer): string | undefined => textMember(jsonOf(answer), 'code');

const MAX_TARGET = 80;
const KEYS = /pstn_\w+/g;

/** Names the request of an answer in a report, without a key. */
export const requestText = ({ target, probe }: Answer): string => {
  const clean = target.replace(KEYS, 'pstn_…');
  const shown = clean.length > MAX_TARGET ? `${clean.slice(0, MAX_TARGET)}…` : clean;
  const accept = probe.headers?.['Accept'];
  return `${probe.method ?? 'GET'} ${shown}${accept === undefined ? '' : ` (Accept: ${accept.slice(0, MAX_TARGET)})`}`;
};

/** A check could not be made, for a reason that is no fault of the service. */
export class Skipped extends Error {}

/** The service says that its provider does not answer. It says so as the contract demands. */
export class ProviderOutage extends Error {}

/** Collects the faults that a check finds. */
export interface Verifier {
  /** @param fault describes what was seen instead of what the statement says */
  holds(condition: boolean, fault: string): void;
  equals(seen: unknown, expected: unknown, subject: string): void;
}

export interface Check {
  /** Kebab case. */
  readonly name: string;
  /** One sentence: what is true of the service. */
  readonly statement: string;
  /** Rows of the requirements, such as `lifecycle 1`. */
  readonly rows: readonly string[];
  /** The scheduled canary runs it as well. */
  readonly isInCanary?: boolean;
  /** It judges the answers to all other checks, so it runs after them. */
  readonly isLast?: boolean;
  /** @returns what was seen, for the report @throws Skipped, ProviderOutage, or an error of the connection */
  readonly run: (service: Service, verify: Verifier) => Promise<string>;
}

/** The codes of problems that a provider causes. */
export const PROVIDER_CODES: readonly string[] = ['upstream_failed', 'upstream_unavailable'];

/** Tells whether the answer says, as a problem document, that the provider does not answer. */
export const isProviderOutage = (answer: Answer): boolean =>
  (answer.status === 502 || answer.status === 503) && PROVIDER_CODES.includes(codeOf(answer) ?? '');

const isSpent = (answer: Answer): boolean => answer.status === 429 && codeOf(answer) === 'rate_limited';

export const statusText = (answer: Answer): string => {
  const code = codeOf(answer);
  return `${requestText(answer)} is ${answer.status}${answer.status >= 400 && code !== undefined ? ` ${code}` : ''}`;
};

/**
 * Requires an answer that reads a provider to be 200.
 *
 * @throws ProviderOutage, or Skipped if the caller's own allowance is spent; Error for every other status
 */
export const requireRead = (answer: Answer): Answer => {
  if (answer.status === 200) return answer;
  if (isProviderOutage(answer)) throw new ProviderOutage(statusText(answer));
  if (isSpent(answer)) {
    throw new Skipped(
      `the allowance of this address is spent, again in ${headerOf(answer, 'retry-after')} s: ${statusText(answer)}`,
    );
  }
  throw new Error(`${statusText(answer)}, expected 200`);
};
