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
