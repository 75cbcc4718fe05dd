// Tests the redirects of permalinks with marks that chats leave behind the id.
import { describe, expect, test } from 'vitest';
import { permalinkPaths } from '../../../shared/contract/operations.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

const { get } = createTestApp({ upstream: upstreamNotCalled });

const withId = permalinkPaths
  .filter((path) => path.includes('{id}'))
  .map((path) =>
    path
      .replace('{handle}', 'Jack')
      .replace('{lang}', 'de')
      .replaceAll(/\{(?!id)[a-z]+\}/g, '1'),
  );

describe('[urls 18] marks behind an id', () => {
  // biome-ignore format: a list of marks
  const marks = [
    '||', '%7C%7C', ')', '%29', ',', '%2C', '*', '**', '%2A', '>', '%3E', '"', '%22', "'", '’', '%E2%80%9D', '»', '].', '.', ';', ':', '!', '。', '」', '`', '_', '~~', '||)',
  ];

  test.each(marks)('such as %s return 308 to the id', async (mark) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(`/jack/status/20${mark}`, { method });
      expect([status, headers['location']]).toEqual([308, '/jack/status/20']);
      expect(headers['cache-control']).toBe('public, max-age=3600, s-maxage=3600');
    }
  });

  test.each(withId)('of %s return 308 for every client, with the query', async (path) => {
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      const target = `${path.replace('{id}', '20%7C%7C')}?lang=de&x=%7C`;
      const { status, headers } = await get(target, { headers: { accept, 'user-agent': 'Discordbot/2.0' } });
      expect([status, headers['location']]).toEqual([308, `${path.replace('{id}', '20')}?lang=de&x=%7C`]);
    }
  });

  test.each(['20a', '20||a', '||20', '0||', '%7C', '20-1', '20%00', '20%20', '20%E0%A4'])(
    '%s is no id and returns 400',
    async (id) => void expectProblem(await get(`/jack/status/${id}`), 400, 'invalid_id'),
  );

  test('no other host is named, and the API keeps its problem', async () => {
    for (const target of ['//evil.example/status/20||', '/\\evil.example/status/20||', '/a%0d%0ab/status/20||'])
      expect((await get(target)).headers).not.toHaveProperty('location');
    expectProblem(await get('/api/v1/posts?handle=jack&id=20%7C%7C'), 400, 'invalid_id');
  });
});
