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

test('no document contains an unfilled placeholder', async () => {
  const { get } = createTestApp();
  for (const route of ['/api', '/docs', '/docs/errors', '/docs/versioning', '/no-pe']) {
    for (const accept of ['text/html', 'text/markdown'])
      expect((await get(route, { headers: { accept } })).body).not.toMatch(/(?:\{|%7B)base_url/);
  }
});
