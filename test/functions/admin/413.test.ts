import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

const headers = { 'content-type': 'application/json' };

/** A body of the given size with the label x. */
const bodyOf = (bytes: number, label = '"x"'): string => {
  const json = `{"label":${label}}`;
  return json + ' '.repeat(bytes - Buffer.byteLength(json));
};

test.each([false, true])(
  'a body of 16,384 bytes is read and a body of 16,385 bytes gets 413 (as base64: %s)',
  async (isBase64) => {
    const { ada } = await createAdminApp();
    const send = (text: string) => ada('POST /api/admin/keys', { text, headers, isBase64 });
    expect((await send(bodyOf(16_384))).status).toBe(201);
    expectRefusal(await send(bodyOf(16_385)), 413, 'content_too_large');
  },
);

test('the limit counts bytes, not characters', async () => {
  const { ada } = await createAdminApp();
  const text = bodyOf(16_385, '"🐋"');
  expect(text.length).toBeLessThan(16_384);
  expectRefusal(await ada('POST /api/admin/keys', { text, headers }), 413, 'content_too_large');
});

test('a body that is too large changes nothing', async () => {
  const { ada, send, createKey, stored } = await createAdminApp();
  const { id } = await createKey();
  const before = await stored();
  const text = bodyOf(17_408);
  for (const line of ['POST /api/admin/keys', `PATCH /api/admin/keys/${id}`, 'POST /admin/session'])
    expectRefusal(await ada(line, { text, headers }), 413, 'content_too_large');
  expectRefusal(await send('POST /admin/session', { text, headers }), 413, 'content_too_large');
  expect(await stored()).toBe(before);
});

test('[admin 1] a caller without credentials gets 401 instead of 413', async () => {
  const { send } = await createAdminApp();
  expectRefusal(await send('POST /api/admin/keys', { text: bodyOf(17_408), headers }), 401, 'unauthorized');
});
