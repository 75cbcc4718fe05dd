// Tests when an error is a page for people, and what the page knows about the request.
import { expect, test } from 'vitest';
import { type Problem, problem } from '../../../shared/contract/problems.ts';
import { errorPageFacts } from '../../../shared/http/middleware/error-pages.ts';
import { createRouteFinder } from '../../../shared/http/operation-routes.ts';
import { type RequestOptions, routedEvent } from '../../support/event.ts';
import { NOW } from '../../support/test-app.ts';

const BROWSER: RequestOptions = { headers: { Accept: 'text/html,*/*;q=0.8' } };

const factsOf = (target: string, thrown: Problem, options: RequestOptions = BROWSER) => {
  const { lambda, event } = routedEvent(target, options);
  return errorPageFacts(event, thrown, createRouteFinder(lambda)(event), NOW);
};

const wrong = (parameter: string) => problem('invalid_parameter', { errors: [{ parameter, message: 'is wrong' }] });

/** The facts of a page whose errors are in no parameter, and which has a problem document. */
const standard = (url: string) => ({
  url,
  correctedUrl: url,
  document: `${url}${url.includes('?') ? '&' : '?'}format=json`,
});
const jack = { handle: 'jack' };
const jack20 = { subject: 'post', ...jack, id: '20' };
const detailed = { detail: 'It was deleted.', reason: 'deleted' } as const;

test.each<readonly [string, Problem, object]>([
  ['/jack/status/20', problem('post_not_found', detailed), { ...standard('/jack/status/20'), ...jack20, ...detailed }],
  ['/i/status/20', problem('post_not_found', {}), { ...standard('/i/status/20'), subject: 'post', id: '20' }],
  [
    '/jack/status/0?thread=x&thread=full&utm_source=a',
    wrong('thread'),
    {
      ...standard('/jack/status/0?thread=x&thread=full'),
      correctedUrl: '/jack/status/0',
      subject: 'post',
      ...jack,
    },
  ],
  [
    '/jack',
    problem('upstream_unavailable', { retryAfter: 90 }),
    { ...standard('/jack'), subject: 'profile', wait: { seconds: 90, until: '12:01:30 UTC' }, ...jack },
  ],
  [
    '/jack/followers?limit=0',
    wrong('limit'),
    {
      ...standard('/jack/followers?limit=0'),
      correctedUrl: '/jack/followers',
      subject: 'profile',
      isList: true,
      ...jack,
    },
  ],
  [
    '/search?q=a%20b&q=c&limit=0',
    problem('repeated_parameter', {
      errors: ['q', 'limit'].map((parameter) => ({ parameter, message: 'is wrong' })),
    }),
    { ...standard('/search?q=a%20b&q=c&limit=0'), correctedUrl: '/search?q=a%20b', subject: 'search', query: 'a b' },
  ],
  [
    '/jack/status/20?thread=full&format=xml',
    problem('invalid_format', { errors: [{ parameter: 'format', message: 'is unknown' }] }),
    { ...standard('/jack/status/20?thread=full'), document: undefined, ...jack20 },
  ],
  ['/jack/status/20?thread=full', problem('uri_too_long', {}), { ...standard('/'), document: undefined, ...jack20 }],
  [
    '/jack/status/20',
    problem('method_not_allowed', {}),
    { ...standard('/jack/status/20'), document: undefined, ...jack20 },
  ],
])('the page of an error of %s', (target, thrown, facts) => {
  expect(factsOf(target, thrown)).toEqual({ isList: false, ...facts });
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
  expect(factsOf(target, problem('post_not_found', {}), options) !== undefined).toBe(isPage);
});
