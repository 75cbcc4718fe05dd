import { expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

test('[negotiation 5] GET with Accept image/png returns 406 with the offered types and Vary', async () => {
  const answer = await createTestApp().get('/api/v1/posts?handle=jack&id=20', { headers: { accept: 'image/png' } });
  expect(String(expectProblem(answer, 406, 'not_acceptable')['detail'])).toMatch(/text\/markdown.*application\/json/);
  expect(answer.headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' });
});

test('[negotiation 5] the Accept fields of browsers and link previews never return 406', async () => {
  const { get } = createTestApp();
  for (const accept of [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'text/html, */*',
    '*/*',
    'application/json, text/plain, */*',
  ]) {
    for (const route of ['/jack/status/20', '/api/v1/posts?handle=jack&id=20']) {
      expect((await get(route, { headers: { accept } })).status).toBe(200);
    }
  }
});

test('invalid parameters are reported before an unacceptable type', async () => {
  expectProblem(
    await createTestApp().get('/api/v1/posts', { headers: { accept: 'image/png' } }),
    400,
    'missing_parameter',
  );
});
