// Tests the picture proxy over HTTP, before a host that records its requests, lies, breaks off or redirects.
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FILES, proxyPath, sendFile, startPictureProxy } from '../support/picture-host.ts';
import { send } from '../support/send.ts';

const PICTURE = proxyPath('https://pbs.twimg.com/media/Abc-_1.jpg');
const VIDEO = proxyPath('https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/640x360/a.mp4');

const READER = {
  Cookie: 'session=1',
  Referer: 'https://postern.example/jack',
  'User-Agent': 'Firefox of a reader',
  'X-Forwarded-For': '203.0.113.9',
  'X-Viewer-Ip': '203.0.113.9',
  Forwarded: 'for=203.0.113.9',
  Authorization: 'Bearer key',
  'Accept-Language': 'de',
  'Accept-Encoding': 'br',
  Accept: 'image/avif',
  'Sec-Fetch-Dest': 'image',
  Origin: 'https://postern.example',
  'If-Modified-Since': 'Thu, 26 Nov 2026 10:00:00 GMT',
};

test('[pictures 3] the host gets nothing of the reader but Range and If-None-Match', async () => {
  const { origin, calls, lines } = await startPictureProxy();
  const headers = { ...READER, Range: 'bytes=0-99', 'If-None-Match': '"1"' };
  const target = proxyPath('https://pbs.twimg.com/media/Abc-_1.jpg?name=small&format=jpg');
  const { status } = await send(origin, { target, headers });
  expect(status).toBe(206);
  const [call] = calls;
  expect(call).toMatchObject({ method: 'GET', url: '/media/Abc-_1.jpg?format=jpg&name=small' });
  const fields = (call?.rawHeaders ?? []).map((field) => field.toLowerCase());
  expect(Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : [])))).toEqual({
    host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    connection: 'keep-alive',
    accept: 'image/jpeg, image/png, image/gif, image/webp, video/mp4',
    'accept-encoding': 'identity',
    'user-agent': expect.stringMatching(/^postern\/[\d.]+$/),
    range: 'bytes=0-99',
    'if-none-match': '"1"',
  });
  expect(lines.join('')).not.toMatch(/203\.0\.113|jack|Firefox|session|Abc/);
});

describe('[pictures 4] the answer', () => {
  test.each(Object.entries(FILES))('passes %s on, for a day, without scripts', async (type, body) => {
    const { origin } = await startPictureProxy((_, response) => {
      response.setHeader('ETag', '"a"');
      response.setHeader('Set-Cookie', 'guest=1');
      sendFile(response, `${type}; charset=x`, body);
    });
    const { status, headers, body: sent } = await send(origin, { target: PICTURE });
    expect(status).toBe(200);
    expect(sent).toBe(body.toString());
    const { date: _, connection: __, 'keep-alive': ___, 'access-control-expose-headers': ____, ...rest } = headers;
    expect(rest).toEqual({
      'content-type': type,
      'content-length': String(body.length),
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: '"a"',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    });
    const head = await send(origin, { target: PICTURE }, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': String(body.length) } });
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  test.each([
    ['SVG', 'image/svg+xml', svg],
    ['SVG that says JPEG', 'image/jpeg', svg],
    ['HTML', 'text/html', Buffer.from('<!doctype html><p>text')],
    ['a PNG that says JPEG', 'image/jpeg', FILES['image/png']],
    ['a JPEG without a type', '', FILES['image/jpeg']],
    ['a JPEG that says HTML', 'text/html', FILES['image/jpeg']],
    ['less than a signature', 'image/webp', Buffer.from('RIFF')],
    ['six bytes that begin as a JPEG', 'image/jpeg', FILES['image/jpeg'].subarray(0, 6)],
    ['nothing', 'image/jpeg', Buffer.alloc(0)],
    ['more than 25 MB', 'image/jpeg', Buffer.concat([FILES['image/jpeg'], Buffer.alloc(25_000_000)])],
  ])('refuses %s', async (_, type, body) => {
    const { origin } = await startPictureProxy((__, response) => sendFile(response, type, body));
    const { status, headers, body: document } = await send(origin, { target: PICTURE });
    expect(status).toBe(502);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(JSON.parse(document)).toMatchObject({ code: 'upstream_failed', instance: PICTURE });
  });

  test('refuses a compressed file and a redirect, which it does not follow', async () => {
    const { origin, calls } = await startPictureProxy((request, response) => {
      if (request.url?.includes('redirect')) response.writeHead(302, { Location: '/media/other.jpg' }).end();
      else {
        response.setHeader('Content-Encoding', 'gzip');
        sendFile(response, 'image/jpeg');
      }
    });
    expect(await send(origin, { target: PICTURE })).toMatchObject({ status: 502 });
    expect(await send(origin, { target: proxyPath('https://pbs.twimg.com/redirect.jpg') })).toMatchObject({
      status: 502,
    });
    expect(calls).toHaveLength(2);
  });

  test.each([
    [404, 404, 'route_not_found'],
    [403, 404, 'route_not_found'],
    [429, 503, 'upstream_unavailable'],
    [500, 503, 'upstream_unavailable'],
  ])('to status %i of the host has status %i', async (given, status, code) => {
    const { origin } = await startPictureProxy((_, response) => void response.writeHead(given).end('secret text'));
    const answer = await send(origin, { target: PICTURE });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ code });
    expect(answer.body).not.toContain('secret');
  });

  test('repeats 304 and 416', async () => {
    const { origin } = await startPictureProxy((request, response) => {
      if (request.headers['if-none-match'] !== undefined) response.writeHead(304, { ETag: '"a"' }).end();
      else if (request.headers.range === 'bytes=0-11') sendFile(response, 'image/jpeg');
      else response.writeHead(416, { 'Content-Range': 'bytes */104', 'Content-Type': 'text/html' }).end('text');
    });
    const unchanged = await send(origin, { target: PICTURE, headers: { 'If-None-Match': '"a"' } });
    expect(unchanged).toMatchObject({
      status: 304,
      headers: { etag: '"a"', 'cache-control': 'public, max-age=86400' },
    });
    const beyond = await send(origin, { target: PICTURE, headers: { Range: 'bytes=900-' } });
    const headers = { 'content-range': 'bytes */104', 'cache-control': 'no-store' };
    expect(beyond).toMatchObject({ status: 416, headers });
    expect(JSON.parse(beyond.body)).toEqual({ type: 'about:blank', title: 'Range Not Satisfiable', status: 416 });
  });
});

describe('[pictures 4] parts', () => {
  const SIZE = 60_000_000;

  /** @param head the first bytes of the file @param shift added to the place of every part @param missing bytes of its end */
  const startVideoHost = (head = FILES['video/mp4'], shift = 0, missing = 0) =>
    startPictureProxy((request, response) => {
      const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      const first = (from === '' ? SIZE - Number(to) : Number(from)) + shift;
      const last = from === '' || to === '' ? SIZE - 1 : Number(to) + shift;
      const body = Buffer.alloc(last - first + 1 - missing);
      if (first < head.length) head.copy(body, 0, first);
      const range = `bytes ${first}-${last}/${SIZE}`;
      response.writeHead(206, { 'Content-Type': 'video/mp4', 'Content-Length': body.length, 'Content-Range': range });
      response.end(body);
    });

  test('a part is cut to 4 MB', async () => {
    const { origin, calls } = await startVideoHost();
    const { status, headers } = await send(origin, { target: VIDEO, headers: { Range: 'bytes=0-' } });
    expect(status).toBe(206);
    expect(headers).toMatchObject({ 'content-range': `bytes 0-3999999/${SIZE}`, 'content-length': '4000000' });
    expect(calls).toHaveLength(1);
  });

  test('the last bytes of a file are cut to 4 MB from their start, also if they are more than a picture may have', async () => {
    const { origin } = await startVideoHost();
    const { status, headers } = await send(origin, { target: VIDEO, headers: { Range: 'bytes=-30000000' } });
    expect(status).toBe(206);
    const range = `bytes 30000000-33999999/${SIZE}`;
    expect(headers).toMatchObject({ 'content-range': range, 'content-length': '4000000' });
  });

  test('the first bytes of the file are read once before another part', async () => {
    const { origin, calls } = await startVideoHost();
    for (const range of ['bytes=1000-1999', 'bytes=-100', 'bytes=59999999-']) {
      expect((await send(origin, { target: VIDEO, headers: { Range: range } })).status).toBe(206);
    }
    expect(calls).toHaveLength(4);
  });

  test.each([
    ['bytes=0-0', 2],
    ['bytes=0-1', 2],
    ['bytes=0-7', 2],
    ['bytes=0-10', 2],
    ['bytes=0-11', 1],
  ])('%s, as a player may begin, passes, after the first bytes if it does not have them', async (range, requests) => {
    const { origin, calls } = await startVideoHost();
    const { status, headers, body } = await send(origin, { target: VIDEO, headers: { Range: range } });
    const [, last = ''] = range.split('-');
    expect(status).toBe(206);
    expect(headers).toMatchObject({ 'content-type': 'video/mp4', 'content-range': `bytes 0-${last}/${SIZE}` });
    expect(body).toBe(FILES['video/mp4'].toString('utf8', 0, Number(last) + 1));
    expect(calls).toHaveLength(requests);
    const html = await startVideoHost(Buffer.from('<!doctype html>'));
    expect((await send(html.origin, { target: VIDEO, headers: { Range: range } })).status).toBe(502);
  });

  test('a part of a file of another type, and another part than the one that was asked for, are refused', async () => {
    const html = await startVideoHost(Buffer.from('<!doctype html>'));
    expect((await send(html.origin, { target: VIDEO, headers: { Range: 'bytes=20-' } })).status).toBe(502);
    const shifted = await startVideoHost(FILES['video/mp4'], 10);
    expect((await send(shifted.origin, { target: VIDEO, headers: { Range: 'bytes=0-' } })).status).toBe(502);
    const short = await startVideoHost(FILES['video/mp4'], 0, 1);
    expect((await send(short.origin, { target: VIDEO, headers: { Range: 'bytes=0-99' } })).status).toBe(502);
  });

  test.each(['bytes=5-1', 'bytes=0-1,5-6', 'items=0-5', 'bytes=-0', 'bytes=x'])('%s is ignored', async (range) => {
    const { origin, calls } = await startPictureProxy();
    expect((await send(origin, { target: PICTURE, headers: { Range: range } })).status).toBe(200);
    expect(calls[0]?.rawHeaders.map((field) => field.toLowerCase())).not.toContain('range');
  });
});

/** Requests a file and reads nothing. */
const open = async (origin: string, target = VIDEO, localAddress = '127.0.0.1'): Promise<IncomingMessage> => {
  const request = httpGet(new URL(target, origin), { agent: false, localAddress });
  const [response] = await once(request, 'response');
  response.pause();
  return response;
};

describe('[pictures 5] streams', () => {
  const CHUNK = Buffer.alloc(65_536);
  const SIZE = 200_000_000;

  /** A host that writes as fast as it may. @returns the bytes that it wrote */
  const startLargeHost = async () => {
    const written: number[] = [];
    const { origin, lines } = await startPictureProxy((_, response) => {
      const at = written.push(0) - 1;
      response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': SIZE });
      response.write(FILES['video/mp4']);
      let left = SIZE - FILES['video/mp4'].length;
      const write = (): void => {
        while (left > 0) {
          const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
          left -= chunk.length;
          written[at] = SIZE - left;
          if (!response.write(chunk)) break;
        }
        if (left === 0) response.end();
        else response.once('drain', write);
      };
      write();
    });
    return { origin, written, lines };
  };

  test('a video of 200 MB passes, and no more of it than a reader takes', async () => {
    const { origin, written } = await startLargeHost();
    const stopped = await open(origin);
    const read = await open(origin);
    let bytes = 0;
    for await (const chunk of read) bytes += chunk.length;
    expect(bytes).toBe(SIZE);
    // The sockets of the kernel hold some; the other file has passed meanwhile.
    expect(written[0]).toBeLessThan(20_000_000);
    stopped.destroy();
  });

  /** Requests files and reads nothing. The answers come as slots are free. */
  const stop = (origin: string, count: number, localAddress: string, target = VIDEO) => {
    const requests = Array.from({ length: count }, () =>
      httpGet(new URL(target, origin), { agent: false, localAddress }).on('error', () => undefined),
    );
    let answered = 0;
    for (const request of requests) {
      request.once('response', (response: IncomingMessage) => {
        answered += 1;
        response.on('error', () => undefined).pause();
      });
    }
    return {
      answered: () => answered,
      leave: () => {
        for (const request of requests) request.destroy();
      },
    };
  };

  test('readers that stop have a third of the slots if they are of one network, and others have theirs', async () => {
    const { origin } = await startLargeHost();
    const greedy = stop(origin, 40, '127.0.0.1');
    await expect.poll(greedy.answered).toBe(11);
    for (const address of ['127.2.0.1', '127.3.0.1', '127.9.9.1']) {
      const other = await open(origin, VIDEO, address);
      expect(other.statusCode).toBe(200);
      other.destroy();
    }
    greedy.leave();
    await expect.poll(async () => (await send(origin, { target: VIDEO }, { method: 'HEAD' })).status).toBe(200);
  });

  test('videos take no slot of pictures', async () => {
    const { origin } = await startLargeHost();
    const videos = stop(origin, 40, '127.0.0.1');
    await expect.poll(videos.answered).toBe(11);
    expect((await send(origin, { target: PICTURE }, { method: 'HEAD' })).status).toBe(200);
    videos.leave();
  });

  test('if readers that stop have all slots, one of them goes for another network', async () => {
    const { origin, lines } = await startLargeHost();
    const stopped = Array.from({ length: 32 }, (_, index) => stop(origin, 1, `127.${index}.0.1`));
    await expect.poll(() => stopped.filter(({ answered }) => answered() === 1)).toHaveLength(32);
    expect(lines).toEqual([]);
    const other = await open(origin, VIDEO, '127.200.0.1');
    expect(other.statusCode).toBe(200);
    expect(lines).toHaveLength(1);
    other.destroy();
    for (const { leave } of stopped) leave();
  });

  test('a host that breaks off or sends more than it says does not complete or grow an answer', async () => {
    const { origin } = await startPictureProxy((request, response) => {
      const body = FILES['image/jpeg'];
      const length = request.url?.includes('short') ? body.length + 1000 : 20;
      response.socket?.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: ${length}\r\n\r\n`),
          body,
        ]),
      );
    });
    await expect(send(origin, { target: proxyPath('https://pbs.twimg.com/short.jpg') })).rejects.toThrow('aborted');
    const long = await send(origin, { target: proxyPath('https://pbs.twimg.com/long.jpg') }).catch(() => undefined);
    expect(long?.headers['content-length'] ?? '20').toBe('20');
  });

  test('a file of unknown length ends at the bound', async () => {
    const { origin } = await startPictureProxy((_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg' });
      response.write(FILES['image/jpeg']);
      const write = (): void => {
        while (!response.destroyed && response.write(CHUNK));
        response.once('drain', write);
      };
      write();
    });
    const response = await open(origin, PICTURE);
    let bytes = 0;
    await expect(
      (async () => {
        for await (const chunk of response) bytes += chunk.length;
      })(),
    ).rejects.toThrow('aborted');
    expect(bytes).toBeLessThanOrEqual(25_000_000);
  });

  test('a host that is silent ends the request with 503, and its reader can leave before', async () => {
    const { origin, calls, lines } = await startPictureProxy(() => undefined);
    const leaving = httpGet(new URL(PICTURE, origin), { agent: false }).on('error', () => undefined);
    await expect.poll(() => calls.length).toBe(1);
    leaving.destroy();
    await expect.poll(() => lines.length).toBe(1);
    const { status, headers } = await send(origin, { target: PICTURE });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('30');
  });
});
