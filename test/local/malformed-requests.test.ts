// Sends raw bytes to the local service: invalid HTTP gets a problem document, and unusual but valid HTTP gets its
// answer.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { localOptions, shareService } from '../support/local-service.ts';
import { isProblem } from '../support/problem-schema.ts';

const service = shareService(localOptions({ ADMIN_TOKEN: 'a-token-of-the-operator-for-tests-only' }));

interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** @returns the first answer on a separate connection, read until the server closes it */
const send = (bytes: string): Promise<RawAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  let text = '';
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', reject);
  socket.on('close', () => {
    const end = text.indexOf('\r\n\r\n');
    const [line = '', ...fields] = text.slice(0, end).split('\r\n');
    const headers = fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    });
    resolve({ status: Number(line.split(' ')[1]), headers: new Map(headers), body: text.slice(end + 4) });
  });
  socket.write(Buffer.from(bytes, 'utf8'));
  return promise;
};

const END = 'Host: postern.test\r\nConnection: close\r\n\r\n';
const head = (line: string, fields = ''): string => `${line}\r\n${fields}${END}`;

const expectProblem = ({ status, headers, body }: RawAnswer, expected: number, code: string): void => {
  expect(`${status} ${headers.get('content-type')}`).toBe(`${expected} application/problem+json`);
  const document = JSON.parse(body);
  expect(isProblem(document), JSON.stringify(isProblem.errors)).toBe(true);
  expect(document).toMatchObject({ status: expected, code, type: `${service.origin}/docs/errors#${code}` });
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  expect(headers.get('cache-control')).toMatch(/^(?:no-store|public, max-age=\d+)/);
  expect(headers.get('access-control-allow-origin')).toBe(expected === 401 ? undefined : '*'); // a private route
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/./);
  expect(body).not.toMatch(/HPE_|llhttp|node:|secret-of-the-query/);
};

describe('[problems 1] [platform 4] a request that is not valid HTTP gets a problem document', () => {
  test.each([
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', head('GET /jack/status/20 HTTP/3.0')],
    ['a space within the target', head('GET /jack/sta tus/20?q=secret-of-the-query HTTP/1.1')],
    ['a target that is not percent-encoded', head('GET /jäck HTTP/1.1')],
    ['a method with an invalid character', head('GE(T /jack/status/20 HTTP/1.1')],
    ['an unknown method with an invalid field', head('FOO / HTTP/1.1', 'Bad Header: y\r\n')],
    ['a field name with a space', head('GET / HTTP/1.1', 'Bad Header: y\r\n')],
    ['a NUL in a field', head('GET / HTTP/1.1', 'A: b\x00c\r\n')],
    ['a Content-Length that is not a number', head('POST /mcp HTTP/1.1', 'Content-Length: abc\r\n')],
    ['a Content-Length with chunks', head('POST /mcp HTTP/1.1', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')],
    ['a chunk without a size', `${head('POST /mcp HTTP/1.1', 'Transfer-Encoding: chunked\r\n')}zz\r\n`],
    ['HTTP/1.1 without Host', 'GET /jack/status/20 HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Host fields', head('GET /jack/status/20 HTTP/1.1', 'Host: other.test\r\n')],
  ])('%s: 400', async (_, bytes) => {
    expectProblem(await send(bytes), 400, 'malformed_request');
  });

  test('the answer to a malformed HEAD request has no body', async () => {
    const { status, headers, body } = await send(head('HEAD \\jack HTTP/1.1'));
    expect([status, body]).toEqual([400, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
  });

  test.each([
    ['30 kB of header fields', 30_000],
    ['200 kB of header fields', 200_000],
    ['2 MB of header fields', 2_000_000],
  ])('[running 3] %s: 431', async (_, length) => {
    const answer = await send(head('GET /jack/status/20 HTTP/1.1', `X-A: ${'a'.repeat(length)}\r\n`));
    expectProblem(answer, 431, 'header_fields_too_large');
  });

  test('[running 3] 201 fields: 431', async () => {
    const fields = (count: number) => send(head('GET /jack/status/20 HTTP/1.1', 'A: b\r\n'.repeat(count)));
    expect((await fields(198)).status).toBe(200);
    expectProblem(await fields(199), 431, 'header_fields_too_large');
    expectProblem(await fields(2000), 431, 'header_fields_too_large');
  });

  test('a head is rejected exactly from the size that CloudFront rejects', async () => {
    const ofSize = (length: number) => send(head('GET /jack/status/20 HTTP/1.1', `X-A: ${'a'.repeat(length)}\r\n`));
    expect((await ofSize(20_000)).status).toBe(200);
    expect((await ofSize(20_480)).status).toBe(431);
  });

  test('a path of 12,000 bytes that decodes to 4,000 slashes: 414', async () => {
    expectProblem(await send(head(`GET /${'%2F'.repeat(4000)} HTTP/1.1`)), 414, 'uri_too_long');
  });

  test.each([9_000, 31_000, 40_000, 200_000])('[running 3] a target of %i bytes: 414', async (length) => {
    expectProblem(await send(head(`GET /jack/status/20?q=${'a'.repeat(length)} HTTP/1.1`)), 414, 'uri_too_long');
  });

  test('an unknown method on an unknown route, and CONNECT: 404', async () => {
    expectProblem(await send(head('FOO /api/v1/nothing HTTP/1.1')), 404, 'route_not_found');
    expectProblem(await send(head('CONNECT elsewhere.example:443 HTTP/1.1')), 404, 'route_not_found');
  });

  test('a client that sends CONNECT and breaks the connection off does not end the service', async () => {
    for (let times = 0; times < 5; times += 1) {
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
      socket.write(head('CONNECT elsewhere.example:443 HTTP/1.1'), () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    // An error of a socket without a listener would end the process of the test.
    expect((await service.get('/jack/status/20')).status).toBe(200);
  });

  test.each([
    ['/%zz', 404, 'route_not_found'],
    ['/jack/status/%E0%A4', 400, 'invalid_id'],
    ['/api/v1/posts?url=%E0%A4', 400, 'invalid_url'],
    ['/api/v1/posts?handle=jack&id=%zz', 400, 'invalid_id'],
  ])('an invalid percent-encoding in %s: %i %s', async (target, status, code) => {
    expectProblem(await send(head(`GET ${target} HTTP/1.1`, 'Accept: application/json\r\n')), status, code);
  });

  test('the service still answers afterwards', async () => {
    expect((await service.get('/jack/status/20')).status).toBe(200);
  });
});

describe('unusual but valid HTTP gets its answer', () => {
  test.each([
    ['HTTP/1.0, which needs no Host', 'GET /jack/status/20 HTTP/1.0\r\n\r\n'],
    ['a target with scheme and host', head('GET http://elsewhere.example/jack/status/20 HTTP/1.1')],
    ['an unknown expectation', head('GET /jack/status/20 HTTP/1.1', 'Expect: something\r\n')],
    [
      'an unsupported upgrade',
      'GET /jack/status/20 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n',
    ],
  ])('%s', async (_, bytes) => {
    const { status, body } = await send(bytes);
    expect(status).toBe(200);
    expect(body).toContain('just setting up my twttr');
  });
});

test('[problems 1] a picture with a malformed body gets one answer', async () => {
  const { port } = new URL(service.origin);
  const socket = connect(Number(port), '127.0.0.1');
  const answers = text(socket);
  socket.write('POST /assets/pbs/a.jpg HTTP/1.1\r\nHost: postern.test\r\nTransfer-Encoding: chunked\r\n\r\n');
  // Sent later and answered from end to end: whatever answers the head alone has done so.
  for (let at = 0; at < 3; at += 1) await send(head('GET /assets/pbs//x HTTP/1.1'));
  socket.write('zz\r\n');
  expect((await answers).match(/^HTTP\/1\.1 \d+/gm)).toEqual([expect.stringMatching(/40[05]$/)]);
});
