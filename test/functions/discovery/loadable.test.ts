// Tests from where the front page takes the pictures of a post.
import { afterEach, expect, test, vi } from 'vitest';
import { readLoadable } from '../../../functions/discovery/page/loadable.ts';

afterEach(() => vi.unstubAllGlobals());

const MEDIA = '/assets/pbs/0123456789abcdef';

const loadableOf = (html: string, pictures?: string) => {
  vi.stubGlobal('document', { body: { dataset: { pictures } } });
  vi.stubGlobal('fetch', async () => new Response(html));
  return readLoadable('/a/status/20', {});
};

test('[pictures 1] a picture comes from X if the service passes on none', async () => {
  const loadableUrl = await loadableOf('');
  expect(loadableUrl('https://pbs.twimg.com/media/A.jpg')).toBe('https://pbs.twimg.com/media/A.jpg');
  expect(loadableUrl('https://a.example/A.jpg')).toBeUndefined();
});

test.each([
  ['a photo', 'https://pbs.twimg.com/media/A-b_C.jpg', `<img src="${MEDIA}/media/A-b_C?format=jpg&amp;name=small">`],
  [
    'an avatar',
    'https://pbs.twimg.com/profile_images/1/a_normal.jpg',
    `<img src="${MEDIA}/profile_images/1/a_x96.jpg">`,
  ],
  [
    'a still of a GIF',
    'https://pbs.twimg.com/tweet_video_thumb/Gif.jpg',
    `<video poster="${MEDIA}/tweet_video_thumb/Gif.jpg"><source src="/assets/video/0123456789abcdef/tweet_video/Gif.mp4">`,
  ],
])('[pictures 6] %s comes from the path that the page signs', async (_, url, html) => {
  const [, path = ''] = /(?:src|poster)="([^"]*)"/.exec(html) ?? [];
  expect((await loadableOf(html, 'proxied'))(url)).toBe(path.replace('&amp;', '&'));
});

test('[pictures 6] the pictures of two accounts stay apart when their files have one name', async () => {
  const paths = ['1', '2'].map((id) => `${MEDIA}/profile_images/${id}/image_normal.jpg`);
  const loadableUrl = await loadableOf(paths.map((path) => `<img src="${path}">`).join(''), 'proxied');
  expect(['1', '2'].map((id) => loadableUrl(`https://pbs.twimg.com/profile_images/${id}/image.jpg`))).toEqual(paths);
  expect(loadableUrl('https://pbs.twimg.com/profile_images/3/image.jpg')).toBeUndefined();
});
