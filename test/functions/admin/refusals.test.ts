// Tests what a signed-in operator gets for a wrong path, method, type and size: nothing changes.
import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal, type SendAdminRequest, TOKENS } from '../../support/admin-app.ts';

/** Both ways to sign in, and a check that nothing was stored. */
const createBench = async () => {
  const app = await createAdminApp();
  const { id, secret } = await app.createKey({ label: 'Kept' });
  const browser = await app.signIn();
  const before = await app.stored();
  const senders: readonly SendAdminRequest[] = [app.ada, browser.send];
  return { ...app, id, secret, browser, senders, expectUnchanged: async () => expect(await app.stored()).toBe(before) };
};

// biome-ignore format: side by side they fit on a screen
const UNKNOWN_PATHS = [
  '/admin/', '/admin/nope', '/admin/session/', '/admin/session/x', '/admin/app.js.map', '/admin/index.html',
  '/admin/constructor', '/api/admin', '/api/admin/', '/api/admin/keys/', '/api/admin/keys/a/b', '/api/admin/key',
  '/api/admin/Keys', '/api/admin/__proto__',
];

test('an unknown path is 404 with every method, and a page for a browser', async () => {
  const { senders, browser } = await createBench();
  for (const path of UNKNOWN_PATHS)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'constructor'])
      for (const send of senders) expectRefusal(await send(`${method} ${path}`), 404, 'route_not_found');
  const { status, headers } = await browser.send('GET /admin/nope', { headers: { accept: 'text/html' } });
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

test('[keys 16] an unknown id and a secret are 404 key_not_found', async () => {
  const { ada, secret, expectUnchanged } = await createBench();
  for (const id of ['unknown', '0', 'constructor', '__proto__', '%00', '%F0%9F%90%8B', 'a b', '*', secret]) {
    const path = `/api/admin/keys/${encodeURI(id)}`;
    for (const json of [{ state: 'disabled' }, { label: 'x' }, {}])
      expectRefusal(await ada(`PATCH ${path}`, { json }), 404, 'key_not_found');
    expectRefusal(await ada(`DELETE ${path}`), 404, 'key_not_found');
  }
  await expectUnchanged();
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

test.each([
  ['/admin', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/admin/app.js', 'GET, HEAD', ['POST', 'OPTIONS']],
  ['/admin/style.css', 'GET, HEAD', ['POST', 'DELETE']],
  ['/admin/session', 'POST, GET, HEAD, DELETE', ['PUT', 'PATCH', 'OPTIONS']],
  ['/api/admin/keys', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'constructor', 'toString']],
  ['/api/admin/keys/abcdefgh', 'PATCH, DELETE', ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']],
  ['/api/admin/usage', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/api/admin/audit', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
])('[admin 7] %s returns 405 with Allow: %s', async (path, allow, methods) => {
  const { senders, expectUnchanged } = await createBench();
  for (const method of methods)
    for (const send of senders) {
      const answer = await send(`${method} ${path}`, { json: { label: 'x' } });
      expect(answer.headers['allow']).toBe(allow);
      if (method === 'HEAD') expect([answer.status, answer.body]).toEqual([405, '']);
      else expectRefusal(answer, 405, 'method_not_allowed');
    }
  await expectUnchanged();
});

const JSON_TYPE = { 'content-type': 'application/json' };

/** A body of the given size with a label. */
const bodyOf = (bytes: number, label = '"x"'): string => {
  const json = `{"label":${label}}`;
  return json + ' '.repeat(bytes - Buffer.byteLength(json));
};

test('[admin 1] a body of 16,384 bytes is read, and one byte more is 413, or 401 without credentials', async () => {
  const { ada, send, id, expectUnchanged } = await createBench();
  const whales = bodyOf(16_385, '"🐋"');
  expect(whales.length).toBeLessThan(16_384);
  for (const isBase64 of [false, true])
    for (const text of [bodyOf(16_385), whales])
      for (const line of ['POST /api/admin/keys', `PATCH /api/admin/keys/${id}`, 'POST /admin/session'])
        expectRefusal(await ada(line, { text, headers: JSON_TYPE, isBase64 }), 413, 'content_too_large');
  const tooLarge = { text: bodyOf(17_408), headers: JSON_TYPE };
  expectRefusal(await send('POST /admin/session', tooLarge), 413, 'content_too_large');
  expectRefusal(await send('POST /api/admin/keys', tooLarge), 401, 'unauthorized');
  await expectUnchanged();
  for (const isBase64 of [false, true])
    expect((await ada('POST /api/admin/keys', { text: bodyOf(16_384), headers: JSON_TYPE, isBase64 })).status).toBe(
      201,
    );
});

// biome-ignore format: side by side they fit on a screen
const WRONG_TYPES = [
  undefined, '', 'text/plain', 'text/plain; a=application/json', 'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x', 'text/json', 'application/jsonp', 'application/json-patch+json',
  'application/problem+json', ' application/json', 'application/json, text/plain',
];

test.each(WRONG_TYPES)('[admin 3] a body of the type %j gets 415', async (type) => {
  const { senders, send, id, expectUnchanged } = await createBench();
  const headers: Readonly<Record<string, string>> = type === undefined ? {} : { 'content-type': type };
  for (const line of ['POST /api/admin/keys', `PATCH /api/admin/keys/${id}`])
    for (const operator of senders)
      expectRefusal(await operator(line, { text: '{"label":"New"}', headers }), 415, 'unsupported_media_type');
  const text = JSON.stringify({ token: TOKENS.ada });
  expectRefusal(await send('POST /admin/session', { text, headers }), 415, 'unsupported_media_type');
  await expectUnchanged();
});

test.each(['application/json', 'application/json; charset=utf-8', 'application/json;x=y', 'Application/JSON ; x'])(
  'a body of the type %j is read',
  async (type) => {
    const { ada, send } = await createAdminApp();
    const headers = { 'content-type': type };
    expect((await ada('POST /api/admin/keys', { text: '{"label":"x"}', headers })).status).toBe(201);
    const text = JSON.stringify({ token: TOKENS.ada });
    expect((await send('POST /admin/session', { text, headers })).status).toBe(200);
  },
);
