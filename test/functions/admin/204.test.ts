import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

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

test('[admin 2] DELETE /admin/session returns 204 and deletes the cookie', async () => {
  const { signIn } = await createAdminApp();
  const { send } = await signIn();
  const answer = await send('DELETE /admin/session');
  expect([answer.status, answer.body]).toEqual([204, '']);
  expect(answer.cookies).toEqual(['__Host-admin_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure']);
});

test('DELETE /admin/session returns 204 when there is no session', async () => {
  const { bob } = await createAdminApp();
  expect((await bob('DELETE /admin/session')).status).toBe(204);
  expect((await bob('GET /admin/session')).status).toBe(200);
});
