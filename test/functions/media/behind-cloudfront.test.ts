// Tests the functions of pictures as CloudFront and Lambda deliver their answers.
import { expect, test } from 'vitest';
import { answerWithFile, type Fields, type MediaAnswer, mediaPath, startMediaEdge } from '../../support/media-edge.ts';
import { FILES } from '../../support/picture-host.ts';
import { startTestServer } from '../../support/test-server.ts';

const LARGE = 9_000_000;

/** A file of which each byte says its place. @param isWhole the host ignores Range */
const fileOf = (url: string): { readonly bytes: Buffer; readonly type: string; readonly isWhole: boolean } => {
  const type = url.includes('.mp4') ? 'video/mp4' : 'image/jpeg';
  const bytes = Buffer.alloc(url.includes('large') ? LARGE : 5000);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = at % 251;
  FILES[type].copy(bytes, 0, 0, 16);
  return { bytes, type, isWhole: url.includes('whole') };
};

/** @returns what requests a file as a browser, which follows redirects with the same fields, and what requests it once */
const start = async () => {
  const viaCloudFront = await startMediaEdge(
    await startTestServer((request, response) => answerWithFile(request, response, fileOf(request.url ?? ''))),
  );
  const follow = async (target: string, fields: Fields = {}): Promise<readonly MediaAnswer[]> => {
    const answers: MediaAnswer[] = [];
    for (let next: string | undefined = target; next !== undefined; next = answers.at(-1)?.headers['location']) {
      expect(answers.length).toBeLessThan(3);
      answers.push(await viaCloudFront(next, fields));
    }
    return answers;
  };
  return { viaCloudFront, follow };
};

const pathOf = (name: string): string =>
  mediaPath(name.includes('.mp4') ? `https://video.twimg.com/${name}` : `https://pbs.twimg.com/media/${name}`);

test.each([
  ['bytes=0-1', 0, 1],
  ['bytes=0-', 0, 3_999_999],
  ['bytes=100-99999999', 100, 4_000_099],
  ['bytes=100-4000099', 100, 4_000_099],
  ['bytes=8000000-', 8_000_000, LARGE - 1],
  ['bytes=-100', LARGE - 100, LARGE - 1],
  ['bytes=-5000000', LARGE - 5_000_000, LARGE - 1_000_001],
  ['bytes=-99999999', 0, 3_999_999],
])('[pictures 7] %s of a video is 206 with its length', async (range, first, last) => {
  const { follow } = await start();
  for (const name of ['large.mp4', 'large-whole.mp4']) {
    const answers = await follow(pathOf(name), { range });
    expect(answers).toHaveLength(1);
    const [{ status, headers, body } = { status: 0, headers: {}, body: Buffer.alloc(0) }] = answers;
    expect(status).toBe(206);
    expect(headers).toMatchObject({
      'content-range': `bytes ${first}-${last}/${LARGE}`,
      'content-length': String(last - first + 1),
    });
    expect(body.equals(fileOf(name).bytes.subarray(first, last + 1))).toBe(true);
  }
});

test('[pictures 7] a part of a picture is 206, also if the host sends the picture whole', async () => {
  const { follow } = await start();
  for (const name of ['small.jpg', 'whole.jpg']) {
    const [answer] = await follow(pathOf(name), { range: 'bytes=0-1' });
    expect(answer).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 0-1/5000', 'content-length': '2' },
    });
  }
});

test.each(['small.jpg', 'whole.jpg'])('[pictures 7] a part beyond the end of %s is 416 with a body', async (name) => {
  const { follow } = await start();
  const [answer] = await follow(pathOf(name), { range: 'bytes=5000-' });
  expect(answer).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */5000', 'cache-control': 'no-store' },
  });
  expect(JSON.parse(String(answer?.body))).toMatchObject({ status: 416 });
});

test('[pictures 7] only a large file without Range is a stream, and its path gives parts as well', async () => {
  const { follow } = await start();
  expect((await follow(pathOf('small.jpg'))).map(({ status, by }) => [status, by])).toEqual([[200, 'parts']]);
  const answers = await follow(pathOf('large.mp4'));
  expect(answers.map(({ status, by }) => [status, by])).toEqual([
    [307, 'parts'],
    [200, 'streams'],
  ]);
  expect(answers.at(-1)?.body.equals(fileOf('large.mp4').bytes)).toBe(true);
  const stream = answers[0]?.headers['location'] ?? '';
  expect(stream).toMatch(/^\/assets\/whole\//);
  const part = await follow(stream, { range: 'bytes=2-3' });
  // The document of a video is sandboxed, so its player asks as another origin and needs the field at each step.
  for (const { headers } of [...answers, ...part]) expect(headers['access-control-allow-origin']).toBe('*');
  expect(part.at(-1)).toMatchObject({ status: 206, headers: { 'content-length': '2' }, by: 'parts' });
  expect((await follow(stream, { 'if-none-match': '"a"' })).at(-1)).toMatchObject({ status: 200 });
});

test('[pictures 6] [pictures 7] an unsigned path of a stream is not found, and 304 is no stream', async () => {
  const { viaCloudFront } = await start();
  expect(await viaCloudFront('/assets/whole/video/0123456789abcdef/large.mp4')).toMatchObject({ status: 404 });
  const unchanged = await viaCloudFront(pathOf('small.jpg'), { 'if-none-match': '"a"' });
  expect(unchanged).toMatchObject({ status: 304, by: 'parts' });
});
