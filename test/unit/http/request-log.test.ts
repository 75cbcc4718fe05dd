// Tests the log line of a request, and what it says about the reads and the charges.
import { expect, test } from 'vitest';
import { contentTypes } from '../../../shared/contract/media-types.ts';
import type { HttpResult, ReadFacts, RequestState } from '../../../shared/http/event.ts';
import {
  addFacts,
  formOfType,
  recordingRequester,
  recordResult,
  requestLine,
} from '../../../shared/http/request-log.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { monotonic } from '../../../shared/model/time.ts';
import type { KeyResult } from '../../../shared/ports/access-control.ts';
import type { CallRecord } from '../../../shared/ports/system.ts';
import type { CacheUse, Requester } from '../../../shared/ports/upstream.ts';
import { context, event, type RequestOptions } from '../../support/event.ts';

const lineOf = (
  response: Partial<HttpResult>,
  members: Partial<RequestState> = {},
  request: RequestOptions = {},
  keyStatus?: KeyResult,
) => {
  const asked = event('/api/v1/posts?id=20', request);
  const state: RequestState = {
    route: undefined,
    fromEdge: true,
    baseUrl: '',
    startedAt: monotonic(0),
    isColdStart: false,
    isCanary: false,
    facts: {},
    ...members,
  };
  return requestLine(
    { ...asked, requestContext: { ...asked.requestContext, requestId: 'id' } },
    { ...context(), state },
    { statusCode: 200, headers: {}, ...response },
    { lambda: 'posts', keyStatus, code: undefined, milliseconds: 12 },
  );
};

const requesterThat = (admit: Requester['admit']): Requester => ({ admit }) as unknown as Requester;

const ANSWERED: CallRecord = {
  provider: 'fxtwitter',
  kind: 'status',
  address: 'api.fxtwitter.com',
  outcome: 'answered',
  status: 200,
  why: undefined,
  milliseconds: 90,
};

test('[logs 1] a line has the facts of the request, of the response and of the read', () => {
  const calls = [ANSWERED];
  const state: Partial<RequestState> = {
    route: { id: 'read_post', document: 'a document', honoursKey: false, negotiated: true },
    isColdStart: true,
    facts: { provider: 'fxtwitter', cache: 'miss', allowance: 'admitted', isRefunded: true, isDegraded: true, calls },
  };
  const response = { statusCode: 200, headers: { 'Content-Type': contentTypes.json }, body: 'ø' };
  expect(lineOf(response, state, { headers: { 'x-amz-cf-id': 'abc=' } }, 'valid')).toEqual({
    level: 'info',
    event: 'request',
    request_id: 'id',
    surface: 'posts',
    operation: 'read_post',
    document: 'a document',
    form: 'json',
    method: 'GET',
    status: 200,
    code: undefined,
    key: 'valid',
    provider: 'fxtwitter',
    cache: 'miss',
    allowance: 'admitted',
    refunded: 1,
    degraded: 1,
    calls,
    cold_start: 1,
    bytes: 2,
    duration_ms: 12,
  });
});

test('[logs 1] a line says nothing of what did not happen', () => {
  expect(JSON.parse(JSON.stringify(lineOf({})))).toEqual({
    level: 'info',
    event: 'request',
    request_id: 'id',
    surface: 'posts',
    operation: 'unknown',
    form: 'none',
    method: 'GET',
    status: 200,
    bytes: 0,
    duration_ms: 12,
  });
});

test('[logs 1] the line of a failure has the ids of the invocation and of the viewer', () => {
  const headers = { 'x-amz-cf-id': 'abc=' };
  const ids = { lambda_request_id: 'aws', viewer_request_id: 'abc=' };
  expect(lineOf({ statusCode: 503 }, {}, { headers })).toMatchObject(ids);
  for (const statusCode of [200, 404, 501])
    expect(Object.keys(lineOf({ statusCode }, {}, { headers }))).not.toContain('viewer_request_id');
});

test.each([
  [[], 'info'],
  [[ANSWERED], 'info'],
  [[ANSWERED, { ...ANSWERED, outcome: 'down', why: 'refused' } as const], 'warn'],
] as const)('[logs 2] the level of an answer with the calls %j is %s', (calls, level) => {
  expect(lineOf({}, { facts: { calls: [...calls] } })['level']).toBe(level);
});

test('[logs 2] a call that ends after the line is not added to it', () => {
  const facts: ReadFacts = {};
  const requester = recordingRequester(
    requesterThat(async () => undefined),
    facts,
    false,
  );
  expect(requester.recordCall?.(ANSWERED)).toBe(true);
  lineOf({}, { facts });
  expect(requester.recordCall?.(ANSWERED)).toBe(false);
  expect(facts.calls).toEqual([ANSWERED]);
});

test('[costs 2] the line of a request of the canary says so', () => {
  expect(lineOf({}, { isCanary: true })['role']).toBe('canary');
});

test.each([
  [299, 'info'],
  [429, 'info'],
  [499, 'info'],
  [500, 'error'],
  [501, 'info'],
  [502, 'error'],
])('the status %s has the level %s', (statusCode, level) => {
  expect(lineOf({ statusCode })).toMatchObject({ status: statusCode, level });
});

test('a Content-Type names its form, and a note has that of Markdown', () => {
  const forms = keysOf(contentTypes);
  const named = forms.map((form) => (form === 'obsidian' ? 'markdown' : form));
  expect(forms.map((form) => formOfType(contentTypes[form]))).toEqual(named);
  expect([formOfType('image/png'), formOfType(undefined)]).toEqual(['other', 'none']);
});

test('an answer of oEmbed has the form of its request, unless it is an error', () => {
  const headers = { 'Content-Type': contentTypes.problem };
  const formAt = (statusCode: number) => lineOf({ statusCode, headers }, { facts: { form: 'oembed' } })['form'];
  expect([200, 399, 400].map(formAt)).toEqual(['oembed', 'oembed', 'problem']);
});

test('only methods that HTTP has are named', () => {
  const known = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const named = [...known, 'TRACE', 'get', 'X-SECRET'].map((method) => lineOf({}, {}, { method })['method']);
  expect(named).toEqual([...known, 'other', 'other', 'other']);
});

test.each<readonly [string, Partial<HttpResult>, ReadFacts['body'], number]>([
  ['no body', {}, undefined, 0],
  ['a text', { body: 'øø' }, undefined, 4],
  ['base64', { body: 'YWJj', isBase64Encoded: true }, undefined, 3],
  ['a body whose size is known', { body: 'a' }, { text: 'a', bytes: 77 }, 77],
  ['a body that replaces the known one', { body: 'ab' }, { text: 'a', bytes: 77 }, 2],
])('the size of %s', (_, response, body, bytes) => {
  expect(lineOf(response, { facts: { ...(body && { body }) } })['bytes']).toBe(bytes);
});

test.each([
  ['a'.repeat(128), true, 'a'.repeat(128)],
  ['a'.repeat(129), true, undefined],
  ['a b', true, undefined],
  ['abc', false, undefined],
])('the request id of the viewer %o is logged only from the edge (%o)', (id, fromEdge, logged) => {
  expect(lineOf({ statusCode: 500 }, { fromEdge }, { headers: { 'x-amz-cf-id': id } })['viewer_request_id']).toBe(
    logged,
  );
});

test.each<readonly [readonly CacheUse[], CacheUse]>([
  [['hit', 'joined'], 'joined'],
  [['joined', 'hit'], 'joined'],
  [['miss', 'hit', 'joined'], 'miss'],
])('of the cache uses %j the longest way is kept', (uses, cache) => {
  const facts: ReadFacts = {};
  const requester = recordingRequester(
    requesterThat(async () => undefined),
    facts,
    false,
  );
  for (const use of uses) requester.recordCacheUse?.(use);
  expect(facts).toEqual({ cache });
});

test('only an admission of the fair-use bound is recorded, also of a further read', async () => {
  const admitted = requesterThat(async () => undefined);
  const refused = requesterThat(async () => {
    throw new Error('refused');
  });
  const facts: ReadFacts = {};
  await recordingRequester(admitted, facts, false).admit();
  expect(facts).toEqual({});
  const requester = recordingRequester({ ...admitted, forAnotherRead: () => refused }, facts, true);
  await requester.admit();
  expect(facts).toEqual({ allowance: 'admitted' });
  await expect(requester.forAnotherRead?.().admit()).rejects.toThrow('refused');
  await requester.admit();
  expect(facts).toEqual({ allowance: 'refused' });
});

test.each([
  [[{ code: 'fallback_answered', message: '' }], true],
  [[{ code: 'users_partial', message: '' }], false],
])('a result with the warnings %j is recorded with its source', (warnings, isDegraded) => {
  const facts: ReadFacts = {};
  recordResult(facts, { value: {}, source: 'fxtwitter', fetchedAt: 0, warnings });
  expect(facts).toEqual({ provider: 'fxtwitter', isDegraded });
});

test('the facts of several calls are those of the latest source and of the longest way', () => {
  const facts: ReadFacts = {};
  addFacts(facts, { provider: 'a', cache: 'miss', allowance: 'refused', isRefunded: true, isDegraded: true });
  addFacts(facts, { provider: 'b', cache: 'hit', allowance: 'admitted', isRefunded: false, isDegraded: false });
  addFacts(facts, {});
  expect(facts).toEqual({ provider: 'b', cache: 'miss', allowance: 'refused', isRefunded: true, isDegraded: true });
});
