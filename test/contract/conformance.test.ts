// Answers are what /openapi.json says: of the whole route suite here, and of every other answer that a test gets.
import { expect, test } from 'vitest';
import { conformanceErrors, operationAt, readPaths } from '../support/conformance.ts';
import { sendRequest, startTestService } from '../support/local-service.ts';
import { routeSuite } from '../support/route-suite.ts';

const GENEROUS = { ALLOWANCE_SEARCH_ANONYMOUS: '10000/60', ALLOWANCE_BROWSE: '10000/60' };

test('[spec 9.2 #82] every operation answers as /openapi.json declares, in every form and with every problem of the suite', async () => {
  const { origin } = await startTestService(GENEROUS);
  for (const { target, headers = {}, status, code } of routeSuite) {
    const answer = await sendRequest(origin, target, { headers });
    expect([answer.status, status < 400 ? undefined : answer.json()['code']], target).toEqual([status, code]);
    expect(conformanceErrors('GET', target, answer), target).toEqual([]);
    const head = await sendRequest(origin, target, { method: 'HEAD', headers });
    expect(head.status, target).toBe(status);
    const { etag } = answer.headers;
    if (etag === undefined) continue;
    const again = await sendRequest(origin, target, { headers: { ...headers, 'if-none-match': etag } });
    expect(again.status, target).toBe(304);
  }
});

test('[spec 9.2 #82] the suite leaves out no operation', () => {
  const asked = new Set(routeSuite.filter(({ status }) => status === 200).map(({ target }) => operationAt(target)));
  expect(Object.keys(readPaths).filter((path) => !asked.has(path))).toEqual([]);
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

test('[spec 9.2 #82] what is not declared is found out', () => {
  const faults = (changes: object) => conformanceErrors('GET', '/.well-known/api-catalog', { ...GOOD, ...changes });
  const type = 'application/linkset+json';
  const headers = { ...GOOD.headers, 'content-type': type };
  expect(faults({ headers })).toEqual([]);
  expect(faults({}).join()).toContain('the type application/json is not declared');
  expect(faults({ headers, status: 418 }).join()).toContain('418 is not declared');
  expect(faults({ headers, body: '{}' }).join()).toContain("must have required property 'linkset'");
  expect(faults({ headers: { ...headers, 'x-other': 'a' } }).join()).toContain('x-other is not declared');
  expect(faults({ headers: { ...headers, etag: undefined } }).join()).toContain('ETag is missing');
  expect(faults({ headers: { ...headers, etag: '"strong"' } }).join()).toContain('ETag');
});

test('[spec 9.2 #82] a code of another operation is found out', () => {
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
