import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import type { PostRequest } from '../../../shared/ports/upstream.ts';
import {
  BASE_URL,
  conversation,
  createTestApp,
  found,
  NOW,
  post,
  postUpstreamReturning,
  upstreamFindingAll,
} from '../../support/test-app.ts';

describe('GET of a post', () => {
  test('[caching 4] the tag does not depend on the fetch time', async () => {
    const at = (fetchedAt: number) =>
      createTestApp({ upstream: { readPost: async () => ({ ...found(conversation('20')), fetchedAt }) as never } });
    const first = await at(1).get('/jack/status/20?format=json');
    const second = await at(999_999).get('/jack/status/20?format=json');
    expect(first.headers['etag']).toBe(second.headers['etag']);
    expect(first.body).not.toBe(second.body);
  });

  test('[inputs 1] [ids 6] ids are strings in JSON, and no number exceeds the safe integers of JavaScript', async () => {
    const { get } = createTestApp();
    const body = (await get('/jack/status/9007199254740993?format=json')).body;
    expect(body).toContain('"id":"9007199254740993"');
    expect(body).not.toMatch(/:\s*\d{17,}/);
  });

  test('[ids 9] the author and the URL come from the post, never from the request', async () => {
    const { get } = createTestApp();
    const answer = await get('/attacker_says/status/20?format=json');
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('attacker_says');
    expect(answer.json()).toMatchObject({ post: { url: 'https://x.com/jack/status/20' } });
  });

  test('[reading 4] the address of a picture on X shows that one whole, and only on the page', async () => {
    const media = ['a', 'b'].map(
      (name) => ({ type: 'photo', url: `https://pbs.twimg.com/media/${name}.jpg` }) as const,
    );
    const upstream = {
      readPost: async () => found({ ...conversation('20'), post: { ...post('20'), media } }),
    };
    const { get } = createTestApp({ upstream });
    const wholeOne = async (target: string): Promise<string | undefined> =>
      /class="whole"[^>]*><img src="[^"]*\/media\/(\w+)\.jpg/.exec(
        (await get(target, { headers: { accept: 'text/html' } })).body,
      )?.[1];
    expect(await wholeOne('/jack/status/20/photo/1')).toBe('a');
    expect(await wholeOne('/jack/status/20/photo/2')).toBe('b');
    for (const end of ['', '/photo/3', '/video/2', '/photo/2?download=1'])
      expect([end, await wholeOne(`/jack/status/20${end}`)]).toEqual([end, undefined]);
    expect((await get('/jack/status/20/photo/2?format=json')).json()).toMatchObject({ post: { media } });
  });

  test('thread and replies select the parts of the conversation', async () => {
    const upstream = {
      readPost: async () =>
        found({
          ...conversation('20'),
          ancestors: [post('10')],
          thread: [post('21'), post('22'), post('23')],
          replies: [post('30')],
        }),
    };
    const { get } = createTestApp({ upstream });
    const parts = async (query: string) => {
      const body = (await get(`/jack/status/20?format=json${query}`)).json();
      return ['ancestors', 'thread', 'replies'].map((name) => (body[name] as unknown[]).length);
    };
    expect(await parts('')).toEqual([1, 3, 1]);
    expect(await parts('&thread=off')).toEqual([0, 0, 1]);
    expect(await parts('&thread=2')).toEqual([1, 2, 1]);
    expect(await parts('&thread=full&replies=off')).toEqual([1, 3, 0]);
  });

  test('[lists 4] [lists 6] a post has all its figures, zeros too, unless metrics is off', async () => {
    const withReply = { ...conversation('20'), replies: [post('30')], thread: [post('21')] };
    withReply.post.metrics.quotes = 0;
    const { get } = createTestApp({ upstream: { readPost: async () => found(withReply) } });
    expect((await get('/jack/status/20')).body).toContain(' · 0 quotes');
    for (const query of ['', '&layout=unrolled&replies=top', '&format=obsidian']) {
      const { body } = await get(`/jack/status/20?metrics=off${query}`);
      expect(body).not.toMatch(/ · \d+ /);
    }
    const json = (await get('/jack/status/20?metrics=off&format=json')).json();
    expect(json).toMatchObject({ post: { metrics: { quotes: 0 } } });
    expect(json['markdown']).not.toMatch(/ · \d+ /);
  });

  test('[lists 5] long replies end as on the page, and the post and the posts before it are whole', async () => {
    const long = 'word '.repeat(200).trim();
    const readPost = async () =>
      found({
        ...conversation('20'),
        post: post('20', 'jack', long),
        ancestors: [post('10', 'ada', long)],
        thread: [post('21', 'jack', long)],
        replies: [post('30', 'ada', long)],
      });
    const { get } = createTestApp({ upstream: { readPost } });
    const { body } = await get('/jack/status/20');
    expect(body.split(long)).toHaveLength(4);
    expect(body).toContain(`word…\n\nRead on: <${BASE_URL}/ada/status/30>`);
    expect((await get('/jack/status/20?format=json')).json()).toMatchObject({ replies: [{ text: long }] });
  });

  test('format=obsidian returns a note with frontmatter', async () => {
    const { get } = createTestApp();
    const answer = await get('/jack/status/20?format=obsidian');
    expect(answer.body).toMatch(
      /^---\ntitle: "jack: just setting up my twttr"\nauthor: "jack"\nhandle: "jack"\nsource: "https:\/\/x\.com\/jack\/status\/20"\n/,
    );
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('inline; filename="jack - just setting up my twttr.md"');
    const headers = { 'if-none-match': answer.headers['etag'] ?? '' };
    const notModified = await get('/jack/status/20?format=obsidian', { headers });
    expect(notModified.status).toBe(304);
    expect(notModified.headers['content-disposition']).toBe(answer.headers['content-disposition']);
    expect((await get('/jack/status/20')).headers).not.toHaveProperty('content-disposition');
  });

  test.each([
    ['', 'top'],
    ['format=markdown', 'top'],
    ['layout=conversation', 'top'],
    ['format=obsidian', 'off'],
    ['layout=unrolled', 'off'],
    ['format=obsidian&replies=recent', 'recent'],
    ['layout=unrolled&replies=top', 'top'],
  ])('[threads 3] with ?%s the provider is asked for the replies %s', async (query, replies) => {
    const asked: string[] = [];
    const upstream = {
      readPost: async (request: PostRequest) => {
        asked.push(request.replies);
        return found(conversation('20'));
      },
    };
    const { get } = createTestApp({ upstream });
    expect((await get(`/jack/status/20?${query}`)).status).toBe(200);
    expect(asked).toEqual([replies]);
  });

  test('[threads 3] layout=unrolled returns the thread as one text on v1 route, permalink and alias', async () => {
    const ids = ['20', '21', '22'];
    const parts = ids.map((id, index) => ({
      ...post(id, 'jack', `Part ${id}`),
      ...(index > 0 && { in_reply_to: { handle: 'jack', id: ids[index - 1] ?? '' } }),
    }));
    const upstream = {
      readPost: async ({ id }: PostRequest) => {
        const at = ids.indexOf(id);
        const focal = parts[at] ?? post(id);
        return found({ post: focal, ancestors: parts.slice(0, at), thread: parts.slice(at + 1), replies: [] });
      },
    };
    const { get } = createTestApp({ upstream });
    const targets = ids.flatMap((id) => [
      `/jack/status/${id}?layout=unrolled`,
      `/api/v1/posts?handle=jack&id=${id}&layout=unrolled&format=markdown`,
      `/api/convert?handle=jack&id=${id}&layout=unrolled`,
    ]);
    const bodies = await Promise.all(targets.map(async (target) => (await get(target)).body));
    expect(bodies[0]).toMatch(/^# jack \(@jack\)\n\nPart 20\n\nPart 21\n\nPart 22\n\nThread of 3 posts · \[/);
    expect(new Set(bodies).size).toBe(1);
  });

  test('a page of layout=unrolled names its other formats without layout, which JSON does not have', async () => {
    const { get } = createTestApp();
    const { body } = await get('/jack/status/20?layout=unrolled', { headers: { accept: 'text/html' } });
    const links = [
      ...body.matchAll(/<link rel="alternate" type="(?:text\/markdown|application\/json)" href="([^"]+)"/g),
    ];
    expect(links).toHaveLength(2);
    for (const [, href = ''] of links)
      expect((await get(new URL(href).pathname + new URL(href).search)).status).toBe(200);
  });

  test('[text 11] invisible characters are removed from Markdown, kept in JSON text and counted in a warning', async () => {
    const upstream = {
      readPost: async () => found({ ...conversation('20'), post: post('20', 'jack', 'a\u202eb\u200bc') }),
    };
    const { get } = createTestApp({ upstream });
    expect((await get('/jack/status/20')).body).toContain('abc');
    const json = (await get('/jack/status/20?format=json')).json();
    expect(json).toMatchObject({
      post: { text: 'a\u202eb\u200bc' },
      warnings: [{ code: 'invisible_removed', message: expect.stringMatching(/^2 /) }],
    });
  });

  test('[caching 10] no request header except Accept changes the body', async () => {
    const { get } = createTestApp();
    const plain = (await get('/jack/status/20?format=json')).body;
    const names = `
      user-agent accept-language accept-encoding origin referer cookie x-forwarded-host x-forwarded-proto
      x-forwarded-for forwarded x-original-url x-rewrite-url x-http-method-override host via
      true-client-ip x-real-ip cf-connecting-ip x-host x-forwarded-server x-forwarded-port
      x-forwarded-prefix x-api-key x-api-version range if-match if-range save-data dnt sec-fetch-mode
      sec-fetch-site sec-fetch-dest sec-ch-ua te upgrade pragma cache-control x-requested-with
      x-csrf-token x-wap-profile x-amz-cf-id cloudfront-viewer-country x-viewer-ip x-country x-debug
      x-test prefer depth destination expect from max-forwards accept-charset accept-datetime date warning
      x-att-deviceid x-correlation-id traceparent x-request-id`
      .trim()
      .split(/\s+/);
    expect(names.length).toBeGreaterThanOrEqual(60);
    for (const name of names)
      expect((await get('/jack/status/20?format=json', { headers: { [name]: 'evil.example' } })).body).toBe(plain);
  });

  test('[headers 3] a request that the edge function could not normalize is answered and logged, only with the origin secret', async () => {
    const { get, log } = createTestApp();
    const headers = { 'X-Viewer-Error': '1' };
    expect((await get('/jack/status/20', { headers })).status).toBe(200);
    expect((await get('/jack/status/20', { headers, secret: 'guess' })).status).toBe(403);
    expect(log.map(({ event }) => event)).toEqual(['edge_error', 'request', 'request']);
    expect(log[0]).toEqual({ level: 'error', event: 'edge_error', request_id: log[1]?.['request_id'] });
  });

  test('[headers 1] [headers 3] without a configured base URL the viewer host is used and no other, and only with the origin secret', async () => {
    const { get } = createTestApp({ settings: { baseUrl: undefined }, upstream: upstreamFindingAll });
    const trusted = await get('/api/v1/posts', { headers: { 'x-viewer-host': 'viewer.example' } });
    expect(trusted.json()['type']).toMatch(/^https:\/\/viewer\.example\/docs\/errors#/);
    const forged = await get('/api/v1/posts', { headers: { 'x-viewer-host': 'viewer.example' }, secret: null });
    expect(forged.json()['type']).toMatch(/^https:\/\/api\.example\.test\/docs\/errors#/);
    const others = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const baseOf = async (host: string) => {
      const { type } = (await get('/api/v1/posts', { headers: { ...others, 'x-viewer-host': host } })).json();
      return String(type).split('/docs')[0];
    };
    for (const spelling of ['VIEWER.example', 'viewer.example.', 'viewer.example:443']) {
      expect(await baseOf(spelling)).toBe('https://viewer.example');
    }
    for (const nonsense of ['a b<script>', 'viewer.example:8443', '1.2.3.4', 'viewer', '-.example', 'a..example']) {
      expect(await baseOf(nonsense)).toBe('https://api.example.test');
    }
  });
});

/** Shared caches keep a post by the age of the newest post of the answer. */
const DAY = 86_400_000;
const SNOWFLAKE_EPOCH = 1_288_834_974_657;

/** The id of a post of this age. */
const idOfAge = (milliseconds: number): string => String(BigInt(NOW - milliseconds - SNOWFLAKE_EPOCH) << 22n);

const NEW = idOfAge(DAY);
const DAY_OLD = idOfAge(DAY + 1);
const MONTH_OLD = idOfAge(30 * DAY + 1);

const lifetime = async (target: string, value: Conversation, accept = '*/*'): Promise<string | undefined> => {
  const { get } = createTestApp({ upstream: postUpstreamReturning(found(value)) });
  return (await get(target, { headers: { accept } })).headers['cache-control'];
};

const kept = (seconds: number): string =>
  `public, max-age=60, s-maxage=${seconds}, stale-while-revalidate=3600, stale-if-error=86400`;

test.each([
  ['/jack/status/20', 'text/markdown'],
  ['/jack/status/20', 'application/json'],
  ['/jack/status/20', 'text/html'],
  ['/jack/status/20?format=obsidian', '*/*'],
  ['/api/v1/posts?handle=jack&id=20', 'application/json'],
  ['/api/v1/posts/lookup?ids=20', 'application/json'],
  ['/api/v1/oembed?url=https://x.com/jack/status/20', 'application/json'],
  ['/api/convert?url=https://x.com/jack/status/20', 'text/markdown'],
])('[caching 4] GET %s as %s is kept longer when the post is older', async (target, accept) => {
  expect(await lifetime(target, conversation(NEW), accept)).toBe(kept(300));
  expect(await lifetime(target, conversation(DAY_OLD), accept)).toBe(kept(3600));
  expect(await lifetime(target, conversation(MONTH_OLD), accept)).toBe(kept(21_600));
});

test.each(['ancestors', 'thread', 'replies'] as const)(
  '[caching 4] a post is kept no longer than the newest of its %s allows',
  async (member) => {
    const value = { ...conversation(MONTH_OLD), [member]: [post(NEW), post(DAY_OLD)] };
    expect(await lifetime('/jack/status/20', value)).toBe(kept(300));
  },
);

test('[caching 4] a lookup in which an old post is unavailable is kept as long as a new post', async () => {
  const { get } = createTestApp({ upstream: postUpstreamReturning({ kind: 'gone', reason: 'protected' }) });
  expect((await get(`/api/v1/posts/lookup?ids=${MONTH_OLD}`)).headers['cache-control']).toBe(kept(300));
});
