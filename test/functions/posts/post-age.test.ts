// Tests how long shared caches keep a post, by the age of the newest post of the answer.
import { expect, test } from 'vitest';
import type { Conversation } from '../../../shared/model/resources.ts';
import { conversation, createTestApp, found, NOW, post, postUpstreamReturning } from '../../support/test-app.ts';

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
