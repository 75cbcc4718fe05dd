import { describe, expect, test } from 'vitest';
import { adminPageFiles } from '../../../infra/build/page-files.ts';
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

  test('[admin 1] [admin 5] is public, and its policy allows only resources of the service', async () => {
    const { send } = await createAdminApp();
    const answer = await send(`GET ${path}`, { headers });
    expect([answer.status, answer.body, answer.cookies]).toEqual([200, body, []]);
    const { 'x-request-id': _, ...headersOfGet } = answer.headers;
    expect(headersOfGet).toEqual({
      'content-type': type,
      'content-security-policy': CSP,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('[admin 1] is the same for every caller and causes no store request', async () => {
    const { send, ada, signIn, createKey, proxy } = await createAdminApp();
    await createKey();
    const browser = await signIn();
    const operations = proxy.operations.length;
    const wrong = { ...headers, authorization: 'Bearer wrong', cookie: '__Host-admin_session=x' };
    for (const answer of [
      await send(`GET ${path}`, { headers: wrong }),
      await send(`GET ${path}?key=x`, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }),
      await ada(`GET ${path}`, { headers }),
      await browser.send(`GET ${path}`, { headers }),
    ])
      expect([answer.status, answer.body]).toEqual([200, body]);
    expect(proxy.operations).toHaveLength(operations);
  });
});

test.each([
  ...['text/html', BROWSER, 'application/json, text/html;q=0.5'].map((accept) => [accept, 200] as const),
  ...['*/*', 'application/json', 'text/*', 'application/xhtml+xml', '', undefined].map(
    (accept) => [accept, 401] as const,
  ),
])(
  '[admin 1] GET /admin with Accept: %s is answered with %i without a sign-in, and with the page after it',
  async (accept, status) => {
    const { send, ada } = await createAdminApp();
    const headers: Readonly<Record<string, string>> = accept === undefined ? {} : { accept };
    const answer = await send('GET /admin', { headers });
    if (status === 401) expectRefusal(answer, 401, 'unauthorized');
    else expect(answer.body).toBe(PAGE_STUB.html);
    expect((await ada('GET /admin', { headers })).body).toBe(PAGE_STUB.html);
  },
);

test('[admin 5] the built page contains nothing that its policy would block', async () => {
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
