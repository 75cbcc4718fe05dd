// Tests the bytes that the verification sends, and what it reads from the bytes of an answer.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type Answer,
  jsonOf,
  linesOf,
  listMember,
  listOf,
  requestText,
  responseHeader,
  textMember,
} from '../../shared/verification/answer.ts';
import { countHeadBytes, MAX_ANSWER_BYTES, sendProbe } from '../../shared/verification/service.ts';
import { startByteServer } from '../support/test-server.ts';

interface RawServer {
  readonly origin: URL;
  readonly received: () => string;
}

/** Sends the bytes when the head of a request has come, and closes the connection. */
const serveRaw = async (host: string, ...answer: readonly (string | Buffer)[]): Promise<RawServer> => {
  const chunks: Buffer[] = [];
  const origin = await startByteServer((socket) => {
    socket.once('data', (chunk) => {
      chunks.push(chunk);
      socket.on('data', (more) => chunks.push(more));
      socket.end(Buffer.concat(answer.map((part) => Buffer.from(part))));
    });
  }, host);
  return { origin, received: () => Buffer.concat(chunks).toString() };
};

const OK = 'HTTP/1.1 200 OK\r\n';

test('an answer has its status, its lines in their order, and the size of its body', async () => {
  const { origin } = await serveRaw(
    '127.0.0.1',
    `${OK}Link: <a>\r\nX-One: 1\r\nLINK: <b>\r\nContent-Length: 3\r\n\r\n`,
    'ø!',
  );
  const probe = { headers: { Accept: 'text/plain' } };
  expect(await sendProbe(origin, '/a/../b?c=%20', probe)).toEqual({
    target: '/a/../b?c=%20',
    probe,
    status: 200,
    lines: [
      ['link', '<a>'],
      ['x-one', '1'],
      ['link', '<b>'],
      ['content-length', '3'],
    ],
    body: 'ø!',
    bytes: 3,
  });
});

test.each([
  ['GET without a body', {}, 'GET /a HTTP/1.1', '', undefined],
  ['POST with a body', { method: 'POST', body: 'ø' }, 'POST /a HTTP/1.1', 'ø', '2'],
])('a request is sent as it is: %s', async (_, probe, line, body, length) => {
  const { origin, received } = await serveRaw('127.0.0.1', `${OK}Content-Length: 0\r\n\r\n`);
  await sendProbe(origin, '/a', { ...probe, headers: { 'X-One': '1' } });
  await expect.poll(received).toContain(`\r\n\r\n${body}`);
  const [head = '', sent] = received().split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe(line);
  expect(sent).toBe(body);
  expect(head).toContain('User-Agent: postern-verify\r\nX-One: 1');
  expect(/^Content-Length: (.*)$/m.exec(head)?.[1]?.trim()).toBe(length);
});

test.each([
  ['identity', Buffer.from('text'), 'text'],
  ['gzip', Buffer.alloc(0), ''],
])('a body with the coding %s is decoded', async (coding, bytes, body) => {
  const { origin } = await serveRaw(
    '127.0.0.1',
    `${OK}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    bytes,
  );
  expect(await sendProbe(origin, '/', {})).toMatchObject({ body, bytes: bytes.length });
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('a body of %s is decoded up to the largest answer', async (coding, compress) => {
  const answerOf = (size: number) => {
    const bytes = compress(Buffer.alloc(size, 'a'));
    return [`${OK}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes];
  };
  const whole = await serveRaw('127.0.0.1', ...answerOf(MAX_ANSWER_BYTES));
  expect((await sendProbe(whole.origin, '/', {})).body).toHaveLength(MAX_ANSWER_BYTES);
  const larger = await serveRaw('127.0.0.1', ...answerOf(MAX_ANSWER_BYTES + 1));
  await expect(sendProbe(larger.origin, '/', {})).rejects.toThrow();
});

test('a body is read up to the largest answer, which is 8 MiB', async () => {
  const read = async (size: number) => {
    const { origin } = await serveRaw('127.0.0.1', `${OK}Content-Length: ${size}\r\n\r\n`, Buffer.alloc(size));
    return (await sendProbe(origin, '/', {})).bytes;
  };
  expect(await read(8_388_608)).toBe(8_388_608);
  await expect(read(8_388_609)).rejects.toThrow('the answer is larger than 8388608 bytes');
});

test('a request ends with its signal', async () => {
  const { origin } = await serveRaw('127.0.0.1', OK);
  await expect(sendProbe(origin, '/', {}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test.each([
  ['nothing', '', 0],
  ['a body', '{}', 2],
  ['a body with an empty line', 'a\r\n\r\nb', 6],
])('HEAD that is answered with %s is counted', async (_, body, count) => {
  const { origin, received } = await serveRaw('127.0.0.1', `${OK}Content-Length: 2\r\n\r\n${body}`);
  expect(await countHeadBytes(origin, '/a?b')).toBe(count);
  expect(received()).toBe(
    `HEAD /a?b HTTP/1.1\r\nHost: ${origin.host}\r\nUser-Agent: postern-verify\r\nConnection: close\r\n\r\n`,
  );
});

test('an answer to HEAD that ends within its header section is an error', async () => {
  const { origin } = await serveRaw('127.0.0.1', `${OK}Content-Length: 2\r\n`);
  await expect(countHeadBytes(origin, '/')).rejects.toThrow('HEAD: the connection ended within the header section');
});

test('HEAD ends at once if its time is over, and later when its time ends', async () => {
  const { origin } = await serveRaw('127.0.0.1', OK);
  await expect(countHeadBytes(origin, '/', {}, AbortSignal.abort())).rejects.toThrow(
    'HEAD: no complete answer in time',
  );
  const silent = await startByteServer(() => undefined);
  const counted = countHeadBytes(silent, '/', {}, AbortSignal.timeout(50));
  await expect(counted).rejects.toThrow('HEAD: no complete answer in time');
});

test('a service with an IPv6 address is asked', async ({ skip }) => {
  const served = await serveRaw('::1', `${OK}Content-Length: 0\r\n\r\n`).catch(() => undefined);
  if (served === undefined) return skip('this machine has no IPv6');
  expect((await sendProbe(served.origin, '/', {})).status).toBe(200);
  expect(await countHeadBytes(served.origin, '/')).toBe(0);
});

const answer: Answer = {
  target: '/api',
  probe: {},
  status: 200,
  lines: [
    ['vary', 'Accept, , Origin'],
    ['link', '<a>'],
    ['vary', 'ACCEPT-ENCODING '],
  ],
  body: '{"code":"a","posts":[{"id":"1"},2,null,{"id":"3"}],"count":1}',
  bytes: 0,
};

test('the lines of a repeated field are one value, a list in lower case, or lines', () => {
  expect(responseHeader(answer, 'vary')).toBe('Accept, , Origin, ACCEPT-ENCODING ');
  expect(listOf(answer, 'vary')).toEqual(['accept', 'origin', 'accept-encoding']);
  expect(linesOf(answer, 'vary')).toEqual(['Accept, , Origin', 'ACCEPT-ENCODING ']);
  expect([responseHeader(answer, 'etag'), listOf(answer, 'etag'), linesOf(answer, 'etag')]).toEqual([
    undefined,
    [],
    [],
  ]);
});

test('members of a body are read only if they have the expected type', () => {
  const json = jsonOf(answer);
  expect([textMember(json, 'code'), textMember(json, 'count'), textMember('a', 'length')]).toEqual([
    'a',
    undefined,
    undefined,
  ]);
  expect(listMember(json, 'posts')).toEqual([{ id: '1' }, { id: '3' }]);
  expect([listMember(json, 'code'), listMember(undefined, 'posts')]).toEqual([[], []]);
  expect([jsonOf({ ...answer, body: '[]' }), jsonOf({ ...answer, body: '{' })]).toEqual([{}, {}]);
});

test.each([
  ['/api', {}, 'GET /api'],
  ['/api', { method: 'HEAD' }, 'HEAD /api'],
  ['/api?key=pstn_abc_DEF&key=pstn_x', {}, 'GET /api?key=pstn_…&key=pstn_…'],
  ['/api', { headers: { Accept: 'text/html' } }, 'GET /api (Accept: text/html)'],
  ['/api', { headers: { Accept: 'a'.repeat(81) } }, `GET /api (Accept: ${'a'.repeat(80)})`],
  [`/${'a'.repeat(79)}`, {}, `GET /${'a'.repeat(79)}`],
  [`/${'a'.repeat(80)}`, {}, `GET /${'a'.repeat(79)}…`],
])('a report names the request %s %o', (target, probe, text) => {
  expect(requestText({ ...answer, target, probe })).toBe(text);
});
