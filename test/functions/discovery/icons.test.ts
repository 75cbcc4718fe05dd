// Tests the icons and the picture of link previews, which are bytes and not text.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** @returns width and height of a whole PNG file */
const sizeOf = (bytes: Buffer): readonly [width: number, height: number] => {
  expect(bytes.subarray(0, 8)).toEqual(PNG_SIGNATURE);
  expect(bytes.toString('latin1', bytes.length - 8, bytes.length - 4)).toBe('IEND');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

describe.each(FILES)('%s', (path, type, name) => {
  test('is the committed file with its media type, a validator and an hour in caches', async () => {
    const { status, headers, bytes } = await get(path);
    expect(status).toBe(200);
    expect(bytes).toEqual(committed(name));
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=3600, s-maxage=3600',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^W\/"f[^"]+"$/),
    });
    const unchanged = await get(path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
  });

  test('is not compressed again, and HEAD has the headers of GET', async () => {
    const { headers, bytes } = await get(path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes).toEqual(committed(name));
    const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'br, gzip' } });
    expect([head.status, head.bytes.length, head.headers['content-type']]).toEqual([200, 0, type]);
    expect(head.headers['etag']).toBe(headers['etag']);
  });

  test('is the same for every Accept', async () => {
    for (const accept of ['image/avif,image/webp,*/*;q=0.8', 'text/html', 'application/json', ''])
      expect((await get(path, { headers: { accept } })).bytes).toEqual(committed(name));
  });
});

test('/favicon.ico is an ICO file with PNG pictures of 16, 32 and 48 pixels', async () => {
  const { bytes } = await get('/favicon.ico');
  expect([0, 2, 4].map((at) => bytes.readUInt16LE(at))).toEqual([0, 1, 3]);
  const entries = [0, 1, 2].map((index) => bytes.subarray(6 + 16 * index, 22 + 16 * index));
  const pictures = entries.map((entry) => {
    const offset = entry.readUInt32LE(12);
    const [width, height] = sizeOf(bytes.subarray(offset, offset + entry.readUInt32LE(8)));
    expect([width, height]).toEqual([entry[0], entry[1]]);
    return width;
  });
  expect(pictures).toEqual([16, 32, 48]);
  const [last] = entries.slice(-1);
  expect((last?.readUInt32LE(12) ?? 0) + (last?.readUInt32LE(8) ?? 0)).toBe(bytes.length);
});

test('/assets/apple-touch-icon.png has 180 pixels and /assets/preview.png the size that pages name', async () => {
  expect(sizeOf((await get('/assets/apple-touch-icon.png')).bytes)).toEqual([180, 180]);
  const { width, height } = PREVIEW_PICTURE;
  expect(sizeOf((await get('/assets/preview.png')).bytes)).toEqual([width, height]);
});
