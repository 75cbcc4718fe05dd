// Tests lookups that are divided, with a fetch of the test, which counts and orders the requests.
import { describe, expect, test, vi } from 'vitest';
import { createClient, PosternError } from '../../client/src/index.ts';
import { MAX_LOOKUP_POSTS } from '../../shared/contract/bounds.ts';
import { problems } from '../../shared/contract/problem-rows.ts';

const BASE_URL = 'https://postern.example';

const idsOf = (url: string): readonly string[] => new URL(url).searchParams.get('ids')?.split(',') ?? [];

const problem = (code: 'upstream_failed' | 'invalid_id'): Response => {
  const { status, title, resolution } = problems[code];
  const document = { type: 'about:blank', code, status, title, resolution, detail: 'A sentence.', instance: '/' };
  return Response.json(document, { status, headers: { 'Content-Type': 'application/problem+json' } });
};

const bodyOf = (ids: readonly string[]) => ({
  source: ids.includes('81') ? 'none' : ids.includes('33') ? 'syndication, fxtwitter' : 'fxtwitter',
  fetched_at: `2027-01-01T00:00:${ids[0]?.padStart(2, '0')}Z`,
  warnings: [{ code: 'sample', message: 'The same in each answer.' }],
  posts: ids.map((id) => (id === '7' ? { id, unavailable: true, reason: 'deleted' } : { id, text: `post ${id}` })),
  markdown: `# ${ids.length} posts\n`,
});

/** @param answer for the ids of a request @default the posts */
const createTestClient = (answer: (ids: readonly string[]) => Response | undefined | Promise<Response | undefined>) => {
  const requests: (readonly string[])[] = [];
  const postern = createClient({
    baseUrl: BASE_URL,
    retry: false,
    fetch: async (url) => {
      const ids = idsOf(url);
      requests.push(ids);
      return (await answer(ids)) ?? Response.json(bodyOf(ids));
    },
  });
  return { postern, requests };
};

const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

describe('[releases 8] a lookup', () => {
  test('of as many posts as a request takes is one request', async () => {
    const { postern, requests } = createTestClient(() => undefined);
    const ids = range(1, MAX_LOOKUP_POSTS);
    expect(await postern.lookup(ids)).toEqual(bodyOf(ids));
    expect(requests).toEqual([ids]);
  });

  test('of more posts is divided, and its answer has each post once, in the order of the call', async () => {
    const waiting: (() => void)[] = [];
    const { postern, requests } = createTestClient(
      () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined))),
    );
    const ids = range(1, 85);
    const links = ids.map((id) => (id === '70' ? 'https://x.com/jack/status/70' : id));
    const result = postern.lookup([...links, '3', 'https://x.com/i/status/84']);
    await vi.waitFor(() => expect(waiting.length).toBe(3)); // three at the same time
    // The last of them is answered first.
    for (let answered = 0; answered < 5; answered += 1) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
      waiting.pop()?.();
    }
    const { posts, warnings, source, fetched_at, markdown } = await result;
    expect(posts.map(({ id }) => id)).toEqual(ids);
    expect(posts[6]).toEqual({ id: '7', unavailable: true, reason: 'deleted' });
    expect(requests.map((each) => each.length).toSorted()).toEqual([20, 20, 20, 20, 5]);
    expect(warnings).toEqual([{ code: 'sample', message: 'The same in each answer.' }]);
    expect([source, fetched_at]).toEqual(['fxtwitter, syndication', '2027-01-01T00:00:01Z']);
    expect(markdown.match(/# \d+ posts/g)).toEqual([
      '# 20 posts',
      '# 20 posts',
      '# 20 posts',
      '# 20 posts',
      '# 5 posts',
    ]);
  });

  test('keeps what it has read if a request fails, and its posts have the reason failed', async () => {
    const { postern } = createTestClient((ids) => (ids.includes('21') ? problem('upstream_failed') : undefined));
    const { posts, warnings, source } = await postern.lookup(range(1, 45));
    expect(posts.map(({ id }) => id)).toEqual(range(1, 45));
    expect(posts.filter((entry) => 'unavailable' in entry && entry.reason === 'failed').map(({ id }) => id)).toEqual(
      range(21, 40),
    );
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ['sample', 'The same in each answer.'],
      ['posts_failed', expect.stringMatching(/^20 posts could not be read\. A sentence\. .* \(502 upstream_failed\)$/)],
    ]);
    expect(source).toBe('fxtwitter');
  });

  test('throws the error of the first posts if every request fails', async () => {
    const { postern } = createTestClient(() => problem('upstream_failed'));
    await expect(postern.lookup(range(1, 45))).rejects.toThrow(PosternError);
  });

  test.each([
    ['a rejected request', () => problem('invalid_id'), 'invalid_id'],
    ['another error of fetch', () => Promise.reject(new Error('offline')), 'offline'],
  ])('ends with the error after %s, and sends no further request', async (_, failed, message) => {
    const { postern, requests } = createTestClient((ids) => (ids.includes('1') ? failed() : undefined));
    await expect(postern.lookup(range(1, 400))).rejects.toThrow(message);
    expect(requests.length).toBeLessThan(10);
  });

  test('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const { postern } = createTestClient(() => {
      controller.abort(new Error('enough'));
      return problem('upstream_failed');
    });
    await expect(postern.lookup(range(1, 45), { signal: controller.signal })).rejects.toThrow('enough');
  });
});
