// Implements the private cache of one browser (RFC 9111): the key is the URL with the fields of Vary.

import type { RequestOptions } from './event.ts';
import type { TestApp, TestResponse } from './test-app.ts';

interface Stored {
  readonly answer: TestResponse;
  readonly requested: Readonly<Record<string, string>>;
  readonly storedAt: number;
}

export interface PrivateCache {
  /** @returns the answer, and whether it comes from the cache */
  get(
    target: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ answer: TestResponse; isFromCache: boolean }>;
}

const fieldsIn = (field = ''): readonly string[] =>
  field
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

const directive = (answer: TestResponse, name: string): string | undefined =>
  fieldsIn(answer.headers['cache-control'])
    .map((part) => part.split('='))
    .find(([part]) => part === name)?.[1];

const hasDirective = (answer: TestResponse, name: string): boolean =>
  fieldsIn(answer.headers['cache-control']).some((part) => part.split('=')[0] === name);

/** RFC 9111 section 3, without heuristic freshness. A private cache may store `private` answers. */
const isStorable = (answer: TestResponse): boolean =>
  !hasDirective(answer, 'no-store') && directive(answer, 'max-age') !== undefined;

/** RFC 9111 section 4.1: every field of Vary has the same value or is absent in both requests. */
const matchesVary = ({ answer, requested }: Stored, headers: Readonly<Record<string, string>>): boolean =>
  fieldsIn(answer.headers['vary']).every((name) => name !== '*' && requested[name] === headers[name]);

/** @param clock in milliseconds @param fetchAnswer sends a GET request to the service */
export const privateCache = (
  clock: () => number,
  fetchAnswer: (target: string, options: RequestOptions) => ReturnType<TestApp['get']>,
): PrivateCache => {
  const entries = new Map<string, Stored[]>();

  const isFresh = ({ answer, storedAt }: Stored): boolean =>
    !hasDirective(answer, 'no-cache') && clock() - storedAt < Number(directive(answer, 'max-age')) * 1000;

  return {
    async get(target, headers = {}) {
      const stored = entries.get(target) ?? [];
      const match = stored.findLast((entry) => matchesVary(entry, headers) && isFresh(entry));
      if (match !== undefined) return { answer: match.answer, isFromCache: true };
      const answer = await fetchAnswer(target, { headers });
      if (isStorable(answer)) entries.set(target, [...stored, { answer, requested: headers, storedAt: clock() }]);
      return { answer, isFromCache: false };
    },
  };
};
