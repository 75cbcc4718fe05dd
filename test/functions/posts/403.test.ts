import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

test('[decision 5 #28] a post of a protected account is 403 with its reason, never 401', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason: 'protected' }) });
  const answer = await get('/jack/status/20');
  expect(expectProblem(answer, 403, 'post_protected')).toMatchObject({ reason: 'protected' });
  expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
});

test('a request that did not come through the edge is refused before anything else', async () => {
  for (const secret of [null, '', 'wrong', 'locall', 'loca']) {
    for (const route of ['/jack/status/20', '/api/v1/posts', '/no-pe', '/api']) {
      expectProblem(await createTestApp().get(route, { secret }), 403, 'forbidden_origin');
    }
  }
});

test('without a configured secret everything is refused', async () => {
  for (const originSecrets of [[], ['']]) {
    expectProblem(
      await createTestApp({ settings: { originSecrets } }).get('/jack/status/20', { secret: '' }),
      403,
      'forbidden_origin',
    );
  }
});

test('during a rotation both secrets are accepted', async () => {
  const { get } = createTestApp({ settings: { originSecrets: ['new', 'old'] } });
  for (const secret of ['new', 'old']) expect((await get('/jack/status/20', { secret })).status).toBe(200);
});
