import { describe, expect, test } from 'vitest';
import { type AdminRequestOptions, createAdminApp, expectRefusal, TOKENS } from '../../support/admin-app.ts';

const changesOf = (id: string): readonly (readonly [string, AdminRequestOptions])[] => [
  ['POST /api/admin/keys', { json: { label: 'Forged' } }],
  [`PATCH /api/admin/keys/${id}`, { json: { state: 'disabled' } }],
  [`DELETE /api/admin/keys/${id}`, {}],
  ['DELETE /admin/session', {}],
];

const READS = ['GET /admin/session', 'GET /api/admin/keys', 'HEAD /api/admin/usage', 'GET /api/admin/audit'];

describe('by cookie', () => {
  test.each([
    ['without x-csrf', {}],
    ['with an empty x-csrf', { 'x-csrf': '' }],
    ['without x-csrf, as a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['with another header', { 'x-csrf-token': '1', 'x-requested-with': 'XMLHttpRequest' }],
    ['from another site', { 'x-csrf': '1', 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'x-csrf': '1', 'sec-fetch-site': 'same-site' }],
    ['from who knows where', { 'x-csrf': '1', 'sec-fetch-site': 'elsewhere' }],
  ])('[admin #3] nothing is changed %s', async (_, headers) => {
    const { ask, signIn, createKey, stored } = await createAdminApp();
    const { id } = await createKey();
    const { cookie } = await signIn();
    const before = await stored();
    for (const [line, options] of changesOf(id)) {
      expectRefusal(await ask(line, { ...options, headers: { cookie, ...headers } }), 401, 'unauthorized');
    }
    expect(await stored()).toBe(before);
    expect((await ask('GET /admin/session', { headers: { cookie } })).status).toBe(200);
  });

  test.each(['cross-site', 'same-site', 'elsewhere', ''])(
    '[admin #3] nothing is read where the site is %j',
    async (site) => {
      const { ask, signIn } = await createAdminApp();
      const { cookie } = await signIn();
      for (const line of READS) {
        const answer = await ask(line, { headers: { cookie, 'x-csrf': '1', 'sec-fetch-site': site } });
        expect([answer.status, answer.body.includes('unauthorized')]).toEqual([401, !line.startsWith('HEAD')]);
      }
    },
  );

  test.each([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])(
    '[admin #3] reading needs no x-csrf, and changing does: %j',
    async (site) => {
      const { ask, signIn, createKey } = await createAdminApp();
      const { id } = await createKey();
      const { cookie } = await signIn();
      for (const line of READS) expect((await ask(line, { headers: { cookie, ...site } })).status).toBe(200);
      const statuses: number[] = [];
      for (const [line, options] of changesOf(id)) {
        const { status } = await ask(line, { ...options, headers: { cookie, 'x-csrf': '1', ...site } });
        statuses.push(status);
      }
      expect(statuses).toEqual([201, 200, 204, 204]);
    },
  );

  test('[admin #3] a method that is none is taken for one that changes', async () => {
    const { ask, signIn } = await createAdminApp();
    const { cookie } = await signIn();
    for (const method of ['OPTIONS', 'PUT', 'get', 'TRACE'])
      expectRefusal(await ask(`${method} /api/admin/keys`, { headers: { cookie } }), 401, 'unauthorized');
  });
});

test('[admin #3] by token, which no browser adds by itself, nothing more is needed', async () => {
  const { ada, createKey } = await createAdminApp();
  const { id } = await createKey();
  const statuses: number[] = [];
  for (const [line, options] of changesOf(id)) {
    statuses.push((await ada(line, { ...options, headers: { 'sec-fetch-site': 'cross-site' } })).status);
  }
  expect(statuses).toEqual([201, 200, 204, 204]);
});

describe('signing in', () => {
  const json = { token: TOKENS.ada };

  test.each(['cross-site', 'same-site', 'none', 'elsewhere', ''])(
    '[admin #3] from a page of another site (%j) is refused, whatever the token',
    async (site) => {
      const { ask, stored, log } = await createAdminApp();
      const headers = { 'sec-fetch-site': site, 'x-csrf': '1' };
      for (const token of [TOKENS.ada, 'wrong'])
        expectRefusal(await ask('POST /admin/session', { json: { token }, headers }), 401, 'unauthorized');
      expect(await stored()).toBe('[[],[],[]]');
      expect(JSON.stringify(log)).not.toContain('operator_refused');
    },
  );

  test('[admin #3] from a page of ours, or without a browser, needs no session and no x-csrf', async () => {
    const { ask } = await createAdminApp();
    expect((await ask('POST /admin/session', { json })).status).toBe(200);
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await ask('POST /admin/session', { json, headers })).status).toBe(200);
  });
});
