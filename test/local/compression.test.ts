// Tests compressed answers of the whole local service: edge function, cache, API Gateway and function.
import { describe, expect, test } from 'vitest';
import { normalAcceptEncoding } from '../../infra/local/cloudfront.ts';
import { startTestService } from '../support/local-service.ts';

/** A thread of the sample with several kB of Markdown. */
const THREAD = '/ada_larsson/status/2034932961899447678';

describe('Accept-Encoding as CloudFront normalizes it with gzip and Brotli enabled', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br,gzip'],
    ['br;q=0.1, gzip', 'br,gzip'],
    ['br', 'br'],
    ['gzip;q=0, br', 'br'],
    ['*', 'br,gzip'],
  ])('%o: %o', (field, normal) => {
    expect(normalAcceptEncoding(field)).toBe(normal);
  });
});

describe('[caching 18] the shared cache', () => {
  test('has one entry per normalized Accept-Encoding', async () => {
    const { get } = await startTestService();
    const ask = async (field?: string) => {
      const { headers, body, cache } = await get(
        THREAD,
        field === undefined ? {} : { headers: { 'Accept-Encoding': field } },
      );
      return { cache, coding: headers['content-encoding'], body, etag: headers.etag, vary: headers.vary };
    };
    const plain = await ask();
    expect(plain).toMatchObject({ cache: 'Miss', coding: undefined, vary: 'Accept, Accept-Encoding' });
    const { body, etag, vary } = plain;
    expect(await ask('gzip, deflate, br, zstd')).toEqual({ cache: 'Miss', coding: 'br', body, etag, vary });
    expect(await ask('br, gzip;q=0.5')).toEqual({ cache: 'Hit', coding: 'br', body, etag, vary });
    expect(await ask('gzip')).toEqual({ cache: 'Miss', coding: 'gzip', body, etag, vary });
    for (const field of ['gzip, deflate', 'x-gzip'])
      expect(await ask(field), field).toEqual({ cache: 'Hit', coding: 'gzip', body, etag, vary });
    for (const field of ['identity', 'deflate', 'gzip;q=0', '*;q=0'])
      expect(await ask(field), field).toEqual({ cache: 'Hit', coding: undefined, body, etag, vary });
  });
});
