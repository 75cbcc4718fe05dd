import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../shared/auth/api-key.ts';
import {
  type AdminApp,
  type AdminResponse,
  createAdminApp,
  expectRefusal,
  HOUR,
  TOKENS,
} from '../../support/admin-app.ts';

// biome-ignore format: side by side they fit on a screen
const PATHS = [
  '/admin', '/admin/', '/admin/session/', '/admin/nope', '/admin/keys/1/2', '/admin/app.js/x', '/admin/app.js.map',
  '/admin/constructor', '/api/admin', '/api/admin/', '/api/admin/keys', '/api/admin/keys/', '/api/admin/keys/abcdefgh',
  '/api/admin/keys/abcdefgh/more', '/api/admin/keys/__proto__', '/api/admin/usage', '/api/admin/audit',
  '/api/admin/nope',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'constructor', 'PROPFIND'];

/** Public paths with a method that is not public. */
const CLOSED = [
  ...['/admin/app.js', '/admin/style.css'].flatMap((path) =>
    ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} ${path}`),
  ),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} /admin/session`),
];

const LINES = [...PATHS.flatMap((path) => METHODS.map((method) => `${method} ${path}`)), ...CLOSED];

/** Every answer is the same except its path, which the caller knows. */
const expectNothing = (line: string, answer: AdminResponse): void => {
  const [method, path] = line.split(' ');
  expect([line, answer.status]).toEqual([line, 401]);
  const { 'x-request-id': _, ...headers } = answer.headers;
  expect(headers).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.cookies).toEqual([]);
  if (method === 'HEAD') {
    expect(answer.body).toBe('');
    return;
  }
  expect(expectRefusal(answer, 401, 'unauthorized')).toEqual({
    type: 'https://api.example.test/docs/errors#unauthorized',
    title: 'This route is private',
    status: 401,
    code: 'unauthorized',
    detail: 'This route is private.',
    resolution: 'Find the public route in https://api.example.test/openapi.json.',
    instance: path,
  });
};

let callers = 0;

/** Each request comes from a new IP address, because repeated attempts get 429. */
const expectClosed = async (
  { send }: Pick<AdminApp, 'send'>,
  lines: readonly string[],
  headers: Record<string, string>,
) => {
  for (const line of lines) {
    callers += 1;
    const address = `198.51.${callers >> 8}.${callers & 255}`;
    expectNothing(line, await send(line, { headers, address, json: { label: 'x' } }));
  }
};

test('[admin 1] [admin 7] [problems 9] every path and method answers a caller without credentials with the same 401 and changes nothing', async () => {
  const app = await createAdminApp();
  const { id } = await app.createKey();
  const before = await app.stored();
  const keyLines = [`PATCH /api/admin/keys/${id}`, `DELETE /api/admin/keys/${id}`, `GET /api/admin/keys/${id}`];
  await expectClosed(app, [...LINES, ...keyLines], {});
  await expectClosed(app, LINES, { accept: 'application/json', origin: 'https://elsewhere.example', 'x-csrf': '1' });
  expect(await app.stored()).toBe(before);
});

const SOME = [
  'GET /api/admin/keys',
  'POST /api/admin/keys',
  'DELETE /api/admin/keys/abcdefgh',
  'GET /admin',
  'DELETE /admin/session',
  'OPTIONS /api/admin/nope',
  'HEAD /api/admin/audit',
];

describe('[admin 1] returns 401', () => {
  const { ada } = TOKENS;

  // biome-ignore format: side by side they fit on a screen
  const NO_TOKENS = [
    'Bearer', 'Bearer ', `Bearer ${ada} ${ada}`, `Bearer ${ada}, Bearer ${ada}`, `Bearer ${ada},`, `Bearer "${ada}"`,
    `Bearer ${ada}\u00e9`, `Bearer: ${ada}`, `Bearer\t${ada}`, `Basic ${ada}`,
    `Basic ${Buffer.from(`ada:${ada}`).toString('base64')}`, `Digest ${ada}`, `Bearerx ${ada}`, ada, '',
  ];

  test.each(NO_TOKENS)('when Authorization is %s', async (authorization) => {
    const app = await createAdminApp();
    await expectClosed(app, SOME, { authorization });
    expect(await app.stored()).toBe('[[],[],[]]');
  });

  test.each([
    ['unknown', 'something-else'],
    ['empty', ''],
    ['the hash of a valid token', sha256Hex(ada)],
    ['part of a valid token', ada.slice(0, -1)],
    ['a valid token in upper case', ada.toUpperCase()],
    ['a valid token with a suffix', `${ada}=`],
    ['the name of an operator', 'ada'],
    ['a name and a token', `ada=${ada}`],
  ])('when the token is %s', async (_, token) => {
    const app = await createAdminApp();
    await expectClosed(app, SOME, { authorization: `Bearer ${token}` });
    const answer = await app.send('POST /admin/session', { json: { token } });
    expectNothing('POST /admin/session', answer);
  });

  test('when no operators are configured', async () => {
    const app = await createAdminApp({ operators: [] });
    await expectClosed(app, SOME, { authorization: `Bearer ${ada}` });
    expectNothing('POST /admin/session', await app.send('POST /admin/session', { json: { token: ada } }));
  });

  test('when the token is a valid API key', async () => {
    const app = await createAdminApp();
    const { secret } = await app.createKey();
    await expectClosed(app, SOME, { authorization: `Bearer ${secret}` });
  });

  test('when the operator token is in another header, a cookie or the query', async () => {
    const app = await createAdminApp();
    const elsewhere = {
      'x-api-key': ada,
      'x-authorization': `Bearer ${ada}`,
      cookie: `token=${ada}; authorization=${ada}`,
    };
    await expectClosed(app, SOME, elsewhere);
    await expectClosed(app, SOME, { cookie: `__Host-admin_session=${ada}` });
    callers += 1;
    expectNothing(
      'GET /api/admin/keys',
      await app.send(`GET /api/admin/keys?token=${ada}&access_token=${ada}`, { address: `203.0.113.${callers & 255}` }),
    );
  });

  test('when the cookie is not a valid session cookie', async () => {
    const app = await createAdminApp();
    const { secret } = await app.signIn();
    const csrf = { 'x-csrf': '1' };
    const name = '__Host-admin_session';
    // biome-ignore format: side by side they fit on a screen
    const cookies = [
      '', `${name}=`, name, `${name}=x`, `${name}=${sha256Hex(secret)}`, `${name}=${secret.slice(1)}`,
      `${name}="${secret}"`, `${name}= ${secret}`, `${name.toLowerCase()}=${secret}`, `admin_session=${secret}`,
      `session=${secret}`, `a${name}=${secret}`, `${name}2=${secret}`, `a=b; c=${name}=${secret}`,
    ];
    for (const cookie of cookies) await expectClosed(app, SOME, { ...csrf, cookie });
  });

  test('when the session has ended', async () => {
    const app = await createAdminApp();
    const { cookie } = await app.signIn();
    app.clock.wait(8 * HOUR);
    await expectClosed(app, SOME, { cookie, 'x-csrf': '1' });
  });

  test('when the token is wrong, although the session is valid', async () => {
    const app = await createAdminApp();
    const { cookie } = await app.signIn();
    for (const authorization of ['Bearer wrong', 'Bearer'])
      await expectClosed(app, SOME, { cookie, 'x-csrf': '1', authorization });
  });
});

test('[admin 1] the scheme of Authorization is case-insensitive and may be followed by several spaces', async () => {
  const { send } = await createAdminApp();
  for (const authorization of [`bearer ${TOKENS.ada}`, `BEARER   ${TOKENS.ada} `])
    expect((await send('GET /api/admin/keys', { headers: { authorization } })).status).toBe(200);
});

test('[admin 7] [caching 18] a page of another origin gets no CORS headers, also with the token of an operator, and nothing is compressed', async () => {
  const { ada } = await createAdminApp();
  const headers = {
    origin: 'https://elsewhere.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-csrf',
    'accept-encoding': 'gzip, identity;q=0',
  };
  const statuses: number[] = [];
  for (const line of ['OPTIONS /api/admin/keys', 'GET /api/admin/keys', 'GET /admin/app.js', 'GET /api/admin/nope']) {
    const answer = await ada(line, { headers });
    statuses.push(answer.status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    // The length of a compressed answer would reveal what is secret in it.
    expect(answer.headers).not.toHaveProperty('content-encoding');
  }
  expect(statuses).toEqual([405, 200, 200, 404]);
});

test('[admin 1] every request without the origin secret gets 403 forbidden_origin', async () => {
  const { ada, stored } = await createAdminApp();
  for (const secret of ['', 'wrong', 'local,local']) {
    const answer = await ada('POST /api/admin/keys', { json: { label: 'x' }, headers: { 'x-origin-secret': secret } });
    expectRefusal(answer, 403, 'forbidden_origin');
  }
  expect(await stored()).toBe('[[],[],[]]');
});
