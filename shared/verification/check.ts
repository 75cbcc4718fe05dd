// Defines a check: one statement about the service that is visible from outside, and how it judges an answer.
import { type Answer, codeOf, requestText, responseHeader } from './answer.ts';
import type { Service } from './service.ts';

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
      `the allowance of this address is spent, again in ${responseHeader(answer, 'retry-after')} s: ${statusText(answer)}`,
    );
  }
  throw new Error(`${statusText(answer)}, expected 200`);
};
