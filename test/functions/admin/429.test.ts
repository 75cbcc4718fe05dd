import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { windowAt } from '../../../shared/rate-limit/window.ts';
import { type AdminApp, createAdminApp, expectRefusal, identify, MINUTE, TOKENS } from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';
import { serverError } from '../../support/store-proxy.ts';

const ATTEMPTS = 10;
const WRONG = 'an-unknown-token';

const signIn = ({ send }: AdminApp, address: string, token = WRONG) =>
  send('POST /admin/session', { json: { token }, address });

const byBearer = ({ send }: AdminApp, address: string, token = WRONG) =>
  send('GET /api/admin/keys', { headers: { authorization: `Bearer ${token}` }, address });

type Attempt = typeof signIn;

const KINDS: readonly (readonly [string, Attempt])[] = [
  ['sign-in', signIn],
  ['header', byBearer],
];

const exhaust = async (app: AdminApp, address: string, attempt: Attempt = signIn): Promise<void> => {
  for (let index = 0; index < ATTEMPTS; index += 1) expectRefusal(await attempt(app, address), 401, 'unauthorized');
};

/** The seconds are the same in Retry-After and in the body. */
const expectTooMany = (answer: Awaited<ReturnType<Attempt>>): number => {
  const document = expectRefusal(answer, 429, 'rate_limited');
  const seconds = Number(answer.headers['retry-after']);
  expect(document['retry_after']).toBe(seconds);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(901);
  return seconds;
};

const HERE = '198.51.100.7';

describe.each(KINDS)('wrong tokens by %s', (_, attempt) => {
  test('[admin 4] get 401 ten times and then 429 with Retry-After until the window ends', async () => {
    const app = await createAdminApp();
    await exhaust(app, HERE, attempt);
    const seconds = expectTooMany(await attempt(app, HERE));
    expect(expectTooMany(await attempt(app, HERE))).toBe(seconds);
    expect((await attempt(app, '198.51.100.8', TOKENS.bob)).status).toBe(200);
    app.clock.wait((seconds - 1) * 1000 - 100);
    expectTooMany(await attempt(app, HERE));
    app.clock.wait(1100);
    expectRefusal(await attempt(app, HERE), 401, 'unauthorized');
    expect((await attempt(app, HERE, TOKENS.ada)).status).toBe(200);
  });

  test('[admin 4] are charged, and valid tokens between them are refunded', async () => {
    const app = await createAdminApp();
    const right = async () => expect((await attempt(app, HERE, TOKENS.ada)).status).toBe(200);
    for (let index = 0; index < 25; index += 1) await right();
    for (let index = 0; index < ATTEMPTS; index += 1) {
      await right();
      expectRefusal(await attempt(app, HERE), 401, 'unauthorized');
    }
    expectTooMany(await attempt(app, HERE));
  });

  test('[admin 4] spend the allowance, and then no token is checked', async () => {
    const app = await createAdminApp();
    await exhaust(app, HERE, attempt);
    expectTooMany(await attempt(app, HERE));
    const [operations, before] = [app.proxy.operations.length, await app.stored()];
    for (const token of [TOKENS.ada, WRONG]) expectTooMany(await attempt(app, HERE, token));
    expect(app.proxy.operations.slice(operations)).toEqual([]);
    expect(await app.stored()).toBe(before);
  });
});

test('[admin 4] a right token behind wrong ones that are sent at once gets 429, and ten of them are checked', async () => {
  const app = await createAdminApp();
  const other = app.another();
  const tokens = [...Array.from({ length: 40 }, () => WRONG), TOKENS.ada];
  const answers = await Promise.all(tokens.map((token, index) => signIn(index % 2 === 0 ? app : other, HERE, token)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(ATTEMPTS);
  expect(statuses.filter((status) => status === 429)).toHaveLength(tokens.length - ATTEMPTS);
});

test('[admin 4] wrong tokens in a header and in a sign-in share one allowance on all instances', async () => {
  const app = await createAdminApp();
  const other = app.another();
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const attempt = index % 2 === 0 ? signIn : byBearer;
    expectRefusal(await attempt(index % 3 === 0 ? other : app, HERE), 401, 'unauthorized');
  }
  for (const instance of [app, other]) expectTooMany(await signIn(instance, HERE));
});

test('[admin 4] headers that the client sends do not change its IP address', async () => {
  const app = await createAdminApp();
  for (let index = 0; index <= ATTEMPTS; index += 1) {
    const ip = `203.0.113.${index}`;
    const headers = { 'x-forwarded-for': ip, 'x-real-ip': ip, forwarded: `for=${ip}` };
    const answer = await app.send('POST /admin/session', { json: { token: WRONG }, headers });
    expect(answer.status).toBe(index < ATTEMPTS ? 401 : 429);
  }
});

test('[admin 4] the allowance of wrong tokens is renewed every 900 seconds', async () => {
  const app = await createAdminApp();
  const allowance = { count: ATTEMPTS, seconds: 900 };
  app.clock.set(windowAt(app.clock.now(), allowance, `admin-login#a:${identify(HERE)}`).endsAt);
  await exhaust(app, HERE);
  expect(expectTooMany(await signIn(app, HERE))).toBe(901);
  app.clock.wait(15 * MINUTE - 1);
  expect(expectTooMany(await signIn(app, HERE))).toBe(1);
});

test('[admin 4] a request without a token is not charged', async () => {
  const app = await createAdminApp();
  for (let index = 0; index < 2 * ATTEMPTS; index += 1) {
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Basic x' },
      { cookie: '__Host-admin_session=x' },
    ])
      expectRefusal(await app.send('GET /api/admin/keys', { headers }), 401, 'unauthorized');
  }
  expectRefusal(await signIn(app, HERE), 401, 'unauthorized');
  expect(app.log.filter(({ event }) => event === 'operator_refused')).toHaveLength(1);
});

test('[admin 4] a session stays valid while the IP address of its operator is rate limited', async () => {
  const app = await createAdminApp();
  const { send } = await app.signIn();
  await exhaust(app, HERE);
  expectTooMany(await signIn(app, HERE));
  expect((await send('GET /api/admin/keys')).status).toBe(200);
});

test('[admin 4] every wrong token is logged as operator_refused, and no token is logged or stored', async () => {
  const app = await createAdminApp();
  for (const token of ['first-wrong-token', 'second-wrong-token']) {
    await signIn(app, HERE, token);
    await byBearer(app, HERE, token);
  }
  await signIn(app, HERE, TOKENS.ada);
  expect(app.log.filter(({ event }) => event === 'operator_refused')).toEqual(
    Array.from({ length: 4 }, () => ({ level: 'warn', event: 'operator_refused' })),
  );
  expect(JSON.stringify(await itemsOf(app.dynamo, 'counters'))).not.toContain(HERE);
  const all = (await app.stored()) + JSON.stringify(app.log);
  for (const text of ['wrong-token', sha256Hex('first-wrong-token'), sha256Hex(TOKENS.ada)])
    expect(all).not.toContain(text);
});

test('[admin 4] [limiter 6] wrong tokens are counted in memory while the store does not answer', async () => {
  const app = await createAdminApp();
  app.proxy.behave(serverError);
  await exhaust(app, HERE);
  expectTooMany(await signIn(app, HERE));
  expectRefusal(await signIn(app, '198.51.100.8'), 401, 'unauthorized');
});
