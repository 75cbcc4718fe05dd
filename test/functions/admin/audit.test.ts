import { describe, expect, test } from 'vitest';
import { createDynamoDbAuditStore } from '../../../shared/stores/dynamodb-admin-stores.ts';
import { type AdminApp, createAdminApp, expectRefusal, storeError, TOKENS } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const tick = ({ clock }: AdminApp): void => clock.wait(1000);

test('[admin 6] every change is recorded with its operator, time and values, the newest first', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey({ label: 'First', search: '7/60' });
  tick(app);
  const browser = await app.signIn('bob');
  tick(app);
  await browser.send(`PATCH /api/admin/keys/${id}`, { json: { label: 'Second', search: null } });
  tick(app);
  await app.ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } });
  tick(app);
  await browser.send(`DELETE /api/admin/keys/${id}`);
  tick(app);
  await browser.send('DELETE /admin/session');
  const answer = await app.ada('GET /api/admin/audit');
  expect(answer.headers['content-type']).toBe('application/json');
  const first = { label: 'First', search: '7/60', state: 'enabled' };
  const second = { label: 'Second', search: '60/60', state: 'enabled' };
  const disabled = { ...second, state: 'disabled' };
  const at = (second: number): string => `2026-11-21T12:00:0${second}.000Z`;
  const byBob = { operator: 'bob', action: 'change_key', key_id: id };
  const byAda = { operator: 'ada', action: 'change_key', key_id: id };
  expect(answer.json()).toEqual({
    entries: [
      { at: at(5), operator: 'bob', action: 'sign_out' },
      { at: at(4), ...byBob, action: 'delete_key', label: 'Second', before: disabled },
      { at: at(3), ...byAda, label: 'Second', before: second, after: disabled },
      { at: at(2), ...byBob, label: 'First', before: first, after: second },
      { at: at(1), operator: 'bob', action: 'sign_in' },
      { at: at(0), ...byAda, action: 'create_key', label: 'First', after: first },
    ],
  });
});

test('[admin 6] a stored audit entry has the client network and the request id', async () => {
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

test('[admin 6] concurrent actions of two operators are all recorded', async () => {
  const { ada, bob, audited } = await createAdminApp();
  const json = { label: 'x' };
  await Promise.all(
    Array.from({ length: 4 }, () => [ada, bob].map((send) => send('POST /api/admin/keys', { json }))).flat(),
  );
  const entries = await audited();
  expect(entries.map(({ operator }) => operator).sort()).toEqual(
    [...'aaaabbbb'].map((first) => (first === 'a' ? 'ada' : 'bob')),
  );
  expect(new Set(entries.map(({ at }) => at)).size).toBe(8);
});

test('[admin 6] GET /api/admin/audit returns 100 entries a page, and its cursors lead to each entry once', async () => {
  const { clock, dynamo, ada } = await createAdminApp();
  clock.set(Date.parse('2026-12-31T23:59:59.900Z'));
  const start = clock.now();
  const audit = createDynamoDbAuditStore(dynamo.client, dynamo.tables.admin, clock.now);
  for (let index = 0; index < 203; index += 1) {
    clock.wait(1);
    await audit.append({ at: clock.now(), operator: 'ada', action: 'sign_in', requestId: `r${index}`, network: 'x' });
  }
  const pages: number[][] = [];
  for (let query: string | undefined = ''; query !== undefined; ) {
    const { entries, next_cursor: next } = (await ada(`GET /api/admin/audit${query}`)).json();
    if (!Array.isArray(entries)) throw new Error('there are no entries');
    pages.push(entries.map(({ at }) => Date.parse(at) - start));
    query = next === undefined ? undefined : `?cursor=${next}`;
  }
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 3]);
  expect(pages.flat()).toEqual(Array.from({ length: 203 }, (_, index) => 203 - index));
});

test.each(['', '-1', '1e3', '12&cursor=13', 'x', '9'.repeat(16)])(
  'the cursor %j of the audit is 400',
  async (cursor) => {
    const { ada } = await createAdminApp();
    expectRefusal(await ada(`GET /api/admin/audit?cursor=${cursor}`), 400, 'invalid_cursor');
  },
);

test('[admin 6] entries of the previous year are still returned after the turn of the year', async () => {
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

test('[admin 6] a rejected request and a change without effect are not recorded', async () => {
  const { ada, send, signIn, createKey, audited, stored } = await createAdminApp();
  const { id } = await createKey();
  const { cookie } = await signIn();
  const before = await stored();
  const key = `/api/admin/keys/${id}`;
  await ada(`PATCH ${key}`, { json: {} });
  await ada(`PATCH ${key}`, { json: { state: 'gone' } });
  await ada('DELETE /api/admin/keys/unknown');
  await ada('POST /api/admin/keys', { json: {} });
  await send(`DELETE ${key}`, { headers: { cookie } });
  await send(`DELETE ${key}`, { headers: { authorization: 'Basic x' } });
  await ada('GET /api/admin/keys');
  expect((await audited()).map(({ action }) => action)).toEqual(['sign_in', 'create_key']);
  expect(await stored()).toBe(before);
});

describe('when the audit entry cannot be written', () => {
  const fail = async (): Promise<never> => {
    throw storeError();
  };
  const withoutAudit = (app: AdminApp): AdminApp =>
    app.another({ stores: ({ audit }) => ({ audit: { ...audit, append: fail } }) });

  test('[admin 6] no key is created, changed or deleted', async () => {
    const app = await createAdminApp();
    const { id } = await app.createKey();
    const before = await app.stored();
    const { ada } = withoutAudit(app);
    for (const answer of [
      await ada('POST /api/admin/keys', { json: { label: 'x' } }),
      await ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } }),
      await ada(`DELETE /api/admin/keys/${id}`),
    ])
      expectRefusal(answer, 503, 'upstream_unavailable');
    expect(await app.stored()).toBe(before);
  });

  test('[admin 6] no operator can sign in or sign out', async () => {
    const app = await createAdminApp();
    const { cookie } = await app.signIn();
    const { send } = withoutAudit(app);
    const before = await app.stored();
    expectRefusal(await send('POST /admin/session', { json: { token: TOKENS.ada } }), 503, 'upstream_unavailable');
    const headers = { cookie, 'x-csrf': '1' };
    expectRefusal(await send('DELETE /admin/session', { headers }), 503, 'upstream_unavailable');
    expect((await app.send('GET /admin/session', { headers })).status).toBe(200);
    expect(await app.stored()).toBe(before);
  });
});

test('[admin 6] the audit entry remains when the change fails after it', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey({ label: 'Kept' });
  const fail = async (): Promise<never> => {
    throw storeError();
  };
  const { ada } = app.another({
    stores: ({ keys }) => ({ keys: { list: keys.list, create: fail, change: fail, delete: fail } }),
  });
  for (const answer of [
    await ada('POST /api/admin/keys', { json: { label: 'Never app' } }),
    await ada(`PATCH /api/admin/keys/${id}`, { json: { label: 'Never called' } }),
    await ada(`DELETE /api/admin/keys/${id}`),
  ])
    expectRefusal(answer, 503, 'upstream_unavailable');
  expect(await app.audited()).toMatchObject([
    { action: 'delete_key', label: 'Kept' },
    { action: 'change_key', label: 'Kept', after: { label: 'Never called' } },
    { action: 'create_key', label: 'Never app' },
    { action: 'create_key', label: 'Kept' },
  ]);
  expect((await app.ada('GET /api/admin/keys')).json()).toMatchObject({ keys: [{ label: 'Kept' }] });
});
