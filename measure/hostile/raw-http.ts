// Generates bytes that are almost an HTTP/1.1 request: a valid request with changes where servers and proxies disagree.
import fc from 'fast-check';
import { nastyString } from '../../test/generators/nasty-strings.ts';
import { weighted } from '../../test/generators/seed.ts';

const HEADS = [
  'GET /jack/status/20 HTTP/1.1',
  'GET /api/v1/posts?id=20 HTTP/1.1',
  'HEAD /api HTTP/1.1',
  'POST /mcp HTTP/1.1',
  'GET /search?q=tide HTTP/1.1',
  'OPTIONS /api/v1/search HTTP/1.1',
];

// biome-ignore format: side by side they fit on a screen
const LINES = [
  'GET  /  HTTP/1.1', 'GET / HTTP/1.1 ', 'GET /', 'GET / HTTP/1.2', 'GET / HTTP/0.9', 'GET / HTTP/2', 'GET / http/1.1',
  ' GET / HTTP/1.1', 'GET\t/\tHTTP/1.1', 'GET * HTTP/1.1', 'OPTIONS * HTTP/1.1', 'CONNECT a:443 HTTP/1.1',
  'GET http://[::1 HTTP/1.1', 'GET //evil.example/ HTTP/1.1', 'GET \\ HTTP/1.1', 'GET /\u00e9 HTTP/1.1',
  'GET /#a HTTP/1.1', 'GET ? HTTP/1.1', 'GET a HTTP/1.1', 'PRI * HTTP/2.0', '\u0016\u0003\u0001',
  'G\u0000T / HTTP/1.1', 'PURGE / HTTP/1.1', 'get / HTTP/1.1',
];

// biome-ignore format: side by side they fit on a screen
const FIELDS = [
  'Content-Length: 0', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 1, 1',
  'Content-Length: 99999999999999999999', 'Content-Length : 3', 'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\u000bchunked', 'Host: a', 'Host:', 'Host: a, b', 'Host: a@b', 'Expect: 100-continue',
  'Expect: a', 'Upgrade: h2c', 'Connection: Upgrade', 'Connection: close, x-viewer-ip', ' folded: a', 'no colon',
  ': no name', 'A\u0000: b', 'A: b\u0000', 'A: b\rC: d', 'Accept: text/html', 'Authorization: Bearer a',
  'Range: bytes=0-', 'Content-Encoding: gzip', 'TE: trailers', 'Trailer: x', 'Content-Type: application/json',
];

// biome-ignore format: side by side they fit on a screen
const BODIES = [
  '', '', '', 'hello', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', '5;a=b\r\nhello\r\n0\r\nX-T: a\r\n\r\n',
  'ffffffffffffffff\r\n', '-1\r\n', '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  'GET /admin HTTP/1.1\r\nHost: a\r\n\r\n',
];

const end = fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n');

const built = fc
  .tuple(
    fc.oneof(fc.constantFrom(...HEADS), fc.constantFrom(...LINES)),
    fc.array(
      weighted(
        [6, fc.constantFrom(...FIELDS)],
        [1, nastyString.map((text) => `X-A: ${text}`)],
        [1, nastyString.map((text) => `${text}: a`)],
        [1, fc.constantFrom(9_000, 25_000).map((length) => `X-A: ${'a'.repeat(length)}`)],
      ),
      { maxLength: 4 },
    ),
    fc.option(fc.constant('Host: postern.test'), { nil: undefined, freq: 7 }),
    end,
    fc.constantFrom(...BODIES),
  )
  .map(([line, fields, host, lineEnd, body]) =>
    Buffer.from([line, ...(host === undefined ? [] : [host]), ...fields, '', body].join(lineEnd)),
  );

interface Change {
  readonly at: number;
  readonly byte: number;
  readonly way: number;
}

const apply = (bytes: Buffer, { at, byte, way }: Change): Buffer => {
  const place = at % Math.max(1, bytes.length);
  if (way === 0) return bytes.subarray(0, place);
  const tail = bytes.subarray(way === 1 ? place : place + 1);
  return Buffer.concat([bytes.subarray(0, place), way === 3 ? Buffer.alloc(0) : Buffer.of(byte), tail]);
};

const changes: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  byte: fc.oneof(fc.constantFrom(0, 9, 10, 13, 32, 58, 127, 255), fc.nat(255)),
  way: fc.constantFrom(0, 1, 2, 2, 3, 3),
});

/** Bytes of one connection. */
export const rawRequests: fc.Arbitrary<Buffer> = weighted(
  [4, built],
  [
    3,
    fc.tuple(built, fc.array(changes, { minLength: 1, maxLength: 3 })).map(([bytes, all]) => all.reduce(apply, bytes)),
  ],
  [1, fc.tuple(built, built).map((two) => Buffer.concat(two))],
);
