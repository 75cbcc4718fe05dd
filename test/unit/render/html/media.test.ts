// Checks how pages show pictures and videos: their sizes, what loads, and what is only linked.
import { describe, expect, test } from 'vitest';
import type { Media } from '../../../../shared/model/post.ts';
import { videoFiles } from '../../../../shared/render/content/media-files.ts';
import { mediaHtml } from '../../../../shared/render/html/media.ts';

const PICTURE = 'https://pbs.twimg.com/media/A.jpg';

const photo = (members: Partial<Media> = {}): Media => ({
  type: 'photo',
  url: `${PICTURE}?name=orig`,
  width: 4000,
  height: 3000,
  ...members,
});

const video = (members: Partial<Media> = {}): Media => ({
  type: 'video',
  url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/d.mp4?tag=12',
  width: 1280,
  height: 720,
  ...members,
});

const imagesOf = (html: string): readonly string[] => html.match(/<img [^>]*>/g) ?? [];

describe('a picture', () => {
  test('has two sizes of X, the dimensions of the small one and a link to the large one', () => {
    expect(mediaHtml([photo({ alt_text: 'A "fjord"' })])).toBe(
      `<div class="media"><a href="${PICTURE}?name=large" rel="nofollow noopener"><img src="${PICTURE}?name=small" srcset="${PICTURE}?name=small 680w, ${PICTURE}?name=medium 1200w" sizes="(min-width: 42rem) 40rem, calc(100vw - 2rem)" width="680" height="510" alt="A &quot;fjord&quot;" loading="lazy" decoding="async"></a></div>` +
        '<details class="desc"><summary>Description</summary><p dir="auto"><span>A &quot;fjord&quot;</span></p></details>',
    );
  });

  test('is never enlarged and has no candidates if all sizes are equal', () => {
    const [image] = imagesOf(mediaHtml([photo({ width: 300, height: 200 })]));
    expect(image).toContain(' width="300" height="200"');
    expect(image).not.toContain('srcset');
  });

  test('has only candidates of X, whatever the end of its URL is', () => {
    // HTML, "parse a srcset attribute": a URL has no space, and commas at its end are not part of it.
    for (const end of ['#x,', '#,', '?a=1,', '#a b,', ',', ':large,']) {
      const [image = ''] = imagesOf(mediaHtml([photo({ url: PICTURE + end })]));
      const candidates = (/srcset="([^"]*)"/.exec(image)?.[1] ?? '').split(/\s+/).filter((_, index) => index % 2 === 0);
      expect(candidates).toHaveLength(2);
      for (const url of candidates) expect(url).toMatch(/^https:\/\/pbs\.twimg\.com\/.*[^,]$/);
    }
  });

  test('reserves space if its dimensions are unknown', () => {
    const { width: _, height: __, ...unsized } = photo();
    expect(imagesOf(mediaHtml([unsized]))[0]).toContain(' class="unsized" width="680" height="453"');
  });

  test('loads at once only as the first one, and only if it is in view', () => {
    const lazy = (html: string): readonly boolean[] => imagesOf(html).map((image) => image.includes('loading="lazy"'));
    expect(lazy(mediaHtml([photo(), video(), photo()], { isInView: true }))).toEqual([false, true]);
    expect(lazy(mediaHtml([photo(), photo()], { isInView: true }))).toEqual([false, true]);
    expect(lazy(mediaHtml([photo(), photo()]))).toEqual([true, true]);
  });

  test('has a name even if its author described nothing', () => {
    const alts = (count: number): readonly string[] =>
      imagesOf(mediaHtml(Array.from({ length: count }, () => photo()))).map(
        (image) => /alt="([^"]*)"/.exec(image)?.[1] ?? '',
      );
    expect(alts(1)).toEqual(['Picture, not described']);
    expect(alts(3)).toEqual([1, 2, 3].map((number) => `Picture ${number} of 3, not described`));
  });

  test('the original is not named', () => {
    expect(mediaHtml([photo(), photo()])).not.toContain('name=orig');
  });

  test.each([
    [1, 'media'],
    [2, 'media many'],
    [3, 'media many three'],
    [4, 'media many'],
  ])('%d pictures are in one grid of the class %s', (count, classes) => {
    const html = mediaHtml(Array.from({ length: count }, () => photo()));
    expect(html.match(/<div class="[^"]*">/g)).toEqual([`<div class="${classes}">`]);
  });

  test('[text 4] a picture of another host is a link', () => {
    const url = 'https://tracker.example/a.jpg';
    const html = mediaHtml([photo({ url, alt_text: 'A fjord' }), video({ thumbnail_url: url })]);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('poster');
    expect(html).toContain(`<a href="${url}" rel="nofollow noopener">A fjord</a>`);
  });
});

describe('a video', () => {
  const variant = (size: string, bitrate: number, members = {}) => ({
    url: `https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/${size}/a.mp4`,
    content_type: 'video/mp4',
    bitrate,
    ...members,
  });

  test('waits for the reader and names its length', () => {
    expect(
      mediaHtml([video({ duration_ms: 131_000, thumbnail_url: 'https://pbs.twimg.com/ext_tw_video_thumb/1/a.jpg' })]),
    ).toBe(
      '<div class="media"><video controls playsinline preload="none" poster="https://pbs.twimg.com/ext_tw_video_thumb/1/a.jpg?name=small" width="1280" height="720" aria-label="Video, 2:11"><source src="https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/d.mp4?tag=12" type="video/mp4"><a href="https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/d.mp4?tag=12" rel="nofollow noopener">Video, 2:11</a></video></div>',
    );
  });

  test('a GIF loops without sound and does not start by itself', () => {
    const html = mediaHtml([video({ type: 'gif' })]);
    expect(html).toContain('<video controls loop muted playsinline preload="none"');
    expect(html).not.toContain('autoplay');
  });

  test('the smallest file of 720 lines or more is first, also of an upright video', () => {
    const variants = [variant('320x568', 632_000), variant('1080x1920', 10_368_000), variant('720x1280', 2_176_000)];
    expect(videoFiles(video({ variants })).map((url) => url.split('/').at(-2))).toEqual([
      '720x1280',
      '1080x1920',
      '320x568',
    ]);
  });

  test('the sharpest file is first if none has 720 lines', () => {
    const variants = [variant('320x180', 256_000), variant('640x360', 832_000)];
    expect(videoFiles(video({ variants })).map((url) => url.split('/').at(-2))).toEqual(['640x360', '320x180']);
  });

  test('streams, other codecs and other hosts are no files', () => {
    const url = 'https://video.twimg.com/ext_tw_video/1/pl/L.m3u8';
    const variants = [
      { url },
      { url: 'https://video.twimg.com/ext_tw_video/1/pu/vid/hevc/1280x720/a.mp4', bitrate: 1 },
      { url: 'https://tracker.example/1280x720/a.mp4', bitrate: 1 },
      { url: 'http://video.twimg.com/1280x720/a.mp4', bitrate: 1 },
    ];
    expect(videoFiles(video({ url, variants }))).toEqual([]);
    const html = mediaHtml([video({ url, variants })]);
    expect(html).not.toContain('<video');
    expect(html).toBe(
      `<a href="${url}" rel="nofollow noopener" class="card"><span><b>Video</b><small>video.twimg.com</small></span></a>`,
    );
  });
});
