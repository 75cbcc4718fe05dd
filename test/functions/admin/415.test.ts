import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal, TOKENS } from '../../support/admin-app.ts';

const WRONG: readonly Readonly<Record<string, string>>[] = [
  {},
  ...[
    '',
    'text/plain',
    'text/plain; a=application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/problem+json',
    ' application/json',
    'application/json, text/plain',
  ].map((type) => ({ 'content-type': type })),
];

test.each(WRONG)('[admin 3] a body with the headers %j gets 415 and changes nothing', async (headers) => {
  const { ada, send, signIn, createKey, stored } = await createAdminApp();
  const { id } = await createKey({ label: 'Kept' });
  const browser = await signIn();
  const before = await stored();
  const text = JSON.stringify({ label: 'New' });
  for (const line of ['POST /api/admin/keys', `PATCH /api/admin/keys/${id}`]) {
    for (const operator of [ada, browser.send])
      expectRefusal(await operator(line, { text, headers }), 415, 'unsupported_media_type');
  }
  const token = JSON.stringify({ token: TOKENS.ada });
  expectRefusal(await send('POST /admin/session', { text: token, headers }), 415, 'unsupported_media_type');
  expect(await stored()).toBe(before);
});

test.each(['application/json', 'application/json; charset=utf-8', 'application/json;x=y', 'Application/JSON ; x'])(
  'a body of the type %j is read',
  async (type) => {
    const { ada, send } = await createAdminApp();
    const headers = { 'content-type': type };
    expect((await ada('POST /api/admin/keys', { text: '{"label":"x"}', headers })).status).toBe(201);
    const token = JSON.stringify({ token: TOKENS.ada });
    expect((await send('POST /admin/session', { text: token, headers })).status).toBe(200);
  },
);

test('a request without a body needs no Content-Type', async () => {
  const { signIn, createKey } = await createAdminApp();
  const { id } = await createKey();
  const { send } = await signIn();
  expect((await send(`DELETE /api/admin/keys/${id}`)).status).toBe(204);
  expect((await send('DELETE /admin/session')).status).toBe(204);
});
