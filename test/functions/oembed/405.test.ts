import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '[methods 3] %s on an oEmbed path returns 405 with Allow',
  async (method) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const path of ['/api/v1/oembed', '/oembed']) {
      const answer = await get(`${path}?url=x.com/jack/status/20`, { method });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
    }
  },
);
