// Tests the redirects of the box through the whole local service: edge function, cache, API Gateway and function.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { type LocalRequestOptions, localOptions, sendRequest, startSlowService } from '../support/local-service.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let service: LocalService;
const get = (target: string, options?: LocalRequestOptions) => sendRequest(service.origin, target, options);

beforeAll(async () => {
  service = await startSlowService(localOptions());
});
afterAll(() => service.close());

describe('GET /?q= of the local service', () => {
  test('[pages 3] the shared cache has one redirect for all spellings of a text', async () => {
    const first = await get('/?q=low+tide', { headers: BROWSER });
    expect(first).toMatchObject({ status: 303, cache: 'Miss', headers: { location: '/search?q=low%20tide' } });
    for (const target of ['/?q=low%20tide', '/?utm_source=x&%71=%6cow+tide', '/?q=low+tide&lang=en']) {
      const again = await get(target, { headers: BROWSER });
      expect([target, again.status, again.cache]).toEqual([target, 303, 'Hit']);
      expect(again.headers.location).toBe('/search?q=low%20tide');
    }
    expect(await get('/?q=low+tide', { method: 'HEAD', headers: BROWSER })).toMatchObject({
      status: 303,
      cache: 'Hit',
      body: '',
      headers: { location: '/search?q=low%20tide', 'content-length': first.headers['content-length'] },
    });
    expect(await get('/', { headers: BROWSER })).toMatchObject({ status: 200, cache: 'Miss' });
    expect(await get('/?q=', { headers: BROWSER })).toMatchObject({ status: 200 });
  });

  test('[pages 3] a rejected link is not stored', async () => {
    for (const _ of [1, 2]) {
      const answer = await get('/?q=https%3A%2F%2Ft.co%2Fa');
      expect(answer).toMatchObject({ status: 400, cache: 'Miss', headers: { 'cache-control': 'no-store' } });
    }
    expect((await get('/?q=a&q=b')).json()).toMatchObject({ code: 'repeated_parameter' });
    for (const target of ['/?q=a', '/?q='])
      expect(await get(target, { method: 'POST' })).toMatchObject({
        status: 405,
        headers: { 'content-type': 'application/problem+json' },
      });
  });
});
