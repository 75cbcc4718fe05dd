import { expect, test } from 'vitest';
import { also, routesOf, searchReads } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test('[31][57][43] a 10 kB address is a problem document, with a key for its holder alone', async () => {
  const { get } = house({ upstream: untouched });
  for (const route of routesOf(searchReads)) {
    const target = also(route, `x=${'%F0%9F%90%8B'.repeat(700)}`);
    const plain = await get(target);
    expectProblem(plain, 414, 'uri_too_long');
    expect(plain.headers['cache-control']).toBe('no-store');
    const keyed = await get(target, { headers: { authorization: 'Bearer x' } });
    expectProblem(keyed, 414, 'uri_too_long');
    expect(keyed.headers['cache-control']).toBe('private, no-store');
    for (const { headers } of [plain, keyed]) expect(headers).not.toHaveProperty('x-api-key-status');
  }
});
