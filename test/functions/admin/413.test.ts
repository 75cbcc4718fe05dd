import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

const headers = { 'content-type': 'application/json' };

/** A key that is called x, in so many bytes. */
const bodyOf = (bytes: number, label = '"x"'): string => {
  const json = `{"label":${label}}`;
  return json + ' '.repeat(bytes - Buffer.byteLength(json));
};

test.each([false, true])('a body of 16 KiB is read, and of a byte more refused (as base64: %s)', async (isBase64) => {
  const { ada } = await createAdminApp();
  const send = (text: string) => ada('POST /api/admin/keys', { text, headers, isBase64 });
  expect((await send(bodyOf(16_384))).status).toBe(201);
  expectRefusal(await send(bodyOf(16_385)), 413, 'content_too_large');
});

test('characters are counted as the bytes that they are', async () => {
  const { ada } = await createAdminApp();
  const text = bodyOf(16_385, '"🐋"');
  expect(text.length).toBeLessThan(16_384);
  expectRefusal(await ada('POST /api/admin/keys', { text, headers }), 413, 'content_too_large');
});

test('nothing of a body that is too large is done', async () => {
  const { ada, ask, createKey, stored } = await createAdminApp();
  const { id } = await createKey();
  const before = await stored();
  const text = bodyOf(17_408);
  for (const line of ['POST /api/admin/keys', `PATCH /api/admin/keys/${id}`, 'POST /admin/session'])
    expectRefusal(await ada(line, { text, headers }), 413, 'content_too_large');
  expectRefusal(await ask('POST /admin/session', { text, headers }), 413, 'content_too_large');
  expect(await stored()).toBe(before);
});

test('[admin #1] whoever has not signed in is not told how much is too much', async () => {
  const { ask } = await createAdminApp();
  expectRefusal(await ask('POST /api/admin/keys', { text: bodyOf(17_408), headers }), 401, 'unauthorized');
});
