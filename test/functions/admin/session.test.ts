import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import {
  type AdminApp,
  createAdminApp,
  expectRefusal,
  HOUR,
  MINUTE,
  operators,
  TOKENS,
} from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';

const LOOPBACK = 'http://127.0.0.1:3000';
const WHO = 'GET /admin/session';

const seenAt = async ({ dynamo }: AdminApp): Promise<readonly number[]> =>
  (await itemsOf(dynamo, 'admin')).flatMap(({ seen }) => (seen?.N === undefined ? [] : [Number(seen.N)]));

describe('the session cookie', () => {
  test('[admin 2] is bound to the host and to HTTPS, and hidden from scripts and other sites', async () => {
    const { signIn } = await createAdminApp();
    const { answer } = await signIn('bob');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toEqual({ operator: 'bob', expires_at: '2026-11-21T20:00:00.000Z' });
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Host-admin_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
  });

  test.each([LOOPBACK, 'http://localhost:8080'])('[admin 2] has a name that %s may set', async (baseUrl) => {
    const { signIn } = await createAdminApp({ baseUrl });
    const { answer, send } = await signIn();
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^admin_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await send(WHO)).status).toBe(200);
    expect((await send('DELETE /admin/session')).cookies).toEqual([
      'admin_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
  });

  test('[admin 2] of HTTPS is not accepted over HTTP, nor the other way round, under either name', async () => {
    const secure = await createAdminApp();
    const plain = secure.another({ baseUrl: LOOPBACK });
    const [secureSession, plainSession] = [await secure.signIn(), await plain.signIn()];
    for (const name of ['admin_session', '__Host-admin_session']) {
      for (const secret of [secureSession.secret, plainSession.secret]) {
        const headers = { cookie: `${name}=${secret}` };
        const isRead = (app: AdminApp) => app.send(WHO, { headers }).then(({ status }) => status);
        expect([await isRead(secure), await isRead(plain)]).toEqual(name === 'admin_session' ? [401, 200] : [200, 401]);
      }
    }
  });

  test('[admin 2] is found among other cookies', async () => {
    const { send, signIn } = await createAdminApp();
    const { cookie } = await signIn();
    for (const all of [
      `a=b; ${cookie}`,
      `${cookie}; z=1`,
      `admin_session=x;${cookie};z=__Host-admin_session=x`,
      `__Host-admin_session2=x; ${cookie}`,
      `__Host-admin_session; ${cookie}`,
      `my__Host-admin_session=x; ${cookie}`,
      `a=__Host-admin_session=x; ${cookie}`,
    ])
      expect((await send(WHO, { headers: { cookie: all } })).status).toBe(200);
  });

  test('[admin 2] is a new secret for each sign-in, and only its hash is stored', async () => {
    const { signIn, stored, dynamo, log } = await createAdminApp();
    const visits = [await signIn(), await signIn(), await signIn('bob')];
    const secrets = visits.map(({ secret }) => secret);
    expect(new Set(secrets).size).toBe(3);
    expect(secrets.map((secret) => Buffer.from(secret, 'base64url').length)).toEqual([32, 32, 32]);
    const items = await itemsOf(dynamo, 'admin');
    for (const [index, secret] of secrets.entries()) {
      expect(items).toContainEqual({
        pk: { S: `session#${sha256Hex(secret)}` },
        at: { N: '0' },
        operator: { S: index === 2 ? 'bob' : 'ada' },
        credential: { S: sha256Hex(TOKENS[index === 2 ? 'bob' : 'ada']).slice(0, 16) },
        created: { N: String(Date.parse('2026-11-21T12:00:00Z')) },
        seen: { N: String(Date.parse('2026-11-21T12:00:00Z')) },
        x: { N: String(Date.parse('2026-11-21T20:00:00Z') / 1000) },
      });
    }
    const all = (await stored()) + JSON.stringify(log);
    for (const secret of [...secrets, ...Object.values(TOKENS)]) expect(all).not.toContain(secret);
  });

  test('[admin 2] is set only by a sign-in and deleted only by a sign-out', async () => {
    const { ada, signIn, createKey } = await createAdminApp();
    const { id } = await createKey();
    const { send } = await signIn();
    for (const operator of [ada, send]) {
      for (const line of [WHO, 'GET /api/admin/keys', 'GET /api/admin/usage', 'GET /admin'])
        expect((await operator(line)).cookies).toEqual([]);
      expect((await operator(`PATCH /api/admin/keys/${id}`, { json: { label: 'x' } })).cookies).toEqual([]);
    }
  });
});

describe('a session', () => {
  test('[admin 2] ends after 8 hours even if it is in use', async () => {
    const { signIn, clock } = await createAdminApp();
    const { send } = await signIn();
    for (let visit = 0; visit < 16; visit += 1) {
      clock.wait(29 * MINUTE);
      expect((await send(WHO)).status).toBe(200);
    }
    clock.wait(8 * HOUR - 16 * 29 * MINUTE - 1);
    expect((await send(WHO)).json()).toMatchObject({ expires_at: '2026-11-21T20:00:00.000Z' });
    clock.wait(1);
    expectRefusal(await send(WHO), 401, 'unauthorized');
  });

  test.each([
    [30 * MINUTE - 1, 200],
    [30 * MINUTE, 401],
    [HOUR, 401],
  ])('[admin 2] that is unused for %i ms is answered with %i', async (idle, status) => {
    const { signIn, clock } = await createAdminApp();
    const { send } = await signIn();
    clock.wait(idle);
    expect((await send(WHO)).status).toBe(status);
  });

  test('[admin 2] is not extended by rejected requests', async () => {
    const { send, signIn, clock } = await createAdminApp();
    const { cookie } = await signIn();
    for (const headers of [
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, authorization: 'Bearer' },
    ]) {
      clock.wait(15 * MINUTE);
      expectRefusal(await send(WHO, { headers }), 401, 'unauthorized');
    }
    expectRefusal(await send(WHO, { headers: { cookie } }), 401, 'unauthorized');
  });

  test('[admin 2] is written at most once per minute while it is in use', async () => {
    const app = await createAdminApp();
    const { send } = await app.signIn();
    const start = app.clock.now();
    const before = app.proxy.operations.length;
    const written = async (): Promise<number> =>
      app.proxy.operations.slice(before).filter((operation) => operation === 'UpdateItem').length;
    for (const [wait, seen, writes] of [
      [1000, start, 0],
      [MINUTE - 1001, start, 0],
      [1, start + MINUTE, 1],
      [MINUTE - 1, start + MINUTE, 1],
      [2, start + 2 * MINUTE + 1, 2],
    ] as const) {
      app.clock.wait(wait);
      await send(WHO);
      expect([await seenAt(app), await written()]).toEqual([[seen], writes]);
    }
  });

  test('[admin 2] ends on every instance at its sign-out, and other sessions continue', async () => {
    const app = await createAdminApp();
    const [first, second] = [await app.signIn(), await app.signIn()];
    const other = app.another();
    const headers = { cookie: first.cookie };
    expect((await other.send(WHO, { headers })).status).toBe(200);
    await first.send('DELETE /admin/session');
    for (const { send } of [first, other]) expectRefusal(await send(WHO, { headers }), 401, 'unauthorized');
    expectRefusal(await first.send('DELETE /admin/session'), 401, 'unauthorized');
    expect((await second.send(WHO)).status).toBe(200);
    expect(await app.stored()).not.toContain(sha256Hex(first.secret));
  });

  test.each([
    ['replaced', operators.map((one) => (one.name === 'ada' ? { ...one, tokenHash: sha256Hex('another') } : one))],
    ['removed', operators.filter(({ name }) => name === 'bob')],
  ])('[admin 2] ends when the token of its operator is %s, and other operators stay', async (_, changed) => {
    const app = await createAdminApp();
    const [ada, bob] = [await app.signIn('ada'), await app.signIn('bob')];
    const later = app.another({ operators: changed });
    expectRefusal(await later.send(WHO, { headers: { cookie: ada.cookie } }), 401, 'unauthorized');
    expectRefusal(await later.ada(WHO), 401, 'unauthorized');
    expect((await later.send(WHO, { headers: { cookie: bob.cookie } })).json()).toMatchObject({ operator: 'bob' });
    expect((await later.bob(WHO)).status).toBe(200);
  });

  test('[admin 2] does not limit a token, which has no end', async () => {
    const { bob, clock, stored } = await createAdminApp();
    expect((await bob(WHO)).status).toBe(200);
    clock.wait(24 * HOUR);
    expect((await bob(WHO)).status).toBe(200);
    expect(await stored()).toBe('[[],[],[]]');
  });

  test('[admin 2] is ignored when a valid token is sent with it', async () => {
    const { bob, signIn } = await createAdminApp();
    const { cookie } = await signIn('ada');
    expect((await bob(WHO, { headers: { cookie } })).json()).toEqual({ operator: 'bob', expires_at: null });
  });
});
