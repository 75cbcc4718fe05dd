// Tests the shared cache with a virtual clock and an origin that counts its requests.
import { describe, expect, test } from 'vitest';
import type { OriginResponse } from '../../infra/local/api-gateway.ts';
import { createSharedCache, type FetchFromOrigin, freshnessOf } from '../../infra/local/shared-cache.ts';
import { clocksOf } from '../support/clocks.ts';

const POST = 'public, max-age=60, s-maxage=300, stale-while-revalidate=3600, stale-if-error=86400';
const MISSING = 'public, max-age=30, s-maxage=30';

const answer = (body: string, cacheControl = POST, status = 200): OriginResponse => ({
  status,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': cacheControl, ETag: `W/"${body}"`, Vary: 'Accept' },
  body: Buffer.from(body),
});

/** @param answers one per call; the last answer repeats */
const setUp = (...answers: readonly OriginResponse[]) => setUpWithin(undefined, answers);

const setUpWithin = (maxBytes: number | undefined, answers: readonly OriginResponse[]) => {
  let now = 0;
  const conditions: (string | undefined)[] = [];
  const cache = createSharedCache(clocksOf(() => now).clock, maxBytes);
  const ask: FetchFromOrigin = async (etag) => {
    const reply = answers[Math.min(conditions.length, answers.length - 1)];
    conditions.push(etag);
    if (reply === undefined) throw new Error('no answer is scripted');
    return reply;
  };
  const get = async (key = '/', ifNoneMatch?: string) => {
    const { status, headers, body } = await cache({ key, ifNoneMatch }, ask);
    return {
      status,
      headers,
      body: body.toString(),
      cache: String(headers['X-Cache']).split(' ')[0],
      age: headers.Age,
    };
  };
  const wait = (seconds: number): void => {
    now += seconds * 1000;
  };
  return { get, conditions, wait };
};

/** Waits until a background refresh has ended. */
const settle = () => new Promise((done) => setImmediate(done));

describe('freshness', () => {
  test.each([
    [POST, { fresh: 300_000, staleWhileRevalidate: 3_900_000, staleIfError: 86_700_000 }],
    ['max-age=10', { fresh: 10_000, staleWhileRevalidate: 10_000, staleIfError: 10_000 }],
    ['public, s-maxage=0, max-age=60', undefined],
    ['private, max-age=60', undefined],
    ['no-store', undefined],
    ['', undefined],
    [undefined, undefined],
    ['max-age=soon', undefined],
  ])('%s', (field, freshness) => {
    expect(freshnessOf(field)).toEqual(freshness);
  });
});

test('a fresh answer is served from the cache with its age', async () => {
  const { get, conditions, wait } = setUp(answer('one'), answer('two'));
  expect(await get()).toMatchObject({ body: 'one', cache: 'Miss', age: undefined });
  wait(299);
  expect(await get()).toMatchObject({ body: 'one', cache: 'Hit', age: '299' });
  expect(await get('/other')).toMatchObject({ body: 'two', cache: 'Miss' });
  expect(conditions).toHaveLength(2);
});

test('a stale answer is served at once and refreshed in the background', async () => {
  const { get, wait } = setUp(answer('one'), answer('two'));
  await get();
  wait(400);
  expect(await get()).toMatchObject({ body: 'one', cache: 'RefreshHit' });
  await settle();
  expect(await get()).toMatchObject({ body: 'two', cache: 'Hit' });
});

test('a confirmed answer is fresh again', async () => {
  const { get, conditions, wait } = setUp(answer('one'), { ...answer('one', POST, 304), body: Buffer.alloc(0) });
  await get();
  wait(5000);
  expect(await get()).toMatchObject({ status: 200, body: 'one', cache: 'RefreshHit', age: '0' });
  expect(conditions).toEqual([undefined, 'W/"one"']);
  expect(await get()).toMatchObject({ cache: 'Hit' });
});

describe('[caching 9] when the origin fails', () => {
  const down = answer('down', 'no-store', 503);

  test('a stale answer is served within stale-if-error', async () => {
    const { get, wait } = setUp(answer('one'), down);
    await get();
    wait(80_000);
    expect(await get()).toMatchObject({ status: 200, body: 'one', age: '80000' });
    wait(10_000);
    expect(await get()).toMatchObject({ status: 503, body: 'down', cache: 'Miss' });
  });

  test('other errors are not replaced by the stale answer', async () => {
    const { get, wait } = setUp(answer('one'), answer('no key', 'private, no-store', 401));
    await get();
    wait(80_000);
    expect(await get()).toMatchObject({ status: 401 });
  });

  test('a private answer is never served to other requests', async () => {
    const { get } = setUp(answer('mine', 'private, no-store'), down);
    await get();
    expect(await get()).toMatchObject({ status: 503 });
  });

  test('[caching 3] the error itself is not stored', async () => {
    const { get } = setUp(down, answer('one'));
    expect(await get()).toMatchObject({ status: 503 });
    expect(await get()).toMatchObject({ status: 200, cache: 'Miss' });
  });
});

test('[caching 16] a 404 is cached for 30 s', async () => {
  const { get, conditions, wait } = setUp(answer('none', MISSING, 404));
  await get();
  wait(29);
  expect(await get()).toMatchObject({ status: 404, cache: 'Hit' });
  wait(2);
  expect(await get()).toMatchObject({ status: 404, cache: 'Miss' });
  expect(conditions).toHaveLength(2);
});

test('a 404 of a deleted post replaces its stale copy', async () => {
  const { get, wait } = setUp(answer('one'), answer('gone', MISSING, 404), answer('down', 'no-store', 503));
  await get();
  wait(5000);
  expect(await get()).toMatchObject({ status: 404 });
  wait(60);
  expect(await get()).toMatchObject({ status: 503 });
});

describe('[caching 15] concurrent requests', () => {
  test('for one answer cause one origin request', async () => {
    const { get, conditions } = setUp(answer('one'));
    const all = await Promise.all(Array.from({ length: 50 }, () => get()));
    expect(conditions).toHaveLength(1);
    expect(new Set(all.map(({ body }) => body))).toEqual(new Set(['one']));
  });

  test('do not share a private answer', async () => {
    const { get, conditions } = setUp(answer('mine', 'private, no-store'));
    await Promise.all([get(), get(), get()]);
    expect(conditions).toHaveLength(3);
  });
});

describe('[caching 5] [caching 6] If-None-Match', () => {
  test.each(['W/"one"', '"one"', '"x", W/"one"', '*'])(
    '%s matches the stored answer: 304 with its headers',
    async (ifNoneMatch) => {
      const { get, conditions } = setUp(answer('one'));
      await get();
      const { status, headers, body } = await get('/', ifNoneMatch);
      expect({ status, body }).toEqual({ status: 304, body: '' });
      expect(headers).toMatchObject({ 'Cache-Control': POST, ETag: 'W/"one"', Vary: 'Accept' });
      expect(headers).not.toHaveProperty('Content-Type');
      expect(conditions).toHaveLength(1);
    },
  );

  test.each(['"two"', 'one', ''])('%s does not match', async (ifNoneMatch) => {
    const { get } = setUp(answer('one'));
    expect(await get('/', ifNoneMatch)).toMatchObject({ status: 200, body: 'one' });
  });

  test('does not change an error answer', async () => {
    const { get } = setUp(answer('none', MISSING, 404));
    await get();
    expect(await get('/', '*')).toMatchObject({ status: 404, body: 'none' });
  });
});

test('the cache has a bounded number of entries', async () => {
  const { get, conditions } = setUp(answer('one'));
  for (let key = 0; key <= 1000; key += 1) await get(String(key));
  expect(await get('1000')).toMatchObject({ cache: 'Hit' });
  expect(await get('0')).toMatchObject({ cache: 'Miss' });
  expect(conditions).toHaveLength(1002);
});

test('[running 3] stores at most the bytes of its share, and nothing that is larger', async () => {
  const large = { ...answer('large'), body: Buffer.alloc(1_000_000) };
  const { get, conditions } = setUpWithin(10_000_000, [large]);
  for (let index = 0; index < 10; index += 1) await get(`/${index}`);
  expect(await get('/1')).toMatchObject({ cache: 'Hit' });
  expect(await get('/0')).toMatchObject({ cache: 'Miss' });
  expect(conditions).toHaveLength(11);
  const tooLarge = setUpWithin(1_000_000, [large]);
  await tooLarge.get();
  expect(await tooLarge.get()).toMatchObject({ cache: 'Miss' });
});

test('keys and header fields count, too', async () => {
  const { get } = setUpWithin(1_000_000, [answer('small')]);
  const key = (index: number): string => `/${index}?q=${'a'.repeat(8000)}`;
  for (let index = 0; index < 100; index += 1) await get(key(index));
  expect(await get(key(0))).toMatchObject({ cache: 'Miss' });
  expect(await get(key(99))).toMatchObject({ cache: 'Hit' });
});

test('a thousand errors evict no answer, and an error replaces the answer of its own URL', async () => {
  const { get, conditions, wait } = setUp(answer('post'), answer('gone', MISSING, 404));
  await get('/post');
  for (let index = 0; index < 1100; index += 1) await get(`/unknown/${index}`);
  expect(await get('/post')).toMatchObject({ body: 'post', cache: 'Hit' });
  expect(await get('/unknown/1099')).toMatchObject({ status: 404, cache: 'Hit' });
  wait(4000);
  const before = conditions.length;
  expect(await get('/post')).toMatchObject({ status: 404, cache: 'Miss' });
  expect(await get('/post')).toMatchObject({ status: 404, cache: 'Hit' });
  expect(conditions).toHaveLength(before + 1);
});
