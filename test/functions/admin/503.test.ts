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
  ['has too much to do', throttle],
  ['refuses us', refusal('AccessDeniedException')],
  ['has no such table', refusal('ResourceNotFoundException')],
  ['finds fault with what is asked', refusal('ValidationException')],
  ['talks nonsense', garbage],
  ['breaks off', reset],
  ['says nothing in the end', dropResponse],
];

const expectDown = async (
  { log }: AdminApp,
  ask: SendAdminRequest,
  line: string,
  options: AdminRequestOptions = {},
): Promise<void> => {
  const from = log.length;
  const answer = await ask(line, options);
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
  test('[admin #1] every call is answered with 503, and without the words of the store', async () => {
    const made = await createAdminApp();
    const browser = await made.signIn();
    made.proxy.behave(fault);
    for (const [line, options] of CALLS) {
      await expectDown(made, made.ada, line, options);
      await expectDown(made, browser.ask, line, options);
    }
    for (const line of ['GET /admin/session', 'GET /api/admin/usage', 'GET /api/admin/nope', 'OPTIONS /admin'])
      await expectDown(made, browser.ask, line);
    await expectDown(made, made.ask, 'POST /admin/session', { json: { token: TOKENS.ada } });
  });

  test('who has a token is still told who he is, and what there is', async () => {
    const made = await createAdminApp();
    made.proxy.behave(fault);
    expect((await made.ada('GET /admin/session')).status).toBe(200);
    expect((await made.ada('GET /admin')).status).toBe(200);
    expectRefusal(await made.ada('GET /api/admin/nope'), 404, 'route_not_found');
    expectRefusal(await made.ada('PUT /api/admin/keys'), 405, 'method_not_allowed');
  });

  test('[admin #1] who has not signed in hears nothing of it', async () => {
    const made = await createAdminApp();
    made.proxy.behave(fault);
    for (const [line, options] of CALLS) expectRefusal(await made.ask(line, options), 401, 'unauthorized');
    expectRefusal(await made.ask('POST /admin/session', { json: { token: 'wrong' } }), 401, 'unauthorized');
  });
});

test('[admin #1] a store that nobody reaches is as good as none', async () => {
  const made = await createAdminApp();
  await made.proxy.goDown();
  for (const [line, options] of CALLS) await expectDown(made, made.ada, line, options);
  await made.proxy.comeBack();
  expect((await made.ada('GET /api/admin/keys')).status).toBe(200);
});

test('a store that never answers does not keep the operator from an answer', async () => {
  const made = await createAdminApp();
  const browser = await made.signIn();
  made.proxy.behave(neverAnswers);
  const remainingMilliseconds = 550;
  for (const [line, options] of CALLS) await expectDown(made, made.ada, line, { ...options, remainingMilliseconds });
  await expectDown(made, browser.ask, 'GET /api/admin/keys', { remainingMilliseconds });
});

test('what is no key in the table is a fault, and is not passed over', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey();
  const Item = { pk: { S: 'LEAKY' }, id: { S: 'LEAKY' } };
  await made.dynamo.client.send(new PutItemCommand({ TableName: made.dynamo.tables.keys, Item }));
  expectRefusal(await made.ada('GET /api/admin/keys'), 500, 'internal_error');
  expectRefusal(await made.ada(`DELETE /api/admin/keys/${id}`), 500, 'internal_error');
});

test('whatever a store throws, its kind alone is logged', async () => {
  const latest = (): Promise<never> => Promise.reject(storeError());
  const made = await createAdminApp({ stores: ({ audit }) => ({ audit: { ...audit, latest } }) });
  await expectDown(made, made.ada, 'GET /api/admin/audit');
  expect(made.log[0]).toMatchObject({ cause: 'the store: Error' });
});

test('a fault of our own is not taken for one of the store', async () => {
  const latest = (): Promise<never> => Promise.reject(new TypeError('ours'));
  const made = await createAdminApp({ stores: ({ audit }) => ({ audit: { ...audit, latest } }) });
  expectRefusal(await made.ada('GET /api/admin/audit'), 500, 'internal_error');
  expect(made.log[0]).toMatchObject({ event: 'problem', cause: expect.stringContaining('TypeError: ours') });
});
