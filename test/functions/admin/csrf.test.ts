import { describe, expect, test } from 'vitest';
import {
  type AdminRequestOptions,
  createAdminApp,
  expectRefusal,
  type SendAdminRequest,
  TOKENS,
} from '../../support/admin-app.ts';

const changesOf = (id: string): readonly (readonly [string, AdminRequestOptions])[] => [
  ['POST /api/admin/keys', { json: { label: 'Forged' } }],
  [`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } }],
  [`DELETE /api/admin/keys/${id}`, {}],
  ['DELETE /admin/session', {}],
];

/** The statuses of all changes with these headers. */
const changeAll = async (send: SendAdminRequest, id: string, headers: Readonly<Record<string, string>>) => {
  const statuses: number[] = [];
  for (const [line, options] of changesOf(id)) statuses.push((await send(line, { ...options, headers })).status);
  return statuses;
};

const READS = ['GET /admin/session', 'GET /api/admin/keys', 'HEAD /api/admin/usage', 'GET /api/admin/audit'];

describe('with a session cookie', () => {
  test.each([
    ['without x-csrf', {}],
    ['with an empty x-csrf', { 'x-csrf': '' }],
    ['without x-csrf from the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['with another header', { 'x-csrf-token': '1', 'x-requested-with': 'XMLHttpRequest' }],
    ['from another site', { 'x-csrf': '1', 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'x-csrf': '1', 'sec-fetch-site': 'same-site' }],
    ['from an unknown Sec-Fetch-Site', { 'x-csrf': '1', 'sec-fetch-site': 'elsewhere' }],
  ])('[admin 3] a change gets 401 and changes nothing %s', async (_, headers) => {
    const { send, signIn, createKey, stored } = await createAdminApp();
    const { id } = await createKey();
    const { cookie } = await signIn();
    const before = await stored();
    for (const [line, options] of changesOf(id)) {
      expectRefusal(await send(line, { ...options, headers: { cookie, ...headers } }), 401, 'unauthorized');
    }
    expect(await stored()).toBe(before);
    expect((await send('GET /admin/session', { headers: { cookie } })).status).toBe(200);
  });

  test.each(['cross-site', 'same-site', 'elsewhere', ''])(
    '[admin 3] a read gets 401 when Sec-Fetch-Site is %j',
    async (site) => {
      const { send, signIn } = await createAdminApp();
      const { cookie } = await signIn();
      for (const line of READS) {
        const answer = await send(line, { headers: { cookie, 'x-csrf': '1', 'sec-fetch-site': site } });
        expect([answer.status, answer.body.includes('unauthorized')]).toEqual([401, !line.startsWith('HEAD')]);
      }
    },
  );

  test.each([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])(
    '[admin 3] reads need no X-CSRF and changes need it: %j',
    async (site) => {
      const { send, signIn, createKey } = await createAdminApp();
      const { id } = await createKey();
      const { cookie } = await signIn();
      for (const line of READS) expect((await send(line, { headers: { cookie, ...site } })).status).toBe(200);
      expect(await changeAll(send, id, { cookie, 'x-csrf': '1', ...site })).toEqual([201, 200, 204, 204]);
    },
  );

  test('[admin 3] an unknown method needs X-CSRF as a change does', async () => {
    const { send, signIn } = await createAdminApp();
    const { cookie } = await signIn();
    for (const method of ['OPTIONS', 'PUT', 'get', 'TRACE'])
      expectRefusal(await send(`${method} /api/admin/keys`, { headers: { cookie } }), 401, 'unauthorized');
  });
});

test('[admin 3] changes with an operator token need no X-CSRF, because browsers never add the token', async () => {
  const { ada, createKey } = await createAdminApp();
  const { id } = await createKey();
  expect(await changeAll(ada, id, { 'sec-fetch-site': 'cross-site' })).toEqual([201, 200, 204, 204]);
});

describe('POST /admin/session', () => {
  const json = { token: TOKENS.ada };

  test.each(['cross-site', 'same-site', 'none', 'elsewhere', ''])(
    '[admin 3] returns 401 for every token when Sec-Fetch-Site is %j',
    async (site) => {
      const { send, stored, log } = await createAdminApp();
      const headers = { 'sec-fetch-site': site, 'x-csrf': '1' };
      for (const token of [TOKENS.ada, 'wrong'])
        expectRefusal(await send('POST /admin/session', { json: { token }, headers }), 401, 'unauthorized');
      expect(await stored()).toBe('[[],[],[]]');
      expect(JSON.stringify(log)).not.toContain('operator_refused');
    },
  );

  test('[admin 3] needs neither a session nor X-CSRF from the same origin or without a browser', async () => {
    const { send } = await createAdminApp();
    expect((await send('POST /admin/session', { json })).status).toBe(200);
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await send('POST /admin/session', { json, headers })).status).toBe(200);
  });
});
