import { describe, expect, test } from 'vitest';
import { expectLifecycle, linksOf } from '../../support/lifecycle-headers.ts';
import { createTestApp } from '../../support/test-app.ts';

const CONVERT = '/api/convert?url=https%3A%2F%2Fx.com%2Fjack%2Fstatus%2F20';

describe('lifecycle headers of /api/convert', () => {
  test('[lifecycle 7] [lifecycle 11] no parameter of /api/convert changes the lifecycle headers', async () => {
    const { get } = createTestApp();
    for (const query of [
      '',
      '?url=x.com/a/status/20',
      '?handle=a&id=20',
      '?handle=a',
      '?via=route',
      '?url=x.com/a/status/20&lifecycle=off&via=route',
      '?resource=profile',
    ]) {
      expectLifecycle(await get(`/api/convert${query}`), '/api/v1/posts');
    }
  });
});

test('[lifecycle 4] [lifecycle 15] GET /api/convert sends its links in one field, the successor without a query', async () => {
  const links = linksOf(await createTestApp().get(CONVERT));
  expect(links.refs.map(({ rel, uri }) => [rel, uri])).toEqual([
    ['successor-version', 'https://api.example.test/api/v1/posts'],
    ['deprecation', 'https://api.example.test/docs/versioning'],
    ['sunset', 'https://api.example.test/docs/versioning'],
  ]);
});

test('[lifecycle 15] [lifecycle 16] /api/convert and /api/v1/posts answer the same parameters with the same body', async () => {
  const { get } = createTestApp();
  for (const query of [
    'url=x.com/jack/status/20',
    'handle=jack&id=20&format=json',
    'handle=jack&id=20&format=obsidian',
    'url=x.com/jack/status/20&format=xml',
    '',
  ]) {
    const alias = await get(`/api/convert?${query}`);
    const successor = await get(`/api/v1/posts?${query}`);
    expect(alias.status).toBe(successor.status);
    expect(alias.body.replace('"/api/convert"', '"/api/v1/posts"')).toBe(successor.body);
    for (const name of ['content-type', 'etag', 'cache-control', 'vary'])
      expect(alias.headers[name]).toBe(successor.headers[name]);
  }
});

test('[lifecycle 13] [lifecycle 6] no input of /api/convert enters the Link field', async () => {
  const { get } = createTestApp();
  for (const hostileValue of [
    '>',
    '"',
    ',',
    ';',
    '%0d%0aX-Evil:1',
    'é',
    '<https://evil.example>;rel=successor-version',
  ]) {
    for (const query of [
      `url=${encodeURIComponent(hostileValue)}`,
      `handle=${encodeURIComponent(hostileValue)}&id=20`,
      `url=${hostileValue}`,
    ]) {
      expectLifecycle(
        await get(`/api/convert?${query}`, { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } }),
        '/api/v1/posts',
      );
    }
  }
});

test('[lifecycle 14] GET /docs/versioning returns HTML that states both dates', async () => {
  const answer = await createTestApp().get('/docs/versioning', { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('2026-09-15');
  expect(answer.body).toContain('2027-09-15');
});
