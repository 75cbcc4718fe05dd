// Tests the posts of a profile by kind and period.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import type { PageRequest, Upstream } from '../../../shared/ports/upstream.ts';
import { idsOf } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, found, page, post, user } from '../../support/test-app.ts';

const TARGET = '/api/v1/profiles/jack/posts';

const at = (id: string, created: string, members: Partial<Post> = {}): Post => ({
  ...post(id),
  created_at: created,
  ...members,
});

const providerOf = (pages: readonly (readonly Post[])[]) => {
  const requests: { readonly list: unknown; readonly page: PageRequest }[] = [];
  const listPosts: Upstream['listPosts'] = async (request, request_page) => {
    requests.push({ list: request, page: request_page });
    const index = Number(request_page.cursor ?? '0');
    return found(page(pages[index] ?? [], index + 1 < pages.length ? String(index + 1) : undefined));
  };
  return { requests, ...createTestApp({ upstream: { listPosts } }) };
};

const json = (query: string): string => `${TARGET}?format=json&${query}`;

describe('kind', () => {
  const reply = at('3', '2026-03-03T00:00:00Z', { in_reply_to: { handle: 'ada', id: '1' } });
  const photo = at('2', '2026-03-02T00:00:00Z', {
    media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }],
  });
  const article = at('1', '2026-03-01T00:00:00Z', { article: { title: 'T', blocks: [] } });
  const repost = at('5', '2026-03-05T00:00:00Z', { reposted_by: user('jack') });
  const foreign = { ...post('4', 'ada'), created_at: '2026-03-04T00:00:00Z' };
  const timeline = [[repost, foreign, reply, photo, article]];

  test.each([
    ['', ['2', '1']],
    ['kind=posts', ['2', '1']],
    ['kind=replies', ['3', '2', '1']],
    ['kind=media', ['2']],
    ['kind=articles', ['1']],
  ])('[lists 8] GET with %o returns the posts %j, never reposts or posts of others', async (query, ids) => {
    const { get, requests } = providerOf(timeline);
    expect(idsOf(await get(json(query)))).toEqual(ids);
    expect(requests[0]?.list).toMatchObject({ list: 'posts', handle: 'jack', kind: query.slice(5) || 'posts' });
  });
});

describe('since and until', () => {
  const days = (from: number, to: number): readonly Post[] =>
    Array.from({ length: from - to + 1 }, (_, index) => {
      const day = from - index;
      return at(String(day), `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`);
    });

  test.each([
    ['since=2026-03-03', ['5', '4', '3']],
    ['until=2026-03-03', ['2', '1']],
    ['since=2026-03-02&until=2026-03-04', ['3', '2']],
    ['since=2026-03-03T00:00:00.001Z', ['5', '4']],
    ['since=2026-03-03T01:00:00%2B01:00', ['5', '4', '3']],
    ['since=2026-03-03T01:00:00+01:00', ['5', '4', '3']],
    ['since=2026-04-01', []],
    ['since=&until=', ['5', '4', '3', '2', '1']],
  ])('[lists 8] %s: since is inclusive, until exclusive', async (query, ids) => {
    const { get } = providerOf([days(5, 1)]);
    expect(idsOf(await get(json(query)))).toEqual(ids);
  });

  // biome-ignore format: side by side they fit on a screen
  const NO_PERIODS = [
    'since=yesterday', 'since=2026-02-30', 'since=2026-13-01', 'since=2026-03-01T25:00:00Z',
    'since=2026-03-01T24:00:00Z', 'since=2026-03-01T00:00:00', 'until=20260301', 'until=0',
    'since=2026-03-02&until=2026-03-02', 'since=2026-03-03&until=2026-03-02', 'since=2026-03-01&since=2026-03-02',
  ];

  test.each(NO_PERIODS)('[lists 8] %s returns 400 that names the parameter', async (query) => {
    const { get } = providerOf([]);
    const answer = await get(json(query));
    expect(answer.status).toBe(400);
    expect(answer.json()['errors']).toMatchObject([{ parameter: expect.stringMatching(/^(?:since|until)$/) }]);
  });

  test('the list ends with the first provider page before since, also if a pinned post is older', async () => {
    const pinned = at('900', '2020-01-01T00:00:00Z');
    const { get, requests } = providerOf([[pinned, ...days(9, 8)], days(7, 4), days(3, 2), days(1, 1)]);
    const answer = await get(json('since=2026-03-05&limit=100'));
    expect(idsOf(answer)).toEqual(['9', '8', '7', '6', '5']);
    expect(answer.json()).not.toHaveProperty('next_cursor');
    expect(requests).toHaveLength(3);
  });

  test('a pinned post that is the only own post among reposts does not end the list', async () => {
    const pinned = at('900', '2020-01-01T00:00:00Z');
    const repost = { ...post('901', 'ada'), created_at: '2026-03-09T00:00:00Z', reposted_by: user('jack') };
    const { get } = providerOf([[pinned, repost], [repost], days(7, 4), days(3, 2)]);
    const answer = await get(json('since=2026-03-05&limit=100'));
    expect(idsOf(answer)).toEqual(['7', '6', '5']);
    expect(answer.json()).not.toHaveProperty('next_cursor');
  });

  test('[problems 4] an until that every source refuses returns 400 that names it', async () => {
    const { get } = createTestApp({ upstream: { listPosts: async () => ({ kind: 'refused', why: 'LEAKY' }) } });
    const answer = await get(json('until=2009-01-01'));
    expect(expectProblem(answer, 400, 'invalid_parameter')).toMatchObject({ errors: [{ parameter: 'until' }] });
    expect(answer.body).not.toContain('LEAKY');
    expectProblem(await get(json('since=2009-01-01')), 502, 'upstream_failed');
  });

  test('a post without an instant is in no period', async () => {
    const { created_at: _, ...undated } = post('7');
    const { get } = providerOf([[undated, ...days(2, 2)]]);
    expect(idsOf(await get(json('since=2026-01-01')))).toEqual(['2']);
    expect(idsOf(await get(json('')))).toEqual(['7', '2']);
  });

  test('[lists 8] a cursor belongs to its kind and period', async () => {
    const { get } = providerOf([days(9, 5), days(4, 1)]);
    const { next_cursor: cursor } = (await get(json('since=2026-03-01&limit=2'))).json();
    expect((await get(json(`since=2026-03-01T00:00:00Z&limit=2&cursor=${cursor}`))).status).toBe(200);
    for (const query of ['', 'since=2026-03-02', 'since=2026-03-01&until=2027-01-01', 'kind=replies&since=2026-03-01'])
      expectProblem(await get(json(`${query}&cursor=${cursor}`)), 400, 'invalid_cursor');
  });
});
