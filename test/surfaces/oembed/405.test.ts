import { expect, test } from 'vitest';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('[22][H8] %s is 405 with Allow', async (method) => {
  const { get } = house({ upstream: untouched });
  for (const path of ['/api/v1/oembed', '/oembed']) {
    const answer = await get(`${path}?url=x.com/jack/status/20`, { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
  }
});
