// Tests the icons and the picture of link previews, which are bytes and not text.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PREVIEW_PICTURE } from '../../../shared/render/html/head.ts';
import { createTestApp } from '../../support/test-app.ts';

const { get } = createTestApp();

const FILES = [
  ['/favicon.ico', 'image/vnd.microsoft.icon', 'favicon.ico'],
  ['/assets/apple-touch-icon.png', 'image/png', 'apple-touch-icon.png'],
  ['/assets/preview.png', 'image/png', 'preview.png'],
] as const;

const committed = (name: string): Buffer =>
  readFileSync(new URL(`../../../functions/discovery/page/icons/${name}`, import.meta.url));

test.each(FILES)(
  '%s is the committed file for every Accept, not compressed, with a validator',
  async (path, type, name) => {
    const headers = { 'accept-encoding': 'br, gzip' };
    const answer = await get(path, { headers });
    expect(answer.bytes).toEqual(committed(name));
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=3600, s-maxage=3600',
      etag: expect.stringMatching(/^W\/"f[^"]+"$/),
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    for (const accept of ['image/avif,image/webp,*/*;q=0.8', 'application/json', ''])
      expect((await get(path, { headers: { accept } })).bytes).toEqual(answer.bytes);
    const unchanged = await get(path, { headers: { 'if-none-match': answer.headers['etag'] ?? '' } });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    const { status, bytes, headers: ofHead } = await get(path, { method: 'HEAD', headers });
    expect([status, bytes.length, ofHead['etag']]).toEqual([200, 0, answer.headers['etag']]);
  },
);

/** @returns width and height of a PNG file */
const sizeOf = (bytes: Buffer): readonly [width: number, height: number] => [
  bytes.readUInt32BE(16),
  bytes.readUInt32BE(20),
];

test('/assets/apple-touch-icon.png has 180 pixels and /assets/preview.png the size that pages name', async () => {
  expect(sizeOf((await get('/assets/apple-touch-icon.png')).bytes)).toEqual([180, 180]);
  const { width, height } = PREVIEW_PICTURE;
  expect(sizeOf((await get('/assets/preview.png')).bytes)).toEqual([width, height]);
});
