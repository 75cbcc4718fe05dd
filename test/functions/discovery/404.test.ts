import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

const OAUTH = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']
  .flatMap((name) => [name, `${name}/mcp`])
  .map((name) => `/.well-known/${name}`);

test.each(OAUTH)('[keys 14] %s returns 404, so that no client starts an OAuth sign-in', async (path) => {
  const { get } = createTestApp();
  for (const headers of [{}, { authorization: 'Bearer x' }, { accept: 'text/html' }]) {
    expectProblem(await get(path, { headers }), 404, 'route_not_found');
    const head = await get(path, { method: 'HEAD', headers });
    expect([head.status, head.body]).toEqual([404, '']);
  }
});
