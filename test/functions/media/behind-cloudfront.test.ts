// Tests the functions of pictures as CloudFront and Lambda deliver their answers: a stream has no Content-Length, and a part
// of a file whose origin sends no length becomes the whole file (aws.amazon.com, CloudFront Developer Guide, "How CloudFront
// processes partial requests for an object (Range GETs)").
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { matchesPattern } from '../../../infra/cache-behaviors.ts';
import { createProxyPath } from '../../../shared/auth/picture-signatures.ts';
import { MEDIA_PATTERN, MEDIA_STREAM_PATTERN } from '../../../shared/contract/other-functions.ts';
import { FILES } from '../../support/picture-host.ts';
import { startTestServer } from '../../support/test-server.ts';

const SECRET = 'secret of cursors';
const LARGE = 9_000_000;

type Fields = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
  /** The function URL that answered. */
  readonly by: 'parts' | 'streams';
}

/** A file of which each byte says its place. @param isWhole the host ignores Range */
const fileOf = (url: string): { readonly bytes: Buffer; readonly type: string; readonly isWhole: boolean } => {
  const type = url.includes('.mp4') ? 'video/mp4' : 'image/jpeg';
  const bytes = Buffer.alloc(url.includes('large') ? LARGE : 5000);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = at % 251;
  FILES[type].copy(bytes, 0, 0, 16);
  return { bytes, type, isWhole: url.includes('whole') };
};

let functions: {
  readonly handler: (event: object, stream: Writable) => Promise<void>;
  readonly parts: (event: object) => Promise<{ statusCode: number; headers: Fields; body: string }>;
};

const heads: { statusCode: number; headers: Fields }[] = [];

// `startTestServer` ends its server after the test in which it starts.
const start = async () => {
  const host = await startTestServer((request, response) => {
    const { bytes, type, isWhole } = fileOf(request.url ?? '');
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (request.headers['if-none-match'] === '"a"') response.writeHead(304, { ETag: '"a"' }).end();
    else if (first + last === '' || isWhole)
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, ETag: '"a"' }).end(bytes);
    else {
      const from = first === '' ? bytes.length - Number(last) : Number(first);
      const to = first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
      if (from >= bytes.length) {
        response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
        return;
      }
      const part = bytes.subarray(from, to + 1);
      const range = `bytes ${from}-${to}/${bytes.length}`;
      response
        .writeHead(206, { 'Content-Type': type, 'Content-Length': part.length, 'Content-Range': range })
        .end(part);
    }
  });
  vi.resetModules();
  vi.stubGlobal('awslambda', {
    streamifyResponse: (given: unknown) => given,
    HttpResponseStream: {
      from(stream: Writable, head: (typeof heads)[number]) {
        heads.push(head);
        return stream;
      },
    },
  });
  vi.stubEnv('ORIGIN_SECRETS', 'secret');
  vi.stubEnv('CURSOR_SECRETS', SECRET);
  vi.stubEnv('UPSTREAM', 'sample');
  vi.stubEnv('FXTWITTER_BASE_URL', host);
  vi.stubEnv('BASE_URL', '');
  functions = Object(await import('../../../functions/media/handler.ts'));
};

beforeAll(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const lowerCase = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

/** A function URL with RESPONSE_STREAM: the length has another name, and the body is chunked. */
const streamed = async (event: object): Promise<Answer> => {
  const chunks: Buffer[] = [];
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
    final: (done) => {
      done();
      resolve();
    },
  });
  await functions.handler(event, stream);
  await finished;
  const { statusCode, headers } = heads.at(-1) ?? { statusCode: 0, headers: {} };
  const { 'content-length': length, ...others } = lowerCase(headers);
  const body = Buffer.concat(chunks);
  expect(body.length, 'an empty stream may never end').toBeGreaterThan(0);
  return {
    status: statusCode,
    headers: { ...others, ...(length && { 'x-amzn-remapped-content-length': length }), 'transfer-encoding': 'chunked' },
    body,
    by: 'streams',
  };
};

/** A function URL with BUFFERED, whose answer has at most 6 MB with the body in base64. */
const buffered = async (event: object): Promise<Answer> => {
  const result = await functions.parts(event);
  expect(JSON.stringify(result).length).toBeLessThan(6_291_556);
  const body = Buffer.from(result.body, 'base64');
  return {
    status: result.statusCode,
    headers: { ...lowerCase(result.headers), 'content-length': String(body.length) },
    body,
    by: 'parts',
  };
};

const viaCloudFront = async (target: string, fields: Fields = {}, method = 'GET'): Promise<Answer> => {
  const [rawPath = '', rawQueryString = ''] = target.split('?');
  const headers = { ...fields, 'x-origin-secret': 'secret' };
  const event = { rawPath, rawQueryString, headers, requestContext: { http: { method } } };
  if (!matchesPattern(MEDIA_STREAM_PATTERN, rawPath)) {
    expect(matchesPattern(MEDIA_PATTERN, rawPath)).toBe(true);
    return buffered(event);
  }
  const answer = await streamed(event);
  return answer.status === 206 ? { ...answer, status: 200 } : answer;
};

/** As a browser, which follows redirects with the same fields. */
const follow = async (target: string, fields: Fields = {}): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  for (let next: string | undefined = target; next !== undefined; next = answers.at(-1)?.headers['location']) {
    expect(answers.length).toBeLessThan(3);
    answers.push(await viaCloudFront(next, fields));
  }
  return answers;
};

const proxyPath = createProxyPath(SECRET);
const pathOf = (name: string): string =>
  proxyPath(name.includes('.mp4') ? `https://video.twimg.com/${name}` : `https://pbs.twimg.com/media/${name}`) ?? '';

test.each([
  ['bytes=0-1', 0, 1],
  ['bytes=0-', 0, 3_999_999],
  ['bytes=100-99999999', 100, 4_000_099],
  ['bytes=100-4000099', 100, 4_000_099],
  ['bytes=8000000-', 8_000_000, LARGE - 1],
  ['bytes=-100', LARGE - 100, LARGE - 1],
])('[pictures 7] %s of a video is 206 with its length', async (range, first, last) => {
  await start();
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
  await start();
  for (const name of ['small.jpg', 'whole.jpg']) {
    const [answer] = await follow(pathOf(name), { range: 'bytes=0-1' });
    expect(answer).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 0-1/5000', 'content-length': '2' },
    });
  }
});

test.each(['small.jpg', 'whole.jpg'])('[pictures 7] a part beyond the end of %s is 416 with a body', async (name) => {
  await start();
  const [answer] = await follow(pathOf(name), { range: 'bytes=5000-' });
  expect(answer).toMatchObject({
    status: 416,
    headers: { 'content-range': 'bytes */5000', 'cache-control': 'no-store' },
  });
  expect(JSON.parse(String(answer?.body))).toMatchObject({ status: 416 });
});

test('[pictures 7] only a large file without Range is a stream, and its path gives parts as well', async () => {
  await start();
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
  expect(part.at(-1)).toMatchObject({ status: 206, headers: { 'content-length': '2' }, by: 'parts' });
  expect((await follow(stream, { 'if-none-match': '"a"' })).at(-1)).toMatchObject({ status: 200 });
});

test('[pictures 6] [pictures 7] an unsigned path of a stream is not found, and 304 is no stream', async () => {
  await start();
  expect(await viaCloudFront('/assets/whole/video/0123456789abcdef/large.mp4')).toMatchObject({ status: 404 });
  const unchanged = await viaCloudFront(pathOf('small.jpg'), { 'if-none-match': '"a"' });
  expect(unchanged).toMatchObject({ status: 304, by: 'parts' });
});
