// Shows that the rules of `npm run measure -- faults` notice what they must notice.
import { expect, test } from 'vitest';
import type { Answer } from './client.ts';
import { outageErrors, victimErrors } from './rules.ts';
import { readAnswer, type Subject, surfaceNamed } from './surfaces.ts';

const subject: Subject = { id: '100000000001', handle: 'v000001' };

const problemAnswer = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify({ code, status }),
  milliseconds: 10,
  stalledMilliseconds: 0,
});

const errorsOf = (name: string, answer: Answer): string => {
  const surface = surfaceNamed(name);
  return outageErrors(surface.queryOf(subject), answer, readAnswer(surface, subject, answer), false).join('\n');
};

const UNAVAILABLE = problemAnswer(503, 'upstream_unavailable', { 'retry-after': '30' });

test('an outage that is reported as absence breaks a rule', () => {
  expect(errorsOf('posts', problemAnswer(404, 'post_not_found'))).toContain('an outage is reported as 404');
  expect(errorsOf('profile', problemAnswer(403, 'profile_protected'))).toContain('an outage is reported as 403');
  expect(errorsOf('posts', UNAVAILABLE)).not.toContain('an outage is reported');
});

test('an answer about another subject breaks a rule', () => {
  const answer: Answer = { ...UNAVAILABLE, status: 200, body: '{"posts":[]}' };
  expect(errorsOf('search', answer)).toContain('the answer is not about the subject');
});

test('a failed answer that a cache may store breaks a rule', () => {
  const stored = problemAnswer(503, 'upstream_unavailable', {
    'cache-control': 'public, max-age=30',
    'retry-after': '30',
  });
  expect(errorsOf('feed', stored)).toContain('a 503 may be stored');
});

test('text of the provider, internals and an undeclared status break a rule', () => {
  expect(errorsOf('posts', { ...UNAVAILABLE, body: '{"detail":"LEAKY"}' })).toContain('has text of the provider');
  expect(errorsOf('posts', { ...UNAVAILABLE, body: '{"detail":"ECONNRESET"}' })).toContain('has internals');
  expect(errorsOf('posts', problemAnswer(504, 'timeout'))).toContain('504 is not declared');
});

test('an answer after the deadline and a 503 without Retry-After break a rule', () => {
  expect(errorsOf('posts', { ...UNAVAILABLE, milliseconds: 9600 })).toContain('9600 ms');
  expect(errorsOf('posts', { ...UNAVAILABLE, milliseconds: 9600, stalledMilliseconds: 200 })).not.toContain('9600 ms');
  expect(errorsOf('posts', problemAnswer(503, 'upstream_unavailable'))).toContain('503 without Retry-After');
});

test('the status of a tool result counts, not that of its HTTP answer', () => {
  const body = JSON.stringify({
    result: { isError: true, content: [], _meta: { code: 'post_not_found', status: 404 } },
  });
  const answer: Answer = { ...UNAVAILABLE, status: 200, headers: { 'content-type': 'application/json' }, body };
  expect(errorsOf('MCP', answer)).toContain('an outage is reported as 404');
});

test('refused victims break a rule, and so do victims before the fault of the one caller', () => {
  expect(victimErrors({ served: 19, total: 20, failures: 5 })).toEqual([]);
  expect(victimErrors({ served: 18, total: 20, failures: 5 })).toEqual(['only 18 of 20 victims were served']);
  expect(victimErrors({ served: 20, total: 20, failures: 4 })).toEqual([
    'only 4 calls met the fault before the first victim',
  ]);
});
