import { expect, test } from 'vitest';
import { isWellFormedApiKey, sha256Hex } from '../../../shared/auth/api-key.ts';
import { createDynamoDbApiKeyReader } from '../../../shared/stores/dynamodb-api-key-reader.ts';
import { type AdminApp, createAdminApp, TOKENS } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const create = ({ ada }: AdminApp, json: object) => ada('POST /api/admin/keys', { json });

test('[keys 16] POST /api/admin/keys returns 201 with the secret and the Location of the key', async () => {
  const answer = await create(await createAdminApp(), { label: 'Tide watch' });
  const { id, secret, ...rest } = answer.json();
  expect(answer.status).toBe(201);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(id).toMatch(/^[a-z0-9]{12}$/);
  expect(answer.headers['location']).toBe(`/api/admin/keys/${id}`);
  expect(isWellFormedApiKey(String(secret))).toBe(true);
  expect(rest).toEqual({
    label: 'Tide watch',
    state: 'enabled',
    search: '60/60',
    created_at: '2026-11-21T12:00:00Z',
    last_used_on: null,
  });
});

test('[keys 16] no later answer, no stored item and no log line contains the secret', async () => {
  const { ada, signIn, createKey, log, stored } = await createAdminApp();
  const { id, secret } = await createKey({ label: 'Told once' });
  const browser = await signIn();
  const later = [
    await ada('GET /api/admin/keys'),
    await ada(`PATCH /api/admin/keys/${id}`, { json: { label: 'Changed' } }),
    await ada('GET /api/admin/usage'),
    await browser.send('GET /api/admin/keys'),
    await ada(`DELETE /api/admin/keys/${id}`),
    await ada('GET /api/admin/audit'),
    await browser.send('GET /admin/session'),
  ];
  expect(later.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204, 200, 200]);
  const secretPart = secret.slice('pstn_'.length, -6);
  for (const place of [JSON.stringify(later), await stored(), JSON.stringify(log)]) {
    for (const text of [secretPart, TOKENS.ada]) expect(place).not.toContain(text);
  }
  expect(JSON.stringify([later, log])).not.toContain(sha256Hex(secret));
});

test('[keys 16] [keys 12] the store holds the hash of the key and its metadata, and nothing else', async () => {
  const { dynamo, createKey } = await createAdminApp();
  const { id, secret } = await createKey({ label: 'Stored' });
  expect(await itemsOf(dynamo, 'keys')).toEqual([
    {
      pk: { S: sha256Hex(secret) },
      id: { S: id },
      label: { S: 'Stored' },
      state: { S: 'enabled' },
      created_at: { S: '2026-11-21T12:00:00Z' },
    },
  ]);
});

test('[keys 7] a created key is found by the next read', async () => {
  const { dynamo, createKey } = await createAdminApp();
  const { id, secret } = await createKey({ label: 'At once', search: '5/60' });
  expect(await createDynamoDbApiKeyReader(dynamo.client, dynamo.tables.keys).read(sha256Hex(secret))).toEqual({
    id,
    label: 'At once',
    state: 'enabled',
    search: { count: 5, seconds: 60 },
    createdAt: '2026-11-21T12:00:00Z',
  });
});

test('[keys 20] keys with the same label are different keys', async () => {
  const { ada, createKey } = await createAdminApp();
  const app = [await createKey({ label: 'Same' }), await createKey({ label: 'Same' })];
  expect(new Set(app.flatMap(({ id, secret }) => [id, secret])).size).toBe(4);
  const { keys } = (await ada('GET /api/admin/keys')).json();
  expect(keys).toHaveLength(2);
});

test.each<readonly [object, object]>([
  ...['60/60', '1/1', '9999999/86400', '600/60,20/1'].map((search) => [{ search }, { search }] as const),
  [{ search: null }, { search: '60/60' }],
  ...['x', 'x'.repeat(100), '🐋'.repeat(100), `<img src=x onerror=alert(1)>"'&`, 'مرحبا'].map(
    (label) => [{ label }, { label }] as const,
  ),
  [{ label: ` \t${'x'.repeat(100)}\n ` }, { label: 'x'.repeat(100) }],
])('a key may have %j', async (members, shown) => {
  const app = await createAdminApp();
  expect((await create(app, { label: 'x', ...members })).json()).toMatchObject(shown);
  expect((await app.ada('GET /api/admin/keys')).json()).toMatchObject({ keys: [shown] });
});

test('a key without an allowance has the default that the operator configured', async () => {
  const limits = {
    anonymous: { count: 1, seconds: 1 },
    keyed: { count: 90, seconds: 30, burst: { count: 5, seconds: 1 } },
  };
  const app = await createAdminApp({ allowances: { search: limits, browse: limits } });
  expect((await create(app, { label: 'x' })).json()).toMatchObject({ search: '90/30,5/1' });
});

test('[keys 16] POST /api/admin/keys returns the secret although the day of the last use cannot be read', async () => {
  const failing = async (): Promise<never> => Promise.reject(new Error('LEAKY'));
  const app = await createAdminApp({ stores: () => ({ usage: { spentSince: failing, latest: failing } }) });
  const answer = await create(app, { label: 'x' });
  expect([answer.status, answer.json()['last_used_on']]).toEqual([201, null]);
});
