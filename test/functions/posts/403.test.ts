import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, postUpstreamReturning } from '../../support/test-app.ts';

test('[problems 4] GET of a post of a protected account returns 403 with the reason, never 401', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason: 'protected' }) });
  const answer = await get('/jack/status/20');
  expect(expectProblem(answer, 403, 'post_protected')).toMatchObject({ reason: 'protected' });
  expect(answer.headers['cache-control']).toBe('public, max-age=30, s-maxage=30');
});

test('GET without the origin secret returns 403 before any other check', async () => {
  for (const secret of [null, '', 'wrong', 'locall', 'loca']) {
    for (const route of ['/jack/status/20', '/api/v1/posts', '/no-pe', '/api']) {
      expectProblem(await createTestApp().get(route, { secret }), 403, 'forbidden_origin');
    }
  }
});

test('GET returns 403 when no origin secret is configured', async () => {
  for (const originSecrets of [[], ['']]) {
    expectProblem(
      await createTestApp({ settings: { originSecrets } }).get('/jack/status/20', { secret: '' }),
      403,
      'forbidden_origin',
    );
  }
});

test('both origin secrets are accepted during a rotation', async () => {
  const { get } = createTestApp({ settings: { originSecrets: ['new', 'old'] } });
  for (const secret of ['new', 'old']) expect((await get('/jack/status/20', { secret })).status).toBe(200);
});
