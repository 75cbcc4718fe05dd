import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import { windowAt } from '../../../shared/rate-limit/window.ts';
import {
  type AdminApp,
  type AdminRequestOptions,
  createAdminApp,
  expectRefusal,
  identify,
  MINUTE,
  TOKENS,
} from '../../support/admin-app.ts';
import { itemsOf } from '../../support/dynamodb.ts';
import { serverError } from '../../support/store-proxy.ts';

const ATTEMPTS = 10;
const WRONG = 'a-token-of-nobody';

const signIn = ({ ask }: AdminApp, address: string, token = WRONG) =>
  ask('POST /admin/session', { json: { token }, address });

const byBearer = ({ ask }: AdminApp, address: string, token = WRONG) =>
  ask('GET /api/admin/keys', { headers: { authorization: `Bearer ${token}` }, address });

type Attempt = typeof signIn;

const KINDS: readonly (readonly [string, Attempt])[] = [
  ['signing in', signIn],
  ['a header', byBearer],
];

const exhaust = async (made: AdminApp, address: string, attempt: Attempt = signIn): Promise<void> => {
  for (let index = 0; index < ATTEMPTS; index += 1) expectRefusal(await attempt(made, address), 401, 'unauthorized');
};

/** Seconds, as header and body say them alike. */
const expectTooMany = (answer: Awaited<ReturnType<Attempt>>): number => {
  const document = expectRefusal(answer, 429, 'rate_limited');
  const seconds = Number(answer.headers['retry-after']);
  expect(document['retry_after']).toBe(seconds);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(901);
  return seconds;
};

const HERE = '198.51.100.7';

describe.each(KINDS)('by %s', (_, attempt) => {
  test('[admin #4] ten wrong tokens are refused as wrong, and then the address has to wait', async () => {
    const made = await createAdminApp();
    await exhaust(made, HERE, attempt);
    const seconds = expectTooMany(await attempt(made, HERE));
    expect(expectTooMany(await attempt(made, HERE))).toBe(seconds);
    made.clock.wait((seconds - 1) * 1000 - 100);
    expectTooMany(await attempt(made, HERE));
    made.clock.wait(1100);
    expectRefusal(await attempt(made, HERE), 401, 'unauthorized');
    expect((await attempt(made, HERE, TOKENS.ada)).status).toBe(200);
  });

  test('[admin #4] other addresses go on', async () => {
    const made = await createAdminApp();
    await exhaust(made, HERE, attempt);
    expectTooMany(await attempt(made, HERE));
    expectRefusal(await attempt(made, '198.51.100.8'), 401, 'unauthorized');
    expect((await attempt(made, '198.51.100.8', TOKENS.bob)).status).toBe(200);
  });

  test('[admin #4] a right token costs nothing, before, between and after wrong ones', async () => {
    const made = await createAdminApp();
    const right = async () => expect((await attempt(made, HERE, TOKENS.ada)).status).toBe(200);
    for (let index = 0; index < 25; index += 1) await right();
    for (let index = 0; index < ATTEMPTS; index += 1) {
      expectRefusal(await attempt(made, HERE), 401, 'unauthorized');
      await right();
    }
    expectTooMany(await attempt(made, HERE));
  });

  test('[admin #4] while an address has to wait, no token of its is looked at', async () => {
    const made = await createAdminApp();
    await exhaust(made, HERE, attempt);
    expectTooMany(await attempt(made, HERE));
    const [asked, before] = [made.proxy.operations.length, await made.stored()];
    for (const token of [TOKENS.ada, WRONG]) expectTooMany(await attempt(made, HERE, token));
    expect(made.proxy.operations.slice(asked)).toEqual([]);
    expect(await made.stored()).toBe(before);
  });
});

test('[admin #4] tokens of both ways are counted together, on all instances', async () => {
  const made = await createAdminApp();
  const other = made.another();
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const attempt = index % 2 === 0 ? signIn : byBearer;
    expectRefusal(await attempt(index % 3 === 0 ? other : made, HERE), 401, 'unauthorized');
  }
  for (const instance of [made, other]) expectTooMany(await signIn(instance, HERE));
});

test.each([
  ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:2', '2001:db8:0:2::1'],
  ['::ffff:198.51.100.7', '198.51.100.7', '::ffff:198.51.100.8'],
  ['198.51.100.7:4711', '198.51.100.7', '198.51.100.9'],
  ['', 'unknown', '198.51.100.7'],
])('[admin #4] %j and %j are one caller, and %j is another', async (first, same, other) => {
  const made = await createAdminApp();
  await exhaust(made, first);
  expectTooMany(await signIn(made, same));
  expectRefusal(await signIn(made, other), 401, 'unauthorized');
});

test('[admin #4] what the caller says of his address is not believed', async () => {
  const made = await createAdminApp();
  for (let index = 0; index <= ATTEMPTS; index += 1) {
    const options: AdminRequestOptions = {
      json: { token: WRONG },
      headers: {
        'x-forwarded-for': `203.0.113.${index}`,
        'x-real-ip': `203.0.113.${index}`,
        forwarded: `for=${index}`,
      },
    };
    const answer = await made.ask('POST /admin/session', options);
    expect(answer.status).toBe(index < ATTEMPTS ? 401 : 429);
  }
});

test('[admin #4] a window is a quarter of an hour: what was wrong before it is forgotten', async () => {
  const made = await createAdminApp();
  const allowance = { count: ATTEMPTS, seconds: 900 };
  const { endsAt } = windowAt(made.clock.now(), allowance, `admin-login#a:${identify(HERE)}`);
  made.clock.set(endsAt - 1);
  await exhaust(made, HERE);
  expect(expectTooMany(await signIn(made, HERE))).toBe(1);
  for (let window = 0; window < 2; window += 1) {
    made.clock.set(endsAt + window * 15 * MINUTE);
    await exhaust(made, HERE);
    expect(expectTooMany(await signIn(made, HERE))).toBe(901);
    made.clock.wait(15 * MINUTE - 1);
    expect(expectTooMany(await signIn(made, HERE))).toBe(1);
  }
});

test('[admin #4] what presents no token costs nothing', async () => {
  const made = await createAdminApp();
  for (let index = 0; index < 2 * ATTEMPTS; index += 1) {
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Basic x' },
      { cookie: '__Host-admin_session=x' },
    ])
      expectRefusal(await made.ask('GET /api/admin/keys', { headers }), 401, 'unauthorized');
  }
  expectRefusal(await signIn(made, HERE), 401, 'unauthorized');
  expect(made.log.filter(({ event }) => event === 'operator_refused')).toHaveLength(1);
});

test('[admin #4] who has signed in before goes on, although his address has to wait', async () => {
  const made = await createAdminApp();
  const { ask } = await made.signIn();
  await exhaust(made, HERE);
  expectTooMany(await signIn(made, HERE));
  expect((await ask('GET /api/admin/keys')).status).toBe(200);
});

test('[admin #4] every wrong token is logged as that, and none is in the log or in what is stored', async () => {
  const made = await createAdminApp();
  for (const token of ['first-wrong-token', 'second-wrong-token']) {
    await signIn(made, HERE, token);
    await byBearer(made, HERE, token);
  }
  await signIn(made, HERE, TOKENS.ada);
  expect(made.log.filter(({ event }) => event === 'operator_refused')).toEqual(
    Array.from({ length: 4 }, () => ({ level: 'warn', event: 'operator_refused' })),
  );
  expect(JSON.stringify(await itemsOf(made.dynamo, 'counters'))).not.toContain(HERE);
  const all = (await made.stored()) + JSON.stringify(made.log);
  for (const text of ['wrong-token', sha256Hex('first-wrong-token'), sha256Hex(TOKENS.ada)])
    expect(all).not.toContain(text);
});

test('[admin #4][limiter #6] while the store does not answer, nobody is without a limit', async () => {
  const made = await createAdminApp();
  made.proxy.behave(serverError);
  for (let index = 0; index < 3; index += 1) expectRefusal(await signIn(made, HERE), 401, 'unauthorized');
  expectTooMany(await signIn(made, HERE));
  expectRefusal(await signIn(made, '198.51.100.8'), 401, 'unauthorized');
});
