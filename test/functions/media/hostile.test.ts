// Sends hostile targets to the picture proxy as they are: none reaches the host, and none gets another answer than a problem
// document.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fileUrl, parseFileUrl, parseProxyPath } from '../../../shared/model/picture-hosts.ts';
import { proxyPath, startPictureProxy } from '../../support/picture-host.ts';

/** With a place for the signature, which this proxy takes for the right one. */
const FOLDERS = ['/assets/pbs/0123456789abcdef', '/assets/video/0123456789abcdef'];

// biome-ignore format: side by side they fit on a screen
const PATHS = [
  '', '/', '//', '/.', '/..', '/media/', '/media//a.jpg', '//evil.example/a.jpg', '/../admin', '/media/../../i/api',
  '/./media/a.jpg', '/media/.a.jpg', '/media/a..jpg', '/media/a.jpg.', '/.well-known/x', '/media/a.jpg/.', '/...',
  '/%2e%2e/i/api', '/media%2Fa.jpg', '/media/%2e%2e%2f', '/%252e%252e/a.jpg', '/media/%00.jpg', '/media/a.jpg%00',
  '/media/a.jpg%3Fname=x', '/media/a%20b.jpg', '/%68ttp://evil.example', '/media/%E2%80%AE.jpg', '/%5c%5cevil.example',
  '/https://evil.example/a.jpg', '/@evil.example/a.jpg', '/user:pass@evil.example/a.jpg', '/:80/a.jpg',
  '/media:443/a.jpg', '/media/a.jpg:LARGE', '/media/a.jpg:large:large', '/media/a.jpg:', '/media/a.jpg:large/../b',
  '/media\\..\\a.jpg', '\\evil', '/media/a.jpg;x=1', '/media/a.jpg,b', '/media/*', '/media/a.jpg#x', '/media/a|b.jpg',
  '/media/{a}.jpg', '/~root/a.jpg', "/media/a'b.jpg", '/media/a"b.jpg', '/media/<a>.jpg', '/media/a$b.jpg',
  '/media/a!.jpg', '/media/(a).jpg', '/media/a=b', '/media/\u00e4.jpg', '/media/\u202ea.jpg',
  '/media/\uff0e\uff0e/a.jpg', '/\u2024\u2024/a.jpg', '/media/\u0430.jpg', '/a/b/c/d/e/f/g/h/i/j/k.jpg',
  `/media/${'a'.repeat(400)}.jpg`, `/${'a/'.repeat(2000)}a.jpg`, '/media/a+b.jpg', '/media/a&b.jpg',
];

// biome-ignore format: side by side they fit on a screen
const QUERIES = [
  'url=https://evil.example', 'name', 'name=', 'name=a&name=b', 'format=jpg&format=png', 'name=a=b', '=', '&',
  'name=a&', '&name=a', 'name=../x', 'name=%2e', 'name=a%00', 'name=a/b', 'name=a b', 'Name=small', 'n%61me=small',
  'name[]=a', 'name=a;tag=1', 'tag=12&x=1', `name=${'a'.repeat(21)}`, 'name=\u00e4', 'format=svg+xml', 'name=small#x',
  'name=https:', 'name=a?b', '?name=a', 'host=evil.example', 'constructor=1', '__proto__=1', 'name=@evil', 'callback=x',
  'name=a&callback=x', 'name=*', 'name="a"', 'format=.jpg', 'name=a.b',
];

// biome-ignore format: side by side they fit on a screen
const WHOLE = [
  '/assets/abs/media/a.jpg', '/assets/pbs.twimg.com/media/a.jpg', '/assets/PBS/media/a.jpg',
  '/assets/evil.example/a.jpg', '/assets/pbs:80/media/a.jpg', '/assets/pbs@evil.example/a.jpg',
  '/assets/x/pbs/media/a.jpg', '/assets//pbs/media/a.jpg', '/assets/pbs%2Fmedia/a.jpg',
  '/assets/../assets/pbs/media/a.jpg', '/assets/__proto__/a.jpg', '/assets/constructor/a.jpg',
  '/Assets/pbs/media/a.jpg', '/assets/pbs/../video/a.mp4', '/assets/127.0.0.1/a.jpg', '/assets/localhost/a.jpg',
  'https://evil.example/media/a.jpg', 'http://169.254.169.254/latest/meta-data', '*', 'pbs/media/a.jpg', '/',
];

const TARGETS = [
  ...FOLDERS.flatMap((folder) => PATHS.map((path) => folder + path)),
  ...FOLDERS.flatMap((folder) => QUERIES.map((query) => `${folder}/media/a.jpg?${query}`)),
  ...WHOLE,
];

/** Sends the bytes of the target, which no client would. */
const sendRaw = async (origin: string, method: string, target: string): Promise<string> => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  return text(socket);
};

test('[pictures 2] no hostile target reaches a host', async () => {
  const { origin, calls } = await startPictureProxy(undefined, () => true);
  expect(TARGETS.length).toBeGreaterThan(200);
  for (const target of TARGETS) {
    const answer = await sendRaw(origin, 'GET', target);
    expect(answer, target).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer, target).not.toMatch(/^content-type: (?!application\/problem\+json)/im);
  }
  expect(calls).toEqual([]);
});

test('[pictures 2] only GET and HEAD reach a host', async () => {
  const { origin, calls } = await startPictureProxy();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
    const answer = await sendRaw(origin, method, proxyPath('https://pbs.twimg.com/media/a.jpg'));
    expect(answer, method).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, HEAD\r\n/s);
  }
  expect(calls).toEqual([]);
});

test('[pictures 1] [pictures 2] the paths of pictures and videos lead to their hosts', () => {
  for (const [url, path] of [
    ['https://pbs.twimg.com/media/Gx_-1?format=jpg&name=4096x4096', '/media/Gx_-1?format=jpg&name=4096x4096'],
    ['https://pbs.twimg.com/media/a.jpg:large', '/media/a.jpg:large'],
    ['https://pbs.twimg.com/profile_images/1/at_12.34_x96.jpg', '/profile_images/1/at_12.34_x96.jpg'],
    ['https://pbs.twimg.com/profile_banners/1/2/1500x500', '/profile_banners/1/2/1500x500'],
    ['HTTPS://VIDEO.twimg.com/tweet_video/a.mp4?tag=12', '/tweet_video/a.mp4?tag=12'],
  ] as const) {
    const [proxied = '', query = ''] = proxyPath(url).split('?');
    const file = parseProxyPath(proxied, query);
    if (typeof file === 'string') throw new Error(`the ${file} is refused`);
    expect(file.path + file.query).toBe(path);
    expect(fileUrl(file)).toBe(url.replace(/^.*com/, (origin) => origin.toLowerCase()));
  }
  // biome-ignore format: side by side they fit on a screen
  for (const url of [
    'https://abs.twimg.com/a.png', 'http://pbs.twimg.com/a.png', 'https://pbs.twimg.com.evil.example/a.png',
    'https://pbs.twimg.com/../i/api', 'https://pbs.twimg.com/a.png?tag=1', 'https://video.twimg.com/a.mp4#x',
    'https://user@pbs.twimg.com/a.png', 'https://pbs.twimg.com:444/a.png',
  ])
    expect(parseFileUrl(url), url).toBeUndefined();
});
