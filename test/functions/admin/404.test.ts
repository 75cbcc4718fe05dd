import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

// biome-ignore format: side by side they fit on a screen
const UNKNOWN_PATHS = [
  '/admin/', '/admin/nope', '/admin/session/', '/admin/session/x', '/admin/app.js.map', '/admin/index.html',
  '/admin/constructor', '/api/admin', '/api/admin/', '/api/admin/keys/', '/api/admin/keys/a/b', '/api/admin/key',
  '/api/admin/Keys', '/api/admin/__proto__',
];

test('a signed-in operator gets 404 for an unknown path with every method', async () => {
  const { ada, signIn } = await createAdminApp();
  const browser = await signIn();
  for (const path of UNKNOWN_PATHS) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'constructor']) {
      expectRefusal(await ada(`${method} ${path}`), 404, 'route_not_found');
      expectRefusal(await browser.send(`${method} ${path}`), 404, 'route_not_found');
    }
  }
});

test('a signed-in operator gets an HTML page when the browser requests an unknown path', async () => {
  const { signIn } = await createAdminApp();
  const { send } = await signIn();
  const answer = await send('GET /admin/nope', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

test.each(['unknown', '0', 'constructor', '__proto__', '%00', '%F0%9F%90%8B', 'a b', '*', `pstn_${'0'.repeat(49)}`])(
  'PATCH and DELETE of the key id %j return 404 and change nothing',
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

test('[keys 16] neither the secret nor its hash is a key id', async () => {
  const { ada, createKey } = await createAdminApp();
  const { secret } = await createKey();
  expectRefusal(await ada(`DELETE /api/admin/keys/${secret}`), 404, 'key_not_found');
});

test('[keys 18] a key that is deleted during a change stays deleted', async () => {
  const { another, createKey, stored, audited } = await createAdminApp();
  const { id } = await createKey({ label: 'Gone' });
  const slow = another({
    stores: ({ keys }) => ({
      keys: {
        ...keys,
        async change(...parameters) {
          await keys.delete(id);
          return keys.change(...parameters);
        },
      },
    }),
  });
  expectRefusal(await slow.ada(`PATCH /api/admin/keys/${id}`, { json: { state: 'enabled' } }), 404, 'key_not_found');
  expect(JSON.parse(await stored())[0]).toEqual([]);
  expect(await audited()).toMatchObject([{ action: 'change_key' }, { action: 'create_key' }]);
});
