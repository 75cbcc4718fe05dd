import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

test.each([
  '/admin/',
  '/admin/nope',
  '/admin/session/',
  '/admin/session/x',
  '/admin/app.js.map',
  '/admin/index.html',
  '/admin/constructor',
  '/api/admin',
  '/api/admin/',
  '/api/admin/keys/',
  '/api/admin/keys/a/b',
  '/api/admin/key',
  '/api/admin/Keys',
  '/api/admin/__proto__',
])('who has signed in is told that there is no %s', async (path) => {
  const { ada, signIn } = await createAdminApp();
  const browser = await signIn();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'constructor']) {
    expectRefusal(await ada(`${method} ${path}`), 404, 'route_not_found');
    expectRefusal(await browser.ask(`${method} ${path}`), 404, 'route_not_found');
  }
});

test('who has signed in and takes a wrong turn in a browser gets a page', async () => {
  const { signIn } = await createAdminApp();
  const { ask } = await signIn();
  const answer = await ask('GET /admin/nope', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

test.each(['nobody', '0', 'constructor', '__proto__', '%00', '%F0%9F%90%8B', 'a b', '*', `pstn_${'0'.repeat(49)}`])(
  'a key of the id %j is not known, and nothing is done',
  async (id) => {
    const { ada, createKey, stored } = await createAdminApp();
    await createKey();
    const before = await stored();
    const path = `/api/admin/keys/${encodeURI(id)}`;
    for (const json of [{ state: 'disabled' }, { label: 'x' }, {}])
      expectRefusal(await ada(`PATCH ${path}`, { json }), 404, 'key_not_found');
    expectRefusal(await ada(`DELETE ${path}`), 404, 'key_not_found');
    expect(await stored()).toBe(before);
  },
);

test('[key #1] the key itself and its hash are no ids', async () => {
  const { ada, createKey } = await createAdminApp();
  const { secret } = await createKey();
  expectRefusal(await ada(`DELETE /api/admin/keys/${secret}`), 404, 'key_not_found');
});

test('[key #3] a key that is deleted while it is being changed stays deleted', async () => {
  const { another, createKey, stored, audited } = await createAdminApp();
  const { id } = await createKey({ label: 'Gone' });
  const slow = another({
    stores: ({ keys }) => ({
      keys: {
        ...keys,
        async change(...asked) {
          await keys.delete(id);
          return keys.change(...asked);
        },
      },
    }),
  });
  expectRefusal(await slow.ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'enabled' } }), 404, 'key_not_found');
  expect(JSON.parse(await stored())[0]).toEqual([]);
  expect(await audited()).toMatchObject([{ action: 'change_key' }, { action: 'create_key' }]);
});
