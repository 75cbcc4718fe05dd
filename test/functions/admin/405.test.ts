import { expect, test } from 'vitest';
import { createAdminApp, expectRefusal } from '../../support/admin-app.ts';

test.each([
  ['/admin', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/admin/app.js', 'GET, HEAD', ['POST', 'OPTIONS']],
  ['/admin/style.css', 'GET, HEAD', ['POST', 'DELETE']],
  ['/admin/session', 'POST, GET, HEAD, DELETE', ['PUT', 'PATCH', 'OPTIONS']],
  ['/api/admin/keys', 'GET, HEAD, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'constructor', 'toString']],
  ['/api/admin/keys/abcdefgh', 'PATCH, DELETE', ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']],
  ['/api/admin/usage', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/api/admin/audit', 'GET, HEAD', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
])('[admin 7] %s returns 405 with Allow: %s to a signed-in operator', async (path, allow, methods) => {
  const { ada, signIn, createKey, stored } = await createAdminApp();
  await createKey();
  const browser = await signIn();
  const before = await stored();
  for (const method of methods) {
    for (const send of [ada, browser.send]) {
      const answer = await send(`${method} ${path}`, { json: { label: 'x' } });
      expect(answer.headers['allow']).toBe(allow);
      if (method === 'HEAD') expect([answer.status, answer.body]).toEqual([405, '']);
      else expectRefusal(answer, 405, 'method_not_allowed');
    }
  }
  expect(await stored()).toBe(before);
});
