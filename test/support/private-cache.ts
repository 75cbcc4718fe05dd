// The cache of one browser, as RFC 9111 has it: keyed by address, told apart by Vary, for one user.

import type { RequestOptions } from './event.ts';
import type { TestApp, TestResponse } from './test-app.ts';

interface Stored {
  readonly answer: TestResponse;
  readonly requested: Readonly<Record<string, string>>;
  readonly storedAt: number;
}

export interface PrivateCache {
  /** @returns the answer, and whether the service was asked for it */
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
    .find(([known]) => known === name)?.[1];

const hasDirective = (answer: TestResponse, name: string): boolean =>
  fieldsIn(answer.headers['cache-control']).some((part) => part.split('=')[0] === name);

/** Section 3: what may be stored without heuristics. `private` may, this being a private cache. */
const isStorable = (answer: TestResponse): boolean =>
  !hasDirective(answer, 'no-store') && directive(answer, 'max-age') !== undefined;

/** Section 4.1: every field that Vary names is the same, present or absent. */
const isMeant = ({ answer, requested }: Stored, headers: Readonly<Record<string, string>>): boolean =>
  fieldsIn(answer.headers['vary']).every((name) => name !== '*' && requested[name] === headers[name]);

/** @param clock in milliseconds @param ask the service, by GET */
export const privateCache = (
  clock: () => number,
  ask: (target: string, options: RequestOptions) => ReturnType<TestApp['get']>,
): PrivateCache => {
  const entries = new Map<string, Stored[]>();

  const isFresh = ({ answer, storedAt }: Stored): boolean =>
    !hasDirective(answer, 'no-cache') && clock() - storedAt < Number(directive(answer, 'max-age')) * 1000;

  return {
    async get(target, headers = {}) {
      const stored = entries.get(target) ?? [];
      const match = stored.findLast((entry) => isMeant(entry, headers) && isFresh(entry));
      if (match !== undefined) return { answer: match.answer, isFromCache: true };
      const answer = await ask(target, { headers });
      if (isStorable(answer)) entries.set(target, [...stored, { answer, requested: headers, storedAt: clock() }]);
      return { answer, isFromCache: false };
    },
  };
};
