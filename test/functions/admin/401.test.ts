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

const PATHS = [
  '/admin',
  '/admin/',
  '/admin/session/',
  '/admin/nope',
  '/admin/keys/1/2',
  '/admin/app.js/x',
  '/admin/app.js.map',
  '/admin/constructor',
  '/api/admin',
  '/api/admin/',
  '/api/admin/keys',
  '/api/admin/keys/',
  '/api/admin/keys/abcdefgh',
  '/api/admin/keys/abcdefgh/more',
  '/api/admin/keys/__proto__',
  '/api/admin/usage',
  '/api/admin/audit',
  '/api/admin/nope',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'constructor', 'PROPFIND'];

/** What is open to all, with another method. */
const CLOSED = [
  ...['/admin/app.js', '/admin/style.css'].flatMap((path) =>
    ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} ${path}`),
  ),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => `${method} /admin/session`),
];

const LINES = [...PATHS.flatMap((path) => METHODS.map((method) => `${method} ${path}`)), ...CLOSED];

/** Everybody hears the same, but for the path, which he knows. */
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
    resolution: 'Use the public routes listed in https://api.example.test/api.',
    instance: path,
  });
};

let callers = 0;

/** By somebody whom nobody has seen: who tries too often hears something else. */
const expectClosed = async (
  { ask }: Pick<AdminApp, 'ask'>,
  lines: readonly string[],
  headers: Record<string, string>,
) => {
  for (const line of lines) {
    callers += 1;
    const address = `198.51.${callers >> 8}.${callers & 255}`;
    expectNothing(line, await ask(line, { headers, address, json: { label: 'x' } }));
  }
};

test('[admin #1][admin #7][spec 5.8 #33] whoever has not signed in hears the same everywhere, and nothing is done', async () => {
  const made = await createAdminApp();
  const { id } = await made.createKey();
  const before = await made.stored();
  const own = [`PATCH /api/admin/keys/${id}`, `DELETE /api/admin/keys/${id}`, `GET /api/admin/keys/${id}`];
  await expectClosed(made, [...LINES, ...own], {});
  await expectClosed(made, LINES, { accept: 'application/json', origin: 'https://elsewhere.example', 'x-csrf': '1' });
  expect(await made.stored()).toBe(before);
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

describe('[admin #1] nobody is signed in', () => {
  const { ada } = TOKENS;

  test.each([
    'Bearer',
    'Bearer ',
    `Bearer ${ada} ${ada}`,
    `Bearer ${ada}, Bearer ${ada}`,
    `Bearer ${ada},`,
    `Bearer "${ada}"`,
    `Bearer ${ada}\u00e9`,
    `Bearer: ${ada}`,
    `Bearer\t${ada}`,
    `Basic ${ada}`,
    `Basic ${Buffer.from(`ada:${ada}`).toString('base64')}`,
    `Digest ${ada}`,
    `Bearerx ${ada}`,
    ada,
    '',
  ])('with the header Authorization: %s', async (authorization) => {
    const made = await createAdminApp();
    await expectClosed(made, SOME, { authorization });
    expect(await made.stored()).toBe('[[],[],[]]');
  });

  test.each([
    ['another', 'something-else'],
    ['the hash of one', sha256Hex(ada)],
    ['part of one', ada.slice(0, -1)],
    ['one in other letters', ada.toUpperCase()],
    ['one with something after it', `${ada}=`],
    ['the name of an operator', 'ada'],
    ['a name and a token', `ada=${ada}`],
  ])('by a token that is %s', async (_, token) => {
    const made = await createAdminApp();
    await expectClosed(made, SOME, { authorization: `Bearer ${token}` });
    const answer = await made.ask('POST /admin/session', { json: { token } });
    expectNothing('POST /admin/session', answer);
  });

  test('by the empty token, where no operator has that', async () => {
    const { ask } = await createAdminApp();
    expectNothing('POST /admin/session', await ask('POST /admin/session', { json: { token: '' } }));
  });

  test('by any token, where there are no operators', async () => {
    const made = await createAdminApp({ operators: [] });
    await expectClosed(made, SOME, { authorization: `Bearer ${ada}` });
    expectNothing('POST /admin/session', await made.ask('POST /admin/session', { json: { token: ada } }));
  });

  test('by a key, however good it is', async () => {
    const made = await createAdminApp();
    const { secret } = await made.createKey();
    await expectClosed(made, SOME, { authorization: `Bearer ${secret}` });
  });

  test('by a token in another place', async () => {
    const made = await createAdminApp();
    const elsewhere = {
      'x-api-key': ada,
      'x-authorization': `Bearer ${ada}`,
      cookie: `token=${ada}; authorization=${ada}`,
    };
    await expectClosed(made, SOME, elsewhere);
    await expectClosed(made, SOME, { cookie: `__Host-admin_session=${ada}` });
    callers += 1;
    expectNothing(
      'GET /api/admin/keys',
      await made.ask(`GET /api/admin/keys?token=${ada}&access_token=${ada}`, { address: `203.0.113.${callers & 255}` }),
    );
  });

  test('by a cookie that opens nothing', async () => {
    const made = await createAdminApp();
    const { secret } = await made.signIn();
    const csrf = { 'x-csrf': '1' };
    for (const cookie of [
      '',
      '__Host-admin_session=',
      '__Host-admin_session',
      '__Host-admin_session=x',
      `__Host-admin_session=${sha256Hex(secret)}`,
      `__Host-admin_session=${secret.slice(1)}`,
      `__Host-admin_session="${secret}"`,
      `__Host-admin_session= ${secret}`,
      `__host-admin_session=${secret}`,
      `admin_session=${secret}`,
      `session=${secret}`,
      `a__Host-admin_session=${secret}`,
      `__Host-admin_session2=${secret}`,
      `a=b; c=__Host-admin_session=${secret}`,
    ])
      await expectClosed(made, SOME, { ...csrf, cookie });
  });

  test('by a session that is over', async () => {
    const made = await createAdminApp();
    const { cookie } = await made.signIn();
    made.clock.wait(8 * HOUR);
    await expectClosed(made, SOME, { cookie, 'x-csrf': '1' });
  });

  test('by a wrong token, although there is a session', async () => {
    const made = await createAdminApp();
    const { cookie } = await made.signIn();
    for (const authorization of ['Bearer wrong', 'Bearer'])
      await expectClosed(made, SOME, { cookie, 'x-csrf': '1', authorization });
  });
});

test('[admin #1] a scheme in other letters and more than one blank are as good', async () => {
  const { ask } = await createAdminApp();
  for (const authorization of [`bearer ${TOKENS.ada}`, `BEARER   ${TOKENS.ada} `])
    expect((await ask('GET /api/admin/keys', { headers: { authorization } })).status).toBe(200);
});

test('[admin #7] no answer whatever may be read by a page of another origin', async () => {
  const { ada, ask, createKey } = await createAdminApp();
  const { id } = await createKey();
  const headers = { origin: 'https://elsewhere.example' };
  const preflight = { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-csrf' };
  const answers = [
    await ask('OPTIONS /api/admin/keys', { headers: preflight }),
    await ask('OPTIONS /admin/session', { headers: preflight }),
    await ada('OPTIONS /api/admin/keys', { headers: preflight }),
    await ask('GET /admin', { headers: { ...headers, accept: 'text/html' } }),
    await ask('GET /admin/app.js', { headers }),
    await ask('POST /admin/session', { headers, json: { token: TOKENS.ada } }),
    await ada('GET /api/admin/keys', { headers }),
    await ada('POST /api/admin/keys', { headers, json: { label: 'x' } }),
    await ada(`PATCH /api/admin/keys/${id}`, { headers, json: {} }),
    await ada(`DELETE /api/admin/keys/${id}`, { headers }),
    await ada('GET /api/admin/nope', { headers }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 405, 200, 200, 200, 200, 201, 200, 204, 404]);
  for (const answer of answers) {
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('[admin #1] who does not come through the front door is not let in, whatever he has', async () => {
  const { ada, stored } = await createAdminApp();
  for (const secret of ['', 'wrong', 'local,local']) {
    const answer = await ada('POST /api/admin/keys', { json: { label: 'x' }, headers: { 'x-origin-secret': secret } });
    expectRefusal(answer, 403, 'forbidden_origin');
  }
  expect(await stored()).toBe('[[],[],[]]');
});
