import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { type AdminApp, createAdminApp, expectRefusal, HOUR } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const keysOf = async ({ ada }: Pick<AdminApp, 'ada'>) => (await ada('GET /api/admin/keys')).json()['keys'];

const patch = ({ ada }: AdminApp, id: string, json: object) => ada(`PATCH /api/admin/keys/${id}`, { json });

test('GET /api/admin/keys lists the keys with all their members, the oldest first', async () => {
  const app = await createAdminApp();
  expect(await keysOf(app)).toEqual([]);
  const first = await app.createKey({ label: 'B' });
  app.clock.wait(1999);
  const second = await app.createKey({ label: 'A', search: '600/60,20/1' });
  const answer = await app.ada('GET /api/admin/keys');
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.body.endsWith('}\n')).toBe(true);
  const unused = { state: 'enabled', last_used_on: null };
  expect(answer.json()).toEqual({
    keys: [
      { ...unused, id: first.id, label: 'B', search: '60/60', created_at: '2026-11-21T12:00:00Z' },
      { ...unused, id: second.id, label: 'A', search: '600/60,20/1', created_at: '2026-11-21T12:00:01Z' },
    ],
  });
});

test('[methods 1] HEAD has the headers of GET and no content', async () => {
  const { ada, createKey } = await createAdminApp();
  await createKey();
  for (const path of [
    '/api/admin/keys',
    '/api/admin/usage',
    '/api/admin/audit',
    '/admin/session',
    '/admin',
    '/admin/app.js',
    '/admin/style.css',
  ]) {
    const { 'x-request-id': _, ...headers } = (await ada(`GET ${path}`)).headers;
    const head = await ada(`HEAD ${path}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(headers);
  }
});

test.each([
  [{ label: ' New ' }, { label: 'New' }],
  [{ search: '600/60,20/1' }, { search: '600/60,20/1' }],
  [{ search: null }, { search: '60/60' }],
  [{ state: 'disabled' }, { state: 'disabled' }],
  [{ state: 'enabled' }, {}],
  [
    { label: 'New', search: null, state: 'disabled' },
    { label: 'New', search: '60/60', state: 'disabled' },
  ],
  [{}, {}],
])('[keys 18] PATCH of a key with %j changes only these members', async (json, changes) => {
  const app = await createAdminApp();
  const { id } = await app.createKey({ label: 'Old', search: '7/60' });
  const other = await app.createKey({ label: 'Other', search: '8/60' });
  const before = { label: 'Old', search: '7/60', state: 'enabled' };
  const answer = await patch(app, id, json);
  expect(answer.status).toBe(200);
  const dates = { created_at: '2026-11-21T12:00:00Z', last_used_on: null };
  expect(answer.json()).toEqual({ id, ...before, ...changes, ...dates });
  const keys = await keysOf(app);
  expect(keys).toHaveLength(2);
  expect(keys).toEqual(
    expect.arrayContaining([answer.json(), expect.objectContaining({ id: other.id, label: 'Other', search: '8/60' })]),
  );
});

test('[keys 18] a concurrent change of other members survives a change', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey({ label: 'Old', search: '7/60' });
  const slow = app.another({
    stores: ({ keys }) => ({
      keys: {
        ...keys,
        async change(...parameters) {
          await keys.change(id, { state: 'disabled', search: { count: 9, seconds: 60 } });
          return keys.change(...parameters);
        },
      },
    }),
  });
  const changed = { label: 'New', state: 'disabled', search: '9/60' };
  expect((await patch(slow, id, { label: 'New' })).json()).toMatchObject(changed);
  expect(await keysOf(app)).toMatchObject([changed]);
});

test('[keys 18] an unknown attribute of the stored key survives every change, and a removed allowance is not stored', async () => {
  const app = await createAdminApp();
  const { id, secret } = await app.createKey({ label: 'Old', search: '8/60' });
  await app.dynamo.client.send(
    new UpdateItemCommand({
      TableName: app.dynamo.tables.keys,
      Key: { pk: { S: sha256Hex(secret) } },
      UpdateExpression: 'SET later = :later',
      ExpressionAttributeValues: { ':later': { S: 'kept' } },
    }),
  );
  await patch(app, id, { label: 'New', search: null, state: 'disabled' });
  const [item] = await itemsOf(app.dynamo, 'keys');
  expect(item).toMatchObject({ later: { S: 'kept' }, label: { S: 'New' } });
  expect(item).not.toHaveProperty('search');
});

test('[admin 2] GET /admin/session returns the operator and the end of the session', async () => {
  const { signIn, bob, clock } = await createAdminApp();
  const ada = await signIn();
  clock.wait(HOUR / 4);
  expect((await ada.send('GET /admin/session')).json()).toEqual({
    operator: 'ada',
    expires_at: '2026-11-21T20:00:00.000Z',
  });
  expect((await bob('GET /admin/session')).json()).toEqual({ operator: 'bob', expires_at: null });
});

test('the log has operation, method and status, but no text of the request', async () => {
  const { ada, log } = await createAdminApp();
  const lines = ['GET /admin/session', 'HEAD /admin/session', 'HEAD /api/admin/keys', 'GET /admin/nope'];
  for (const line of lines) await ada(`${line}?label=ECHO`);
  expect(log.filter(({ event }) => event === 'request')).toMatchObject([
    { level: 'info', operation: 'showSession', method: 'GET', status: 200, code: undefined, duration_ms: 0 },
    { operation: 'showSession', method: 'HEAD', status: 200 },
    { operation: 'listKeys', method: 'HEAD', status: 200 },
    { operation: 'admin', method: 'GET', status: 404, code: 'route_not_found' },
  ]);
  expect(JSON.stringify(log)).not.toContain('ECHO');
});

test('[keys 18] DELETE of a key returns 204, and 404 when it is repeated', async () => {
  const { ada, createKey, stored } = await createAdminApp();
  const { id } = await createKey();
  const kept = await createKey({ label: 'Another' });
  const answer = await ada(`DELETE /api/admin/keys/${id}`);
  expect([answer.status, answer.body]).toEqual([204, '']);
  expect(answer.headers).not.toHaveProperty('content-type');
  expect((await ada('GET /api/admin/keys')).json()).toMatchObject({ keys: [{ id: kept.id }] });
  expectRefusal(await ada(`DELETE /api/admin/keys/${id}`), 404, 'key_not_found');
  expectRefusal(await ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'enabled' } }), 404, 'key_not_found');
  expect(await stored()).toContain(kept.id);
});

test('[admin 2] DELETE /admin/session returns 204 and deletes the cookie, also when there is no session', async () => {
  const { signIn, bob } = await createAdminApp();
  const { send } = await signIn();
  const answer = await send('DELETE /admin/session');
  expect([answer.status, answer.body]).toEqual([204, '']);
  expect(answer.cookies).toEqual(['__Host-admin_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure']);
  expect((await bob('DELETE /admin/session')).status).toBe(204);
  expect((await bob('GET /admin/session')).status).toBe(200);
});
