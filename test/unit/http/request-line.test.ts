// Tests the log line of a request.
import { expect, test } from 'vitest';
import { contentTypes } from '../../../shared/contract/media-types.ts';
import type { HttpEvent, HttpResult, RequestState } from '../../../shared/http/event.ts';
import { type RequestLineFacts, requestLine } from '../../../shared/http/request-log.ts';
import { context, event, type RequestOptions } from '../../support/event.ts';

const FACTS: RequestLineFacts = {
  surface: 'posts',
  keyResult: undefined,
  code: undefined,
  milliseconds: 12,
};

const lineOf = (
  response: Partial<HttpResult>,
  {
    state = {},
    request = {},
    facts = {},
  }: { state?: Partial<RequestState>; request?: RequestOptions; facts?: Partial<RequestLineFacts> } = {},
) => {
  const asked: HttpEvent = event('/api/v1/posts?id=20', request);
  const whole: RequestState = {
    route: undefined,
    fromEdge: true,
    baseUrl: '',
    startedAt: 0,
    isColdStart: false,
    facts: {},
    ...state,
  };
  const line = requestLine(
    { ...asked, requestContext: { ...asked.requestContext, requestId: 'id' } },
    { ...context(), state: whole },
    { statusCode: 200, headers: {}, ...response },
    {
      ...FACTS,
      ...facts,
    },
  );
  return line;
};

test('a line has the facts of the request, of the response and of the read', () => {
  const line = lineOf(
    { statusCode: 200, headers: { 'Content-Type': contentTypes.json }, body: 'ø' },
    {
      state: {
        route: { id: 'read_post', document: 'a document', honoursKey: false, negotiated: true },
        isColdStart: true,
        facts: { provider: 'fxtwitter', cache: 'miss', allowance: 'admitted', isDegraded: true, form: 'oembed' },
      },
      request: { headers: { 'x-amz-cf-id': 'abc=' } },
      facts: { keyResult: 'valid' },
    },
  );
  expect(line).toEqual({
    level: 'info',
    event: 'request',
    request_id: 'id',
    lambda_request_id: 'aws',
    viewer_request_id: 'abc=',
    surface: 'posts',
    operation: 'read_post',
    document: 'a document',
    form: 'oembed',
    method: 'GET',
    status: 200,
    status_class: '2xx',
    code: undefined,
    key: 'valid',
    provider: 'fxtwitter',
    cache: 'miss',
    allowance: 'admitted',
    degraded: 1,
    cold_start: true,
    bytes: 2,
    duration_ms: 12,
  });
});

test.each([
  [undefined, '2xx', 'info'],
  [204, '2xx', 'info'],
  [299, '2xx', 'info'],
  [300, '3xx', 'info'],
  [304, '3xx', 'info'],
  [400, '4xx', 'info'],
  [428, '4xx', 'info'],
  [429, '429', 'info'],
  [499, '4xx', 'info'],
  [500, '5xx', 'error'],
])('the status %s has the class %s and the level %s', (statusCode, statusClass, level) => {
  expect(lineOf({ ...(statusCode !== undefined && { statusCode }) })).toMatchObject({
    status: statusCode ?? 200,
    status_class: statusClass,
    level,
    operation: 'unknown',
  });
});

test.each([
  [contentTypes.markdown, 'markdown'],
  [contentTypes.json, 'json'],
  [contentTypes.ndjson, 'ndjson'],
  [contentTypes.opml, 'opml'],
  [contentTypes.html, 'html'],
  [contentTypes.rss, 'rss'],
  [contentTypes.atom, 'atom'],
  [contentTypes.jsonfeed, 'jsonfeed'],
  [contentTypes.problem, 'problem'],
  ['image/png', 'other'],
  [undefined, 'none'],
])('a response of the type %s has the form %s', (type, form) => {
  expect(lineOf({ headers: type === undefined ? {} : { 'Content-Type': type } })['form']).toBe(form);
});

test.each([
  [200, 'oembed'],
  [304, 'oembed'],
  [399, 'oembed'],
  [400, 'problem'],
])('a response with the status %i has the form %s, if the request has chosen oEmbed', (statusCode, form) => {
  const headers = { 'Content-Type': contentTypes.problem };
  expect(lineOf({ statusCode, headers }, { state: { facts: { form: 'oembed' } } })['form']).toBe(form);
});

test.each([
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method]),
  ...['TRACE', 'get', 'X-SECRET'].map((method) => [method, 'other']),
])('the method %s is named %s', (method = '', name = '') => {
  expect(lineOf({}, { request: { method } })['method']).toBe(name);
});

test.each<readonly [string, Partial<HttpResult>, { text: string; bytes: number } | undefined, number]>([
  ['no body', {}, undefined, 0],
  ['a text', { body: 'øø' }, undefined, 4],
  ['base64', { body: 'YWJj', isBase64Encoded: true }, undefined, 3],
  ['a body whose size is known', { body: 'a' }, { text: 'a', bytes: 77 }, 77],
  ['a body that replaces the known one', { body: 'ab' }, { text: 'a', bytes: 77 }, 2],
])('the size of %s', (_, response, body, bytes) => {
  expect(lineOf(response, { state: { facts: { ...(body && { body }) } } })['bytes']).toBe(bytes);
});

test.each([
  ['a'.repeat(128), true, 'a'.repeat(128)],
  ['a'.repeat(129), true, undefined],
  ['a b', true, undefined],
  ['abc', false, undefined],
])('the request id of the viewer %o is logged only from the edge (%o)', (id, fromEdge, logged) => {
  const line = lineOf({}, { state: { fromEdge }, request: { headers: { 'x-amz-cf-id': id } } });
  expect(line['viewer_request_id']).toBe(logged);
});
