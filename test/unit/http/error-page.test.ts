// Tests when an error is a page for people, and what the page knows about the request.
import { expect, test } from 'vitest';
import { type Problem, type ProblemCode, problem } from '../../../shared/contract/problems.ts';
import { errorPageFacts } from '../../../shared/http/middleware/problem-responses.ts';
import { createRouteFinder } from '../../../shared/http/operation-routes.ts';
import { type RequestOptions, routedEvent } from '../../support/event.ts';
import { NOW } from '../../support/test-app.ts';

const BROWSER: RequestOptions = { headers: { Accept: 'text/html,*/*;q=0.8' } };

const factsOf = (target: string, thrown: Problem, options: RequestOptions = BROWSER) => {
  const { lambda, event } = routedEvent(target, options);
  return errorPageFacts(event, thrown, createRouteFinder(lambda)(event), NOW);
};

const absent = (code: ProblemCode = 'post_not_found') => problem(code, {});
const wrong = (parameter: string) => problem('invalid_parameter', { errors: [{ parameter, message: 'is wrong' }] });

test.each<readonly [string, Problem, object]>([
  [
    '/jack/status/20',
    problem('post_not_found', { detail: 'It was deleted.', reason: 'deleted' }),
    {
      code: 'post_not_found',
      subject: 'post',
      url: '/jack/status/20',
      correctedUrl: '/jack/status/20',
      document: '/jack/status/20?format=json',
      detail: 'It was deleted.',
      reason: 'deleted',
      handle: 'jack',
      id: '20',
    },
  ],
  [
    '/i/status/20',
    absent(),
    {
      code: 'post_not_found',
      subject: 'post',
      url: '/i/status/20',
      correctedUrl: '/i/status/20',
      document: '/i/status/20?format=json',
      id: '20',
    },
  ],
  [
    '/jack/status/0?thread=x&thread=full&utm_source=a',
    wrong('thread'),
    {
      code: 'invalid_parameter',
      subject: 'post',
      url: '/jack/status/0?thread=x&thread=full',
      correctedUrl: '/jack/status/0',
      document: '/jack/status/0?thread=x&thread=full&format=json',
      handle: 'jack',
    },
  ],
  [
    '/jack',
    problem('upstream_unavailable', { retryAfter: 90 }),
    {
      code: 'upstream_unavailable',
      subject: 'profile',
      url: '/jack',
      correctedUrl: '/jack',
      document: '/jack?format=json',
      wait: { seconds: 90, until: '2026-11-21T12:01:30.000Z' },
      handle: 'jack',
    },
  ],
  [
    '/jack/followers?limit=0',
    wrong('limit'),
    {
      code: 'invalid_parameter',
      subject: 'profile',
      isList: true,
      url: '/jack/followers?limit=0',
      correctedUrl: '/jack/followers',
      document: '/jack/followers?limit=0&format=json',
      handle: 'jack',
    },
  ],
  [
    '/search?q=a%20b&q=c&limit=0',
    problem('repeated_parameter', {
      errors: [
        { parameter: 'q', message: 'was given more than once' },
        { parameter: 'limit', message: 'is wrong' },
      ],
    }),
    {
      code: 'repeated_parameter',
      subject: 'search',
      url: '/search?q=a%20b&q=c&limit=0',
      correctedUrl: '/search?q=a%20b',
      document: '/search?q=a%20b&q=c&limit=0&format=json',
      query: 'a b',
    },
  ],
  [
    '/jack/status/20?thread=full&format=xml',
    problem('invalid_format', { errors: [{ parameter: 'format', message: 'is unknown' }] }),
    {
      code: 'invalid_format',
      subject: 'post',
      url: '/jack/status/20?thread=full',
      correctedUrl: '/jack/status/20?thread=full',
      handle: 'jack',
      id: '20',
    },
  ],
  [
    '/jack/status/20?thread=full',
    absent('uri_too_long'),
    { code: 'uri_too_long', subject: 'post', url: '/', correctedUrl: '/', handle: 'jack', id: '20' },
  ],
  [
    '/jack/status/20',
    absent('method_not_allowed'),
    {
      code: 'method_not_allowed',
      subject: 'post',
      url: '/jack/status/20',
      correctedUrl: '/jack/status/20',
      handle: 'jack',
      id: '20',
    },
  ],
])('the page of an error of %s', (target, thrown, facts) => {
  expect(factsOf(target, thrown)).toEqual(facts);
});

test.each([
  ['if HTML wins', '/jack/status/20', 'text/html', true],
  ['if a format is wrong', '/jack/status/20?format=xml', 'text/html', true],
  ['if a format is repeated', '/jack/status/20?format=json&format=json', 'text/html', true],
  ['but not if a format is chosen', '/jack/status/20?format=json', 'text/html', false],
  ['but not if JSON wins', '/jack/status/20', 'application/json, text/html;q=0.5', false],
  ['but not without Accept', '/jack/status/20', undefined, false],
  ['but not on a versioned route', '/api/v1/posts?id=20', 'text/html', false],
])('an error is a page %s', (_, target, accept, isPage) => {
  const options = accept === undefined ? {} : { headers: { Accept: accept } };
  expect(factsOf(target, absent(), options) !== undefined).toBe(isPage);
});
