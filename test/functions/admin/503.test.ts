import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import {
  type AdminApp,
  type AdminRequestOptions,
  createAdminApp,
  expectRefusal,
  type SendAdminRequest,
  storeError,
  TOKENS,
} from '../../support/admin-app.ts';
import {
  dropResponse,
  type Fault,
  garbage,
  neverAnswers,
  refusal,
  reset,
  serverError,
  throttle,
} from '../../support/store-proxy.ts';

const CALLS: readonly (readonly [string, AdminRequestOptions])[] = [
  ['GET /api/admin/keys', {}],
  ['POST /api/admin/keys', { json: { label: 'x' } }],
  ['PATCH /api/admin/keys/abcdefgh', { json: { state: 'disabled' } }],
  ['DELETE /api/admin/keys/abcdefgh', {}],
  ['GET /api/admin/audit', {}],
  ['DELETE /admin/session', {}],
];

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['fails', serverError],
  ['throttles', throttle],
  ['denies access', refusal('AccessDeniedException')],
  ['has no such table', refusal('ResourceNotFoundException')],
  ['rejects the request as invalid', refusal('ValidationException')],
  ['answers with invalid JSON', garbage],
  ['resets the connection', reset],
  ['drops the response', dropResponse],
];

const expectDown = async (
  { log }: AdminApp,
  send: SendAdminRequest,
  line: string,
  options: AdminRequestOptions = {},
): Promise<void> => {
  const from = log.length;
  const answer = await send(line, options);
  expect([line, answer.status]).toEqual([line, 503]);
  expect(answer.headers['retry-after']).toBe('30');
  expect(expectRefusal(answer, 503, 'upstream_unavailable')).toMatchObject({
    title: 'The source of the data does not answer',
    detail: expect.stringMatching(/ does not answer\.$/),
    retry_after: 30,
  });
  const lines = log.slice(from);
  expect(lines).toMatchObject([
    { level: 'error', event: 'problem', code: 'upstream_unavailable', cause: expect.stringMatching(/^[^\n]+$/) },
    { level: 'error', event: 'request', status: 503 },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/LEAKY|a-token-of|session#|pstn_/);
};

describe.each(FAULTS)('while the store %s', (_, fault) => {
  test('[admin 1] every call returns 503 without the text of the store', async () => {
    const app = await createAdminApp();
    const browser = await app.signIn();
    app.proxy.behave(fault);
    for (const [line, options] of CALLS) {
      await expectDown(app, app.ada, line, options);
      await expectDown(app, browser.send, line, options);
    }
    for (const line of ['GET /admin/session', 'GET /api/admin/usage', 'GET /api/admin/nope', 'OPTIONS /admin'])
      await expectDown(app, browser.send, line);
    await expectDown(app, app.send, 'POST /admin/session', { json: { token: TOKENS.ada } });
  });

  test('[admin 1] an operator token still gets session, page, 404 and 405, and a caller without credentials 401', async () => {
    const app = await createAdminApp();
    app.proxy.behave(fault);
    expect((await app.ada('GET /admin/session')).status).toBe(200);
    expect((await app.ada('GET /admin')).status).toBe(200);
    expectRefusal(await app.ada('GET /api/admin/nope'), 404, 'route_not_found');
    expectRefusal(await app.ada('PUT /api/admin/keys'), 405, 'method_not_allowed');
    for (const [line, options] of CALLS) expectRefusal(await app.send(line, options), 401, 'unauthorized');
    expectRefusal(await app.send('POST /admin/session', { json: { token: 'wrong' } }), 401, 'unauthorized');
  });
});

test('[admin 1] every call returns 503 while the store cannot be reached, and 200 afterwards', async () => {
  const app = await createAdminApp();
  await app.proxy.goDown();
  for (const [line, options] of CALLS) await expectDown(app, app.ada, line, options);
  await app.proxy.comeBack();
  expect((await app.ada('GET /api/admin/keys')).status).toBe(200);
});

test('every call returns 503 in time when the store never answers', async () => {
  const app = await createAdminApp();
  const browser = await app.signIn();
  app.proxy.behave(neverAnswers);
  const remainingMilliseconds = 550;
  for (const [line, options] of CALLS) await expectDown(app, app.ada, line, { ...options, remainingMilliseconds });
  await expectDown(app, browser.send, 'GET /api/admin/keys', { remainingMilliseconds });
});

test('an invalid item in the table of keys causes 500 internal_error', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey();
  const Item = { pk: { S: 'LEAKY' }, id: { S: 'LEAKY' } };
  await app.dynamo.client.send(new PutItemCommand({ TableName: app.dynamo.tables.keys, Item }));
  expectRefusal(await app.ada('GET /api/admin/keys'), 500, 'internal_error');
  expectRefusal(await app.ada(`DELETE /api/admin/keys/${id}`), 500, 'internal_error');
});

test.each([
  ['only the kind of a store error', storeError(), 503, 'upstream_unavailable', /^the store: Error$/],
  ['an error that is not from the store', new TypeError('ours'), 500, 'internal_error', /TypeError: ours/],
] as const)('%s is logged', async (_, error, status, code, cause) => {
  const latest = (): Promise<never> => Promise.reject(error);
  const app = await createAdminApp({ stores: ({ audit }) => ({ audit: { ...audit, latest } }) });
  expectRefusal(await app.ada('GET /api/admin/audit'), status, code);
  expect(app.log[0]).toMatchObject({ event: 'problem', cause: expect.stringMatching(cause) });
});
