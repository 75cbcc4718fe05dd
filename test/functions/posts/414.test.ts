import { test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp } from '../../support/test-app.ts';

test('[problems 7] [bounds 2] GET with a URL of 10 kB returns 414 with a problem document', async () => {
  const { get } = createTestApp();
  expectProblem(await get(`/api/v1/posts?url=${'x'.repeat(10_000)}`), 414, 'uri_too_long');
  expectProblem(await get(`/${'x'.repeat(10_000)}`), 414, 'uri_too_long');
  expectProblem(await get(`/${'%C3%A9'.repeat(1400)}`), 414, 'uri_too_long');
});

test('[urls 13] GET with a url parameter of more than 2,048 characters returns 400 invalid_url', async () => {
  expectProblem(
    await createTestApp().get(`/api/v1/posts?url=https://x.com/jack/status/20?${'x'.repeat(2100)}`),
    400,
    'invalid_url',
  );
});
