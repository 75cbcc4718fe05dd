import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { type AdminApp, createAdminApp, HOUR } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const keysOf = async ({ ada }: Pick<AdminApp, 'ada'>) => (await ada('GET /api/admin/keys')).json()['keys'];

const patch = ({ ada }: AdminApp, id: string, json: object) => ada(`PATCH /api/admin/keys/${id}`, { json });

test('keys are listed with what is known of them, the oldest first', async () => {
  const made = await createAdminApp();
  expect(await keysOf(made)).toEqual([]);
  const first = await made.createKey({ label: 'B' });
  made.clock.wait(1999);
  const second = await made.createKey({ label: 'A', search: '600/60,20/1' });
  const answer = await made.ada('GET /api/admin/keys');
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.body.endsWith('}\n')).toBe(true);
  expect(answer.json()).toEqual({
    keys: [
      {
        id: first.id,
        label: 'B',
        state: 'enabled',
        search: '60/60',
        created_at: '2026-11-21T12:00:00Z',
        last_used_on: null,
      },
      {
        id: second.id,
        label: 'A',
        state: 'enabled',
        search: '600/60,20/1',
        created_at: '2026-11-21T12:00:01Z',
        last_used_on: null,
      },
    ],
  });
});

test('every operator has the same keys, and so has every instance', async () => {
  const made = await createAdminApp();
  await made.createKey();
  expect((await made.bob('GET /api/admin/keys')).body).toBe((await made.ada('GET /api/admin/keys')).body);
  expect(await keysOf(made.another())).toEqual(await keysOf(made));
});

test('[spec 4 #20] HEAD has the headers of GET and no content', async () => {
  const { ada, createKey } = await createAdminApp();
  await createKey();
  for (const path of ['/api/admin/keys', '/api/admin/usage', '/api/admin/audit', '/admin/session', '/admin']) {
    const { 'x-request-id': _, ...headers } = (await ada(`GET ${path}`)).headers;
    const head = await ada(`HEAD ${path}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(headers);
  }
});

test.each([
  [{ label: 'New' }, { label: 'New' }],
  [{ label: ' New ' }, { label: 'New' }],
  [{ search: '5/60' }, { search: '5/60' }],
  [{ search: '600/60,20/1' }, { search: '600/60,20/1' }],
  [{ search: null }, { search: '60/60' }],
  [{ state: 'disabled' }, { state: 'disabled' }],
  [{ state: 'enabled' }, {}],
  [
    { label: 'New', search: null, state: 'disabled' },
    { label: 'New', search: '60/60', state: 'disabled' },
  ],
  [{}, {}],
])('[key #3] a change of %j changes that and nothing else', async (json, changes) => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'Old', search: '7/60' });
  const other = await made.createKey({ label: 'Other', search: '8/60' });
  const [before, untouched] = [
    { label: 'Old', search: '7/60', state: 'enabled' },
    { label: 'Other', search: '8/60' },
  ];
  const answer = await patch(made, id, json);
  expect(answer.status).toBe(200);
  expect(answer.json()).toEqual({
    id,
    ...before,
    ...changes,
    created_at: '2026-11-21T12:00:00Z',
    last_used_on: null,
  });
  const keys = await keysOf(made);
  expect(keys).toHaveLength(2);
  expect(keys).toEqual(
    expect.arrayContaining([answer.json(), expect.objectContaining({ id: other.id, ...untouched })]),
  );
});

test('a key that goes back to the default has no allowance of its own', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'x', search: '7/60' });
  await patch(made, id, { search: null });
  const [item] = await itemsOf(made.dynamo, 'keys');
  expect(item).not.toHaveProperty('search');
});

test('[key #3] what somebody else changes at the same time stays changed', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'Old', search: '7/60' });
  const slow = made.another({
    stores: ({ keys }) => ({
      keys: {
        ...keys,
        async change(...asked) {
          await keys.change(id, { state: 'disabled', search: { count: 9, seconds: 60 } });
          return keys.change(...asked);
        },
      },
    }),
  });
  expect((await patch(slow, id, { label: 'New' })).json()).toMatchObject({
    label: 'New',
    state: 'disabled',
    search: '9/60',
  });
  expect(await keysOf(made)).toMatchObject([{ label: 'New', state: 'disabled', search: '9/60' }]);
});

test('[key #3] an attribute that nobody here knows survives every change', async () => {
  const made = await createAdminApp();
  const { id, secret } = await made.createKey();
  await made.dynamo.client.send(
    new UpdateItemCommand({
      TableName: made.dynamo.tables.keys,
      Key: { pk: { S: sha256Hex(secret) } },
      UpdateExpression: 'SET later = :later',
      ExpressionAttributeValues: { ':later': { S: 'kept' } },
    }),
  );
  await patch(made, id, { label: 'New', search: '7/60', state: 'disabled' });
  expect(await itemsOf(made.dynamo, 'keys')).toMatchObject([{ later: { S: 'kept' }, label: { S: 'New' } }]);
});

test('[admin #2] whoever is signed in is told who he is, and until when', async () => {
  const { signIn, bob, clock } = await createAdminApp();
  const ada = await signIn();
  clock.wait(HOUR / 4);
  expect((await ada.ask('GET /admin/session')).json()).toEqual({
    operator: 'ada',
    expires_at: '2026-11-21T20:00:00.000Z',
  });
  expect((await bob('GET /admin/session')).json()).toEqual({ operator: 'bob', expires_at: null });
});

test('the log says what was asked for, and nothing of what was said', async () => {
  const { ada, log } = await createAdminApp();
  const asked = ['GET /admin/session', 'HEAD /admin/session', 'HEAD /api/admin/keys', 'GET /admin/nope'];
  for (const line of asked) await ada(`${line}?label=ECHO`);
  expect(log.filter(({ event }) => event === 'request')).toMatchObject([
    { level: 'info', operation: 'showSession', method: 'GET', status: 200, code: undefined, duration_ms: 0 },
    { operation: 'showSession', method: 'HEAD', status: 200 },
    { operation: 'listKeys', method: 'HEAD', status: 200 },
    { operation: 'admin', method: 'GET', status: 404, code: 'route_not_found' },
  ]);
  expect(JSON.stringify(log)).not.toContain('ECHO');
});
