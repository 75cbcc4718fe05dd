// Tests the reader of pictures with a host in place of X's.
import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { readPictureOrigins } from '../../../shared/composition/pictures.ts';
import { createFileRequester, createPictureReader } from '../../../shared/upstream/pictures.ts';
import { FILES, sendFile } from '../../support/picture-host.ts';
import { startTestServer } from '../../support/test-server.ts';

const URL_OF_X = 'https://pbs.twimg.com/media/a.jpg?name=small';
const BYTES = FILES['image/jpeg'].length;

const startReader = async (listener: RequestListener) => {
  const calls: (string | undefined)[] = [];
  const host = await startTestServer((request, response) => {
    calls.push(request.url, request.headers['user-agent'], request.headers.cookie);
    listener(request, response);
  });
  const { request, close } = createFileRequester({ connections: 2, silenceMilliseconds: 5000 });
  onTestFinished(close);
  const origins = { pbs: host, video: host };
  return { calls, read: createPictureReader({ origins, requestFile: request, userAgent: 'Postern/0' }) };
};

test.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const)('reads a picture of %s', async (type) => {
  const { read, calls } = await startReader((_, response) => sendFile(response, type, FILES[type]));
  expect(await read(URL_OF_X, BYTES + 8)).toEqual({ mimeType: type, bytes: FILES[type] });
  expect(calls).toEqual(['/media/a.jpg?name=small', 'Postern/0', undefined]);
});

test.each([
  ['another host', 'https://evil.example/media/a.jpg'],
  ['the host of videos', 'https://video.twimg.com/a.mp4'],
  ['a path out of its folder', 'https://pbs.twimg.com/media/../a.jpg'],
  ['no URL', 'a.jpg'],
])('requests nothing for %s', async (_, url) => {
  const { read, calls } = await startReader((__, response) => sendFile(response, 'image/jpeg'));
  expect(await read(url, BYTES)).toBeUndefined();
  expect(calls).toEqual([]);
});

const answers: readonly (readonly [string, RequestListener])[] = [
  ['a video', (_, response) => sendFile(response, 'video/mp4', FILES['video/mp4'])],
  [
    'SVG',
    (_, response) => sendFile(response, 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  ],
  ['a page called JPEG', (_, response) => sendFile(response, 'image/jpeg', Buffer.from('<!doctype html><p>text</p>'))],
  ['PNG called JPEG', (_, response) => sendFile(response, 'image/jpeg', FILES['image/png'])],
  [
    'a file that is too short',
    (_, response) => sendFile(response, 'image/jpeg', Buffer.from('\xff\xd8\xff', 'latin1')),
  ],
  [
    'a larger file',
    (_, response) => sendFile(response, 'image/jpeg', Buffer.concat([FILES['image/jpeg'], Buffer.alloc(1)])),
  ],
  ['a redirect', (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1/' }).end()],
  ['no file', (_, response) => response.writeHead(404, { 'Content-Type': 'image/jpeg' }).end(FILES['image/jpeg'])],
  [
    'an encoded file',
    (_, response) =>
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Encoding': 'gzip' }).end(FILES['image/jpeg']),
  ],
  [
    'an answer that is cut off',
    (_, response) =>
      void response
        .writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': BYTES })
        .write(FILES['image/jpeg'].subarray(0, 50), () => response.destroy()),
  ],
];

test.each(answers)('takes %s for no picture', async (_, listener) => {
  const { read } = await startReader(listener);
  expect(await read(URL_OF_X, BYTES)).toBeUndefined();
});

test('ends when the signal aborts, before and within the answer', async () => {
  const left = new AbortController();
  const { read, calls } = await startReader((request, response) => {
    if (request.url === '/media/b.jpg') response.writeHead(200, { 'Content-Type': 'image/jpeg' }).write('\xff');
    setImmediate(() => left.abort());
  });
  expect(await read('https://pbs.twimg.com/media/b.jpg', BYTES, left.signal)).toBeUndefined();
  expect(await read(URL_OF_X, BYTES, left.signal)).toBeUndefined();
  expect(calls[0]).toBe('/media/b.jpg');
});

test('the pictures of the sample are beside its answers, all others come from X', () => {
  const variables = { PROVIDERS: 'fxtwitter', FXTWITTER_BASE_URL: 'http://127.0.0.1:8080/fxtwitter' };
  expect(readPictureOrigins(variables)).toEqual({ pbs: 'https://pbs.twimg.com', video: 'https://video.twimg.com' });
  expect(readPictureOrigins({ ...variables, UPSTREAM: 'sample' }).pbs).toBe('http://127.0.0.1:8080/pbs');
});
