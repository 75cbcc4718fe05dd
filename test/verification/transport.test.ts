// Tests the checks of HTTPS and of the origins with a service that is reached over https.
import { expect, test } from 'vitest';
import type { Answer, Probe } from '../../shared/verification/answer.ts';
import { transportChecks } from '../../shared/verification/checks/transport.ts';
import type { Finding } from '../../shared/verification/run-checks.ts';
import { verify } from './support.ts';

type Reply = Pick<Answer, 'status'> & { readonly lines?: Answer['lines']; readonly body?: string };
type Respond = (origin: string, target: string, probe: Probe) => Reply;

const HSTS = ['strict-transport-security', 'max-age=63072000; includeSubDomains'] as const;
const FORBIDDEN: Reply = { status: 403, body: '{"code":"forbidden_origin"}' };

/** A deployment that keeps every promise. */
const keep: Respond = (origin, target) => {
  if (origin === 'http://a.example') return { status: 301, lines: [['location', `https://a.example${target}`]] };
  if (origin === 'https://origin.example') return FORBIDDEN;
  return { status: 200, lines: [HSTS], body: '' };
};

const findingOf = async (
  name: string,
  respond: Respond,
  { origin = 'https://a.example', directOrigin }: { origin?: string; directOrigin?: string } = {},
): Promise<Finding | undefined> => {
  const findings = await verify(
    origin,
    {
      ...(directOrigin !== undefined && { directOrigin: new URL(directOrigin) }),
      client: {
        countHeadBytes: async () => 0,
        sendProbe: async ({ origin: asked }, target, probe) => {
          const { status, lines = [], body = '' } = respond(asked, target, probe);
          return { target, probe, status, lines, body, bytes: body.length };
        },
      },
    },
    transportChecks,
  );
  return findings.find(({ check }) => check.name === name);
};

const plain =
  (reply: Reply): Respond =>
  (...asked) =>
    asked[0] === 'http://a.example' ? reply : keep(...asked);

test.each<readonly [string, Reply, string, readonly string[]]>([
  ...[301, 302, 307, 308].map(
    (status) =>
      [
        `a redirect with ${status}`,
        { status, lines: [['location', 'https://a.example/']] },
        'pass',
        [`http is ${status}`],
      ] as const,
  ),
  ['a refusal', { status: 403 }, 'pass', ['http is 403']],
  ['an answer', { status: 200 }, 'fail', ['http/docs is 200', 'http/api/admin/keys is 200']],
  [
    'an answer with the URL of https',
    { status: 200, lines: [['location', 'https://a.example/']] },
    'fail',
    ['http/docs is 200', 'http/api/admin/keys is 200'],
  ],
  [
    'a redirect to http',
    { status: 301, lines: [['location', 'http://b.example/']] },
    'fail',
    ['http/docs is 301', 'http/api/admin/keys is 301'],
  ],
  ['a redirect to nowhere', { status: 301 }, 'fail', ['http/docs is 301', 'http/api/admin/keys is 301']],
])('http that answers with %s', async (_, reply, result, seen) => {
  expect(await findingOf('https', plain(reply))).toMatchObject({ result, seen });
});

const withLines =
  (lines: Answer['lines']): Respond =>
  () => ({ status: 200, lines, body: '' });

const ABSENT = ['/docs', '/api', '/api/v1/search', '/api/convert'].map(
  (target) => `Strict-Transport-Security of ${target} is absent`,
);

test.each<readonly [string, Respond, string, readonly string[]]>([
  ['has the header field', keep, 'pass', ['on pages, documents and errors']],
  ['lacks the header field', withLines([]), 'fail', ABSENT],
])('a deployment that %s is verified for Strict-Transport-Security', async (_, respond, result, seen) => {
  expect(await findingOf('hsts', respond)).toMatchObject({ result, seen });
});

test.each([
  ['max-age=1000000', 'pass'],
  ['max-age=999999', 'fail'],
  ['max-age=0', 'fail'],
])('Strict-Transport-Security of %s: %s', async (value, result) => {
  const lines = [['strict-transport-security', value]] as const;
  expect((await findingOf('hsts', withLines(lines)))?.result).toBe(result);
});

test('the checks of https are skipped for an address without TLS', async () => {
  const found = [await findingOf('https', keep, { origin: 'http://b.example' })];
  found.push(await findingOf('hsts', keep, { origin: 'http://b.example' }));
  for (const finding of found) expect(finding).toMatchObject({ result: 'skip', seen: ['the address is not https'] });
});

const directOrigin = 'https://origin.example';

test('an origin is asked with and without a forged secret, and must refuse both', async () => {
  const asked: unknown[] = [];
  const finding = await findingOf(
    'direct-origin',
    (origin, target, probe) => {
      if (origin === directOrigin) asked.push([target, probe]);
      return keep(origin, target, probe);
    },
    { directOrigin },
  );
  expect(finding).toMatchObject({ result: 'pass', seen: ['403 forbidden_origin'] });
  const forged = { headers: { 'X-Origin-Secret': 'forged', 'X-Viewer-Ip': '192.0.2.1' } };
  expect(asked).toEqual(
    ['/api', '/', '/api/v1/search?q=a'].flatMap((target) => [{}, forged].map((probe) => [target, probe])),
  );
});

test('an origin that answers fails, and without an origin the check is skipped', async () => {
  const open = await findingOf('direct-origin', withLines([]), { directOrigin });
  expect(open?.seen.slice(0, 3)).toEqual([
    '/api of the origin is [200,null], expected [403,"forbidden_origin"]',
    '/api of the origin is [200,null], expected [403,"forbidden_origin"]',
    '/ of the origin is [200,null], expected [403,"forbidden_origin"]',
  ]);
  expect(await findingOf('direct-origin', keep)).toMatchObject({ result: 'skip', seen: ['no --origin'] });
});
