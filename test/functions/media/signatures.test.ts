// Tests which files the picture proxy passes on: those that a page of the service has linked.
import { expect, test } from 'vitest';
import { createLinkCheck, createProxyPath } from '../../../shared/auth/picture-signatures.ts';
import { proxyPath, startPictureProxy } from '../../support/picture-host.ts';
import { send } from '../../support/send.ts';

const PICTURE = 'https://pbs.twimg.com/media/a?format=jpg&name=small';
const VIDEO = 'https://video.twimg.com/tweet_video/a.mp4?tag=12';

/** @returns the path of the first file with the signature of the second */
const withSignatureOf = (url: string, other: string): string => {
  const [, , , signature = ''] = proxyPath(other).split('/');
  return proxyPath(url).replace(/[\w-]{16}/, signature);
};

test('[pictures 6] a linked file is passed on, by the same path each time', async () => {
  const { origin, calls } = await startPictureProxy();
  expect(proxyPath(PICTURE)).toBe(proxyPath(PICTURE));
  expect((await send(origin, { target: proxyPath(PICTURE) })).status).toBe(200);
  expect((await send(origin, { target: proxyPath(PICTURE) }, { method: 'HEAD' })).status).toBe(200);
  expect(calls.map(({ url }) => url)).toEqual(['/media/a?format=jpg&name=small', '/media/a?format=jpg&name=small']);
});

test.each([
  ['no signature', '/assets/pbs/media/a?format=jpg&name=small'],
  ['no signature, but a folder of its length', '/assets/pbs/0123456789abcdef/media/a?format=jpg&name=small'],
  ['the signature of another file', withSignatureOf(PICTURE, PICTURE.replace('/a', '/b'))],
  ['the signature of another size', withSignatureOf(PICTURE, PICTURE.replace('small', 'large'))],
  [
    'the signature of a file of the other host',
    withSignatureOf(VIDEO, VIDEO.replace('video.', 'pbs.').split('?')[0] ?? ''),
  ],
  ['a parameter more', `${proxyPath(VIDEO.split('?')[0] ?? '')}?tag=12`],
  ['a parameter less', proxyPath(PICTURE).replace('&name=small', '')],
  ['another file name', proxyPath(VIDEO).replace('/a.mp4', '/b.mp4')],
  ['a signature in capitals', proxyPath(PICTURE).replace(/[\w-]{16}/, (text) => text.toUpperCase())],
  ['a short signature', proxyPath(PICTURE).replace(/([\w-]{15})[\w-]/, '$1')],
])('[pictures 6] a path with %s is not found, without a call', async (_, target) => {
  const { origin, calls } = await startPictureProxy();
  for (const headers of [{}, { Range: 'bytes=0-1' }]) {
    const { status, body } = await send(origin, { target, headers });
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ code: 'route_not_found' });
  }
  expect(calls).toEqual([]);
});

test('[pictures 6] paths of the last secret stay valid', async () => {
  const { origin } = await startPictureProxy(undefined, createLinkCheck(['new', 'old']));
  for (const [secret, status] of [
    ['new', 200],
    ['old', 200],
    ['older', 404],
  ] as const)
    expect((await send(origin, { target: createProxyPath(secret)(PICTURE) ?? '' })).status, secret).toBe(status);
});
