import { expect, test } from 'vitest';
import { allowanceOf, BROWSE_TARGETS, routesOf } from '../../support/browse-routes.ts';
import { counterStoreNotCalled, keyReaderNotCalled } from '../../support/limited-app.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const nothingAsked = {
  upstream: upstreamNotCalled,
  access: { keys: keyReaderNotCalled, counters: counterStoreNotCalled },
};

test('[cors 3] [keys 9] [allowances 5] a preflight names Authorization and the methods, and calls no store or provider', async () => {
  const { get } = createTestApp(nothingAsked);
  for (const route of routesOf(BROWSE_TARGETS)) {
    for (const authorization of [undefined, 'Bearer x']) {
      const { status, headers, body } = await get(route, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
          ...(authorization !== undefined && { authorization }),
        },
      });
      expect({ status, body }).toEqual({ status: 204, body: '' });
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': expect.stringMatching(/(?:^|, )Authorization(?:,|$)/),
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      });
      expect(headers).not.toHaveProperty('x-api-key-status');
      expect(headers).not.toHaveProperty('ratelimit');
    }
  }
});

test('[allowances 2] a preflight has RateLimit-Policy', async () => {
  const { get } = createTestApp(nothingAsked);
  for (const read of BROWSE_TARGETS) {
    for (const route of routesOf([read])) {
      const { headers } = await get(route, { method: 'OPTIONS' });
      expect(headers['ratelimit-policy']).toBe(`"${allowanceOf(read)}";q=1000000;w=60`);
    }
  }
});
