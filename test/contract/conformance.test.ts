// Checks the answers to the route suite against /openapi.json. Every other test answer is checked by conformance.ts.
import { expect, test } from 'vitest';
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { conformanceErrors, operationAt, readPaths } from '../support/conformance.ts';
import { sendRequest, startTestService } from '../support/local-service.ts';
import { routeSuite } from '../support/route-suite.ts';

test('[discovery 8] every answer to the route suite conforms to /openapi.json', async () => {
  const { origin } = await startTestService(AMPLE_ALLOWANCES);
  for (const { target, headers = {}, status, code } of routeSuite) {
    const answer = await sendRequest(origin, target, { headers });
    expect([answer.status, status < 400 ? undefined : answer.json()['code']], target).toEqual([status, code]);
    expect(conformanceErrors('GET', target, answer), target).toEqual([]);
    const head = await sendRequest(origin, target, { method: 'HEAD', headers });
    expect(head.status, target).toBe(status);
    const { etag } = answer.headers;
    if (etag === undefined) continue;
    const revalidated = await sendRequest(origin, target, { headers: { ...headers, 'if-none-match': etag } });
    expect(revalidated.status, target).toBe(304);
  }
});

test('[discovery 8] the route suite covers every GET operation', () => {
  const covered = new Set(routeSuite.filter(({ status }) => status === 200).map(({ target }) => operationAt(target)));
  expect(Object.keys(readPaths).filter((path) => !covered.has(path))).toEqual([]);
});

const GOOD = {
  status: 200,
  headers: {
    'content-type': 'application/json',
    'x-request-id': 'a',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    vary: 'Accept-Encoding',
    etag: 'W/"a"',
    link: '<https://postern.example/api>; rel="service-meta"',
  },
  body: '{"linkset": []}',
};

test('[discovery 8] conformanceErrors reports undeclared media types, statuses, bodies and headers', () => {
  const errorsOf = (changes: object) => conformanceErrors('GET', '/.well-known/api-catalog', { ...GOOD, ...changes });
  const type = 'application/linkset+json';
  const headers = { ...GOOD.headers, 'content-type': type };
  expect(errorsOf({ headers })).toEqual([]);
  expect(errorsOf({}).join()).toContain('the type application/json is not declared');
  expect(errorsOf({ headers, status: 418 }).join()).toContain('418 is not declared');
  expect(errorsOf({ headers, body: '{}' }).join()).toContain("must have required property 'linkset'");
  expect(errorsOf({ headers: { ...headers, 'x-other': 'a' } }).join()).toContain('x-other is not declared');
  expect(errorsOf({ headers: { ...headers, etag: undefined } }).join()).toContain('ETag is missing');
  expect(errorsOf({ headers: { ...headers, etag: '"strong"' } }).join()).toContain('ETag');
});

test('[discovery 8] conformanceErrors reports the problem code of another operation', () => {
  const problem = { type: 'https://a.example', title: 'a', detail: 'a', resolution: 'a', instance: '/a' };
  const answer = {
    status: 404,
    headers: { ...GOOD.headers, 'content-type': 'application/problem+json', vary: 'Accept, Accept-Encoding' },
    body: JSON.stringify({ ...problem, status: 404, code: 'profile_not_found' }),
  };
  expect(conformanceErrors('GET', '/api/v1/posts', answer).join()).toContain(
    'the code profile_not_found is not declared',
  );
});
