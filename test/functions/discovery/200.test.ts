import { expect, test } from 'vitest';
import { problems } from '../../../shared/contract/problems.ts';
import { createTestApp } from '../../support/test-app.ts';

test('[problems 3] the type of every problem leads to a section that explains it', async () => {
  const page = await createTestApp().get('/docs/errors', { headers: { accept: 'text/html' } });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  for (const [code, { title, resolution }] of Object.entries(problems)) {
    expect(page.body).toContain(`<h2 id="${code}">`);
    expect(page.body).toContain(title);
    expect(page.body).toContain(
      resolution.replace('{base_url}', 'https://api.example.test').replace(/"/g, '&quot;').split('{')[0]?.slice(0, 40),
    );
  }
});

test('the documentation is HTML unless Accept prefers Markdown', async () => {
  const { get } = createTestApp();
  const type = async (accept: string | undefined) =>
    (await get('/docs', { headers: accept === undefined ? {} : { accept } })).headers['content-type'];
  expect(await type(undefined)).toBe('text/html; charset=utf-8');
  expect(await type('*/*')).toBe('text/html; charset=utf-8');
  expect(await type('text/markdown')).toBe('text/markdown; charset=utf-8');
  expect(await type('text/markdown;q=0.5, text/html')).toBe('text/html; charset=utf-8');
  expect((await get('/docs', { headers: { accept: 'image/png' } })).status).toBe(406);
});

test('/api lists the routes and the lifecycle with both dates', async () => {
  const answer = await createTestApp().get('/api');
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['cache-control']).toBe('public, max-age=3600, s-maxage=3600');
  expect(answer.json()).toMatchObject({
    base_url: 'https://api.example.test',
    versioning: {
      current_major_version: 'v1',
      supported_versions: ['v1'],
      minimum_support_window_months: 12,
      deprecated_aliases: [
        {
          operation_id: 'convert',
          path: '/api/convert',
          deprecation: '2026-09-15T00:00:00Z',
          sunset: '2027-09-15T00:00:00Z',
          successor: '/api/v1/posts',
        },
        {
          operation_id: 'browse',
          path: '/api/browse',
          deprecation: '2026-09-15T00:00:00Z',
          sunset: '2027-09-15T00:00:00Z',
          successor_parameter: 'resource',
          successors: {
            profile: '/api/v1/profiles/{handle}',
            followers: '/api/v1/profiles/{handle}/followers',
            following: '/api/v1/profiles/{handle}/following',
            search: '/api/v1/search',
          },
        },
      ],
    },
  });
});

test('no document contains an unfilled placeholder', async () => {
  const { get } = createTestApp();
  for (const route of ['/api', '/docs', '/docs/errors', '/docs/versioning', '/no-pe']) {
    for (const accept of ['text/html', 'text/markdown'])
      expect((await get(route, { headers: { accept } })).body).not.toMatch(/(?:\{|%7B)base_url/);
  }
});
