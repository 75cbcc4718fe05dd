// Tests the life of a key: the changes by the operator, and that no key is ever shown.
import { describe, expect, test } from 'vitest';
import { BROWSE_TARGETS, routesOf, withQuery } from '../../support/browse-routes.ts';
import { createLimitedApp, createTestKey } from '../../support/limited-app.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, type TestResponse } from '../../support/test-app.ts';

const ROUTES = routesOf(BROWSE_TARGETS);

const expectInvalid = (answer: TestResponse): void => {
  expectProblem(answer, 401, 'invalid_key');
  expect(answer.headers).toMatchObject({ 'x-api-key-status': 'invalid', 'cache-control': 'private, no-store' });
};

describe('[keys 7] a change by the operator holds for the next request', () => {
  test.each(ROUTES)('to %s', async (route) => {
    const { headers, keys, change, delete: remove } = createTestKey();
    const { get } = createTestApp({ access: { keys } });
    const status = async (): Promise<string> => {
      const answer = await get(route, { headers });
      return `${answer.status} ${answer.headers['x-api-key-status']}`;
    };
    expect(await status()).toBe('200 valid');
    change({ state: 'disabled' });
    expect(await status()).toBe('401 invalid');
    expect(await status()).toBe('401 invalid');
    change({ state: 'enabled' });
    expect(await status()).toBe('200 valid');
    remove();
    expect(await status()).toBe('401 invalid');
  });

  test('with a key that was unknown before', async () => {
    const { headers, keys, change, delete: remove } = createTestKey();
    const { get } = createTestApp({ access: { keys } });
    remove();
    expectInvalid(await get('/jack', { headers }));
    change({});
    expect((await get('/jack', { headers })).headers['x-api-key-status']).toBe('valid');
  });

  test('at every instance: no instance caches the state of a key', async () => {
    const { headers, keys, change } = createTestKey();
    const [one, other] = [createTestApp({ access: { keys } }), createTestApp({ access: { keys } })];
    expect((await one.get('/jack', { headers })).status).toBe(200);
    change({ state: 'disabled' });
    expectInvalid(await other.get('/jack', { headers }));
    expectInvalid(await one.get('/jack', { headers }));
  });
});

test('[keys 12] neither a key nor its hash is sent or logged in any case', async () => {
  const { key, hash, headers, keys, change, delete: remove } = createTestKey();
  const { get, log, counters } = createLimitedApp({ access: { keys }, memoryMilliseconds: 60_000 });
  const told: unknown[] = [];
  const askAll = async (): Promise<void> => {
    for (const route of [...ROUTES, '/search', '/jack?limit=0', '/no-where', '/jack/status/20', '/api/v1/profiles']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) told.push(await get(route, { method, headers }));
      for (const wrong of [`${key}x`, `${key} ${key}`, `${key}, Bearer ${key}`])
        told.push(await get(route, { headers: { authorization: `Bearer ${wrong}` } }));
      told.push(await get(withQuery(route, `api_key=${key}`), { headers: { 'x-api-key': key, cookie: `key=${key}` } }));
    }
  };
  await askAll();
  change({ state: 'disabled' });
  await askAll();
  remove();
  await askAll();
  counters.fail(new Error(`no answer about ${hash}`));
  await askAll();
  const all = JSON.stringify([told, log, counters.calls]).toLowerCase();
  for (const secret of [key, key.slice('pstn_'.length), hash]) expect(all).not.toContain(secret.toLowerCase());
});
