// Plants a fault between the verification and a running service: the check of the broken promise must fail.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { type Fault, type ProxiedAnswer, type ProxiedRequest, startFaultyProxy } from '../support/faulty-proxy.ts';
import { sampleOf } from '../support/full-form.ts';
import { localOptions, startSlowService } from '../support/local-service.ts';
import { faultsOf, namesOf, verify } from './support.ts';

let service: LocalService;
beforeAll(async () => {
  service = await startSlowService(localOptions(AMPLE_ALLOWANCES));
});
afterAll(() => service.close());

const without = (answer: ProxiedAnswer, ...names: readonly string[]): ProxiedAnswer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
});

const withHeaders = (answer: ProxiedAnswer, headers: ProxiedAnswer['headers']): ProxiedAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const withText = (answer: ProxiedAnswer, change: (text: string) => string): ProxiedAnswer => ({
  ...answer,
  body: Buffer.from(change(answer.body.toString())),
});

const isKeyed = ({ headers }: ProxiedRequest): boolean => /^bearer/i.test(String(headers['authorization'] ?? ''));
const isPost = ({ target }: ProxiedRequest): boolean =>
  target.startsWith('/api/v1/posts?url=https%3A%2F%2Fx.com%2Fi%2F');

/** Answers as a program that throws: a page of the platform. */
const htmlError = (status: number): ProxiedAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><h1>Bad request</h1></html>'),
});

let requests = 0;

/** The fault, its check, and the other checks that see it as well. */
const FAULTS: readonly (readonly [string, Fault, string, readonly string[]])[] = [
  [
    'Vary lacks Authorization',
    (_, answer) => withHeaders(answer, { vary: (answer.headers['vary'] ?? '').replace('Authorization, ', '') }),
    'vary-of-keys',
    [],
  ],
  [
    'Vary lacks Accept on posts',
    (asked, answer) => (isPost(asked) ? withHeaders(answer, { vary: 'Accept-Encoding' }) : answer),
    'vary-of-keys',
    ['alias-body'],
  ],
  [
    'an outage is reported as not found',
    (asked, answer) =>
      isPost(asked) && answer.status === 200 && asked.method === 'GET'
        ? {
            ...withHeaders(answer, { 'content-type': 'application/problem+json' }),
            status: 404,
            body: Buffer.from(
              JSON.stringify({
                type: 'about:blank',
                title: 'No',
                status: 404,
                code: 'post_not_found',
                resolution: 'Stop.',
                instance: '/',
              }),
            ),
          }
        : answer,
    'post',
    [
      'accept',
      'alias-body',

      'conditional-requests',
      'edge-normalizes',
      'format',
      'freshness',
      'head',
      'posts-ignore-keys',
      'same-bytes',
      'unknown-parameters',
      'variants',
    ],
  ],
  [
    'an error is HTML of the platform',
    (asked, answer) => (asked.target.startsWith('/api/v1/search?q=a&') ? htmlError(400) : answer),
    'problem-documents',
    ['common-headers', 'cors', 'page-security', 'unstored-errors', 'vary-of-keys', 'wrong-requests'],
  ],
  [
    '401 has a challenge',
    (_, answer) => (answer.status === 401 ? withHeaders(answer, { 'www-authenticate': 'Bearer' }) : answer),
    'no-challenge',
    [],
  ],
  [
    'a keyed answer is public',
    (asked, answer) =>
      isKeyed(asked) && answer.status === 401
        ? withHeaders(answer, { 'cache-control': 'public, max-age=30, s-maxage=60' })
        : answer,
    'unknown-key',
    ['malformed-key', 'mcp-refusals', 'unstored-errors'],
  ],
  [
    'the cache answers a request with a key',
    (asked, answer) =>
      isKeyed(asked) && asked.target.startsWith('/api/v1/profiles/')
        ? {
            ...withHeaders(answer, { 'x-cache': 'Hit from cloudfront', age: '12', 'x-api-key-status': 'anonymous' }),
            status: 200,
          }
        : answer,
    'unknown-key',
    [],
  ],
  [
    'CORS is missing on errors',
    (_, answer) => (answer.status >= 400 ? without(answer, 'access-control-allow-origin') : answer),
    'cors',
    [],
  ],
  [
    'Sunset is another date',
    (_, answer) =>
      'sunset' in answer.headers ? withHeaders(answer, { sunset: 'Tue, 15 Sep 2026 00:00:00 GMT' }) : answer,
    'lifecycle',
    [],
  ],
  [
    'v1 is deprecated',
    (asked, answer) =>
      asked.target.startsWith('/api/v1/search') ? withHeaders(answer, { deprecation: '@1789430400' }) : answer,
    'no-other-deprecation',
    [],
  ],
  [
    'the tag changes with each answer',
    (_, answer) => ('etag' in answer.headers ? withHeaders(answer, { etag: `W/"${++requests}"` }) : answer),
    'conditional-requests',
    ['alias-body', 'feeds', 'head', 'posts-ignore-keys', 'unknown-parameters'],
  ],
  [
    'HEAD has a body',
    (asked, answer) => (asked.method === 'HEAD' ? { ...answer, body: Buffer.from('{}') } : answer),
    'head',
    ['api-catalog', 'lifecycle', 'no-authorization-server'],
  ],
  [
    'HEAD is refused by the edge',
    (asked, answer) => (asked.method === 'HEAD' ? { ...answer, status: 403 } : answer),
    'head',
    ['api-catalog', 'no-authorization-server'],
  ],
  [
    'MCP lists no tools',
    (asked, answer) =>
      asked.body.includes('"tools/list"') && !asked.body.includes('"id":{}')
        ? withText(answer, () =>
            JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal error' } }),
          )
        : answer,
    'mcp-handshake',
    ['mcp-stateless'],
  ],
  [
    'MCP has lost a tool',
    (asked, answer) =>
      asked.body.includes('"tools/list"') && answer.status === 200
        ? withText(answer, (text) => text.replace('"name":"x_list_replies"', '"name":"x_other"'))
        : answer,
    'mcp-handshake',
    ['mcp-stateless'],
  ],
  [
    'the function of replies, quotes and reposts fails',
    (asked, answer) =>
      /^\/api\/v1\/posts\/\d+\/reposts/.test(asked.target)
        ? { ...withText(answer, () => '{"message":"Internal Server Error"}'), status: 500 }
        : answer,
    'engagements',
    ['no-server-errors', 'problem-documents', 'unstored-errors'],
  ],
  [
    'a public answer sets a cookie',
    (asked, answer) => (asked.target === '/docs' ? { ...answer, more: ['Set-Cookie: AWSALB=a'] } : answer),
    'no-cookies',
    [],
  ],
  [
    'all requests of a function have one id',
    ({ target }, answer) => withHeaders(answer, { 'x-request-id': `constant of ${target.split(/[/?]/)[3]}` }),
    'request-ids',
    [],
  ],
  [
    'the request id is the one that the caller sends',
    ({ headers }, answer) =>
      typeof headers['x-request-id'] === 'string'
        ? withHeaders(answer, { 'x-request-id': headers['x-request-id'] })
        : answer,
    'request-ids',
    [],
  ],
  [
    'User-Agent is lost before the edge function',
    ({ headers }, answer) =>
      String(headers['user-agent']).includes('Discordbot')
        ? withHeaders(answer, { 'content-type': 'text/markdown; charset=utf-8' })
        : answer,
    'link-previews',
    [],
  ],
  [
    'the page of a link preview is kept for every program',
    ({ target, headers }, answer) =>
      target === '/i/status/20' && headers['accept'] === '*/*'
        ? withHeaders(answer, { 'content-type': 'text/html; charset=utf-8' })
        : answer,
    'link-previews',
    ['page-security'],
  ],
  [
    'the post has another text',
    (asked, answer) =>
      isPost(asked) ? withText(answer, (text) => text.replaceAll('setting up my twttr', 'another text')) : answer,
    'post',
    ['same-bytes'],
  ],
  [
    'security.txt has expired',
    (asked, answer) =>
      asked.target === '/.well-known/security.txt'
        ? withText(answer, (text) => text.replace(/^Expires: .*/m, 'Expires: 2026-01-01T00:00:00Z'))
        : answer,
    'security-txt',
    [],
  ],
  [
    'an error repeats the key',
    (asked, answer) =>
      isKeyed(asked) && answer.status === 401 && asked.target.startsWith('/api/v1/profiles/')
        ? withText(answer, (text) => text.replace('"detail":"', `"detail":"${String(asked.headers['authorization'])} `))
        : answer,
    'no-secrets',
    [],
  ],
  [
    'an error repeats a key of the query',
    (asked, answer) =>
      asked.target.includes('api_key=')
        ? withText(answer, (text) => text.replace('"detail":"', `"detail":"${asked.target.split('api_key=')[1]} `))
        : answer,
    'no-secrets',
    [],
  ],
  [
    'the catalogs name another deployment',
    (asked, answer) =>
      asked.target === '/.well-known/ard.json'
        ? withText(answer, (text) => text.replaceAll(/http:\/\/[\d.:]+/g, 'https://staging.example'))
        : answer,
    'machine-surfaces',
    [],
  ],
  [
    'the function crashes on a wrong request',
    (asked, answer) =>
      asked.target.includes('feed=newest')
        ? {
            ...htmlError(500),
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"message":"Internal Server Error"}'),
          }
        : answer,
    'no-server-errors',
    ['common-headers', 'cors', 'problem-documents', 'unstored-errors', 'vary-of-keys', 'wrong-requests'],
  ],
  [
    'a page may load any script',
    (_, answer) =>
      'content-security-policy' in answer.headers
        ? withHeaders(answer, { 'content-security-policy': "default-src *; frame-ancestors 'none'" })
        : answer,
    'page-security',
    [],
  ],
  [
    'the documents have another version',
    (asked, answer) =>
      asked.target === '/mcp/server-card'
        ? withText(answer, (text) => text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'))
        : answer,
    'server-card',
    [],
  ],
  [
    'an alias has two Link lines',
    (asked, answer) =>
      asked.target.startsWith('/api/convert')
        ? { ...answer, more: ['link: <https://x.example>; rel="other"'] }
        : answer,
    'lifecycle',
    ['common-headers'],
  ],
];

describe('the verification', () => {
  test('finds no fault in the proxy itself', async () => {
    const findings = await verify(await startFaultyProxy(service.origin, (_, answer) => answer));
    expect(faultsOf(findings)).toBe('');
  });

  test.each(sampleOf(FAULTS))('finds that %s', async (_, fault, name, others) => {
    const findings = await verify(await startFaultyProxy(service.origin, fault));
    expect(namesOf(findings, 'fail').toSorted(), faultsOf(findings)).toEqual([name, ...others].toSorted());
  });
});
