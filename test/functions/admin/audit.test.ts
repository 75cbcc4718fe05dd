import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../shared/ports/admin-stores.ts';
import { createDynamoDbAuditStore } from '../../../shared/stores/dynamodb-admin-stores.ts';
import { type AdminApp, createAdminApp, expectRefusal, MINUTE, storeError, TOKENS } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const tick = ({ clock }: AdminApp): void => clock.wait(1000);

test('[admin #6] all that is done is noted with who did it, when, and what changed, the newest first', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'First', search: '7/60' });
  tick(made);
  const browser = await made.signIn('bob');
  tick(made);
  await browser.ask(`PATCH /api/admin/keys/${id}`, { json: { label: 'Second', search: null } });
  tick(made);
  await made.ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } });
  tick(made);
  await browser.ask(`DELETE /api/admin/keys/${id}`);
  tick(made);
  await browser.ask('DELETE /admin/session');
  const answer = await made.ada('GET /api/admin/audit');
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.json()).toEqual({
    entries: [
      { at: '2026-11-21T12:00:05.000Z', operator: 'bob', action: 'sign_out' },
      {
        at: '2026-11-21T12:00:04.000Z',
        operator: 'bob',
        action: 'delete_key',
        key_id: id,
        label: 'Second',
        before: { label: 'Second', search: '60/60', state: 'disabled' },
      },
      {
        at: '2026-11-21T12:00:03.000Z',
        operator: 'ada',
        action: 'change_key',
        key_id: id,
        label: 'Second',
        before: { label: 'Second', search: '60/60', state: 'enabled' },
        after: { label: 'Second', search: '60/60', state: 'disabled' },
      },
      {
        at: '2026-11-21T12:00:02.000Z',
        operator: 'bob',
        action: 'change_key',
        key_id: id,
        label: 'First',
        before: { label: 'First', search: '7/60', state: 'enabled' },
        after: { label: 'Second', search: '60/60', state: 'enabled' },
      },
      { at: '2026-11-21T12:00:01.000Z', operator: 'bob', action: 'sign_in' },
      {
        at: '2026-11-21T12:00:00.000Z',
        operator: 'ada',
        action: 'create_key',
        key_id: id,
        label: 'First',
        after: { label: 'First', search: '7/60', state: 'enabled' },
      },
    ],
  });
});

test('[admin #6] it is kept from where and by which request something was done', async () => {
  const { ada, dynamo } = await createAdminApp();
  const { headers } = await ada('POST /api/admin/keys', { json: { label: 'x' }, address: '2001:db8:0:1::7' });
  const [item] = await itemsOf(dynamo, 'admin');
  expect(item).toMatchObject({
    pk: { S: 'audit#2026' },
    at: { N: String(Date.parse('2026-11-21T12:00:00Z')) },
    x: { N: String(Date.parse('2026-11-21T12:00:00Z') / 1000 + 400 * 86_400) },
  });
  expect(JSON.parse(item?.['entry']?.S ?? '')).toMatchObject({
    requestId: headers['x-request-id'],
    network: '6:2001:db8:0:1',
  });
});

test('[admin #6] two things in one millisecond are both noted, in their order', async () => {
  const { createKey, audited } = await createAdminApp();
  for (const label of ['A', 'B', 'C']) await createKey({ label });
  expect(await audited()).toMatchObject([
    { label: 'C', at: '2026-11-21T12:00:00.002Z' },
    { label: 'B', at: '2026-11-21T12:00:00.001Z' },
    { label: 'A', at: '2026-11-21T12:00:00.000Z' },
  ]);
});

test('[admin #6] of two who do something at once, both are noted', async () => {
  const { ada, bob, audited } = await createAdminApp();
  const json = { label: 'x' };
  await Promise.all(
    Array.from({ length: 4 }, () => [ada, bob].map((ask) => ask('POST /api/admin/keys', { json }))).flat(),
  );
  const entries = await audited();
  expect(entries.map(({ operator }) => operator).sort()).toEqual(
    [...'aaaabbbb'].map((first) => (first === 'a' ? 'ada' : 'bob')),
  );
  expect(new Set(entries.map(({ at }) => at)).size).toBe(8);
});

test('[admin #6] the hundred newest are shown', async () => {
  const { clock, dynamo, audited } = await createAdminApp();
  const audit = createDynamoDbAuditStore(dynamo.client, dynamo.tables.admin, clock.now);
  for (let index = 0; index < 103; index += 1) {
    clock.wait(1);
    const entry: AuditEntry = {
      at: clock.now(),
      operator: 'ada',
      action: 'sign_in',
      requestId: `r${index}`,
      network: 'x',
    };
    await audit.append(entry);
  }
  const entries = await audited();
  expect(entries).toHaveLength(100);
  expect([entries[0]?.['at'], entries[99]?.['at']]).toEqual(['2026-11-21T12:00:00.103Z', '2026-11-21T12:00:00.004Z']);
});

test('[admin #6] a new year hides nothing of the old one', async () => {
  const { clock, createKey, audited, dynamo } = await createAdminApp();
  clock.set(Date.parse('2026-12-31T23:59:59.999Z'));
  await createKey({ label: 'Last of the year' });
  clock.wait(1);
  await createKey({ label: 'First of the year' });
  expect(await audited()).toMatchObject([
    { at: '2027-01-01T00:00:00.000Z', label: 'First of the year' },
    { at: '2026-12-31T23:59:59.999Z', label: 'Last of the year' },
  ]);
  const years = (await itemsOf(dynamo, 'admin')).map(({ pk }) => pk?.S);
  expect(years.sort()).toEqual(['audit#2026', 'audit#2027']);
});

test('[admin #6] what is refused, and what changes nothing, is not noted', async () => {
  const { ada, ask, signIn, createKey, audited, stored } = await createAdminApp();
  const { id } = await createKey();
  const { cookie } = await signIn();
  const before = await stored();
  const key = `/api/admin/keys/${id}`;
  await ada(`PATCH ${key}`, { json: {} });
  await ada(`PATCH ${key}`, { json: { state: 'gone' } });
  await ada('DELETE /api/admin/keys/nobody');
  await ada('POST /api/admin/keys', { json: {} });
  await ask(`DELETE ${key}`, { headers: { cookie } });
  await ask(`DELETE ${key}`, { headers: { authorization: 'Basic x' } });
  await ada('GET /api/admin/keys');
  expect((await audited()).map(({ action }) => action)).toEqual(['sign_in', 'create_key']);
  expect(await stored()).toBe(before);
});

describe('where it cannot be noted', () => {
  const fail = async (): Promise<never> => {
    throw storeError();
  };
  const mute = (own: AdminApp): AdminApp =>
    own.another({ stores: ({ audit }) => ({ audit: { ...audit, append: fail } }) });

  test('[admin #6] nothing is done to keys', async () => {
    const made = await createAdminApp();
    const { id } = await made.createKey();
    const before = await made.stored();
    const { ada } = mute(made);
    for (const answer of [
      await ada('POST /api/admin/keys', { json: { label: 'x' } }),
      await ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } }),
      await ada(`DELETE /api/admin/keys/${id}`),
    ])
      expectRefusal(answer, 503, 'upstream_unavailable');
    expect(await made.stored()).toBe(before);
  });

  test('[admin #6] nobody signs in or out', async () => {
    const made = await createAdminApp();
    const { cookie } = await made.signIn();
    const { ask } = mute(made);
    const before = await made.stored();
    expectRefusal(await ask('POST /admin/session', { json: { token: TOKENS.ada } }), 503, 'upstream_unavailable');
    const headers = { cookie, 'x-csrf': '1' };
    expectRefusal(await ask('DELETE /admin/session', { headers }), 503, 'upstream_unavailable');
    expect((await made.ask('GET /admin/session', { headers })).status).toBe(200);
    expect(await made.stored()).toBe(before);
  });
});

test('[admin #6] what was begun is noted, although the store then failed', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey({ label: 'Kept' });
  const fail = async (): Promise<never> => {
    throw storeError();
  };
  const { ada } = made.another({
    stores: ({ keys }) => ({ keys: { list: keys.list, create: fail, change: fail, delete: fail } }),
  });
  for (const answer of [
    await ada('POST /api/admin/keys', { json: { label: 'Never made' } }),
    await ada(`PATCH /api/admin/keys/${id}`, { json: { label: 'Never called' } }),
    await ada(`DELETE /api/admin/keys/${id}`),
  ])
    expectRefusal(answer, 503, 'upstream_unavailable');
  expect(await made.audited()).toMatchObject([
    { action: 'delete_key', label: 'Kept' },
    { action: 'change_key', label: 'Kept', after: { label: 'Never called' } },
    { action: 'create_key', label: 'Never made' },
    { action: 'create_key', label: 'Kept' },
  ]);
  expect((await made.ada('GET /api/admin/keys')).json()).toMatchObject({ keys: [{ label: 'Kept' }] });
});

test('[admin #6] reading the notes changes none, and every operator reads the same', async () => {
  const made = await createAdminApp();
  await made.createKey();
  const before = await made.stored();
  made.clock.wait(MINUTE);
  expect((await made.bob('GET /api/admin/audit')).body).toBe((await made.ada('GET /api/admin/audit')).body);
  expect(await made.stored()).toBe(before);
});
