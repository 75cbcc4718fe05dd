import { describe, expect, test } from 'vitest';
import { adminPageFiles } from '../../../infra/build/admin-page-plugin.ts';
import { createAdminApp, expectRefusal, PAGE_STUB } from '../../support/admin-app.ts';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PARTS = [
  ['/admin', PAGE_STUB.html, 'text/html; charset=utf-8'],
  ['/admin/app.js', PAGE_STUB.script, 'text/javascript; charset=utf-8'],
  ['/admin/style.css', PAGE_STUB.style, 'text/css; charset=utf-8'],
] as const;

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.each(PARTS)('%s', (path, body, type) => {
  const headers = { accept: path === '/admin' ? BROWSER : '*/*' };

  test('[admin #1][admin #5] is for all, and runs nothing that is not ours', async () => {
    const { ask } = await createAdminApp();
    const answer = await ask(`GET ${path}`, { headers });
    expect([answer.status, answer.body, answer.cookies]).toEqual([200, body, []]);
    const { 'x-request-id': _, ...owed } = answer.headers;
    expect(owed).toEqual({
      'content-type': type,
      'content-security-policy': CSP,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('[spec 4 #20] has the same headers for HEAD, and no content', async () => {
    const { ask } = await createAdminApp();
    const { 'x-request-id': _, ...owed } = (await ask(`GET ${path}`, { headers })).headers;
    const answer = await ask(`HEAD ${path}`, { headers });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers).toMatchObject(owed);
  });

  test('[admin #1] is the same for everybody, and nothing is asked of the store for it', async () => {
    const { ask, ada, signIn, createKey, proxy } = await createAdminApp();
    await createKey();
    const browser = await signIn();
    const asked = proxy.operations.length;
    const wrong = { ...headers, authorization: 'Bearer wrong', cookie: '__Host-admin_session=x' };
    for (const answer of [
      await ask(`GET ${path}`, { headers: wrong }),
      await ask(`GET ${path}?key=x`, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }),
      await ada(`GET ${path}`, { headers }),
      await browser.ask(`GET ${path}`, { headers }),
    ])
      expect([answer.status, answer.body]).toEqual([200, body]);
    expect(proxy.operations).toHaveLength(asked);
  });
});

describe('[admin #1] the page is', () => {
  test.each(['text/html', BROWSER, 'application/json, text/html;q=0.5'])('for whoever accepts %s', async (accept) => {
    const { ask } = await createAdminApp();
    expect((await ask('GET /admin', { headers: { accept } })).status).toBe(200);
  });

  test.each(['*/*', 'application/json', 'text/*', 'text/plain', 'application/xhtml+xml', ''])(
    'private for whoever accepts %j',
    async (accept) => {
      const { ask, ada } = await createAdminApp();
      expectRefusal(await ask('GET /admin', { headers: { accept } }), 401, 'unauthorized');
      expect((await ada('GET /admin', { headers: { accept } })).body).toBe(PAGE_STUB.html);
    },
  );

  test('private for whoever says nothing of what he accepts', async () => {
    const { ask } = await createAdminApp();
    expectRefusal(await ask('GET /admin'), 401, 'unauthorized');
  });
});

test('[admin #5] the page as it is built has nothing in it that its policy would refuse', async () => {
  const { html, script, style } = await adminPageFiles();
  expect([...html.matchAll(/<script[^>]*>/g)].map(String)).toEqual(['<script type="module" src="/admin/app.js">']);
  expect([...html.matchAll(/\b(?:src|href|action)="[^"]*"/g)].map(String)).toEqual([
    'href="/admin/style.css"',
    'src="/admin/app.js"',
  ]);
  expect(html).not.toMatch(/<style|<base|<iframe|\sstyle=|\son[a-z]+=|javascript:|http-equiv|https?:/i);
  expect(script).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|https?:/);
  expect(style).not.toMatch(/@import|url\(|expression\(/);
});
