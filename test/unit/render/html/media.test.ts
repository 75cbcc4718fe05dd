// Checks how pages show pictures and videos: their sizes, what loads, and what is only linked.
import { describe, expect, test } from 'vitest';
import type { ArticleBlock } from '../../../../shared/model/post.ts';
import { mediumPicture, sizesOf, videoFiles } from '../../../../shared/render/content/media-files.ts';
import { itemHtml } from '../../../../shared/render/feeds/item-html.ts';
import { conversationHtml } from '../../../../shared/render/html/conversation.ts';
import { postsHtml } from '../../../../shared/render/html/list.ts';
import { mediaHtml } from '../../../../shared/render/html/media.ts';
import { postItemHtml } from '../../../../shared/render/html/post-item.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';
import { photo, video } from '../../../support/rich-media.ts';

const PICTURE = 'https://pbs.twimg.com/media/A.jpg';

test('a picture has only candidates of X, whatever the end of its URL is', () => {
  // HTML, "parse a srcset attribute": a URL has no space, and commas at its end are not part of it.
  for (const end of ['#x,', '#,', '?a=1,', '#a b,', ',', ':large,']) {
    const html = String(mediaHtml([photo({ url: PICTURE + end })]));
    const candidates = (/srcset="([^"]*)"/.exec(html)?.[1] ?? '').split(/\s+/).filter((_, index) => index % 2 === 0);
    expect(candidates).toHaveLength(2);
    for (const url of candidates) expect(url).toMatch(/^https:\/\/pbs\.twimg\.com\/.*[^,]$/);
  }
});

test('the short way to the size of a picture gives what the parser of URLs gives', () => {
  const bySizeName = (url: string): string => {
    const sized = new URL(url);
    sized.pathname = sized.pathname.replace(/:[a-z0-9]+$/, '');
    sized.searchParams.set('name', 'medium');
    sized.hash = '';
    return sized.href;
  };
  const files = [
    'media/A.jpg',
    'media/a/b-c_d',
    'ext_tw_video_thumb/1/pu/img/T.jpg',
    'media/../a.jpg',
    'media/a//b.jpg',
    'media/a b',
  ];
  const ends = [
    '',
    '?name=orig',
    '?format=png',
    '?format=png&name=small',
    '?name=orig&format=png',
    '&name=x',
    ':large',
    '?a=1',
    '#x',
    '?format=a,b',
  ];
  for (const file of files)
    for (const end of ends) {
      const url = `https://pbs.twimg.com/${file}${end}`;
      const isSized = /\/(?:media|[a-z_]+_thumb)\//.test(new URL(url).href);
      expect(mediumPicture(url)?.url, url).toBe(isSized ? bySizeName(url) : new URL(url).href);
    }
  expect(mediumPicture('https://pbs.twimg.com/profile_images/1/a.jpg')?.url).toBe(
    'https://pbs.twimg.com/profile_images/1/a.jpg',
  );
});

test.each([
  [1, 1, '1x1 1x1 1x1'],
  [1, 5000, '1x2048 1x1200 1x680'],
  [680, 340, '680x340 680x340 680x340'],
  [681, 681, '681x681 681x681 680x680'],
  [4096, 3072, '2048x1536 1200x900 680x510'],
])('a picture of %i by %i pixels has the sizes %3$s', (width, height, expected) => {
  expect(
    sizesOf(photo({ width, height }))
      .map((size) => `${size.width}x${size.height}`)
      .join(' '),
  ).toBe(expected);
});

test('a feed item names the size of a picture only if both sides are known', () => {
  const sized = (members: object): string => String(itemHtml(postOf({ media: [photo({ url: PICTURE, ...members })] })));
  expect(sized({ width: 600, height: 400 })).toContain(' width="600" height="400"/>');
  for (const members of [{ width: undefined }, { height: undefined }]) {
    expect(sized({ width: 600, height: 400, ...members })).toMatch(/<img src="[^"]*" alt="[^"]*"\/>/);
  }
});

describe('a video', () => {
  const variant = (size: string, bitrate: number, members = {}) => ({
    url: `https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/${size}/a.mp4`,
    content_type: 'video/mp4',
    bitrate,
    ...members,
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
    const html = String(mediaHtml([video({ url, variants, thumbnail_url: undefined, duration_ms: undefined })]));
    expect(html).not.toContain('<video');
    expect(html).toBe(
      `<a href="${url}" rel="nofollow noopener" class="card"><span><b>Video</b><small>video.twimg.com</small></span></a>`,
    );
  });
});

describe('[reading 4] the viewer of the large pictures', () => {
  const post = postOf({
    media: [photo({ url: PICTURE, alt_text: 'A quiet fjord' }), photo({ url: `${PICTURE}?format=png` })],
  });
  const BASE = 'https://postern.example';

  test('is on the page of a post and of each part of a thread, each with ids of its own', () => {
    const next = { ...post, id: '21', in_reply_to: { handle: 'ada', id: '20' } };
    const html = String(conversationHtml(conversationOf(post, { thread: [next] }), BASE));
    const ids = [...html.matchAll(/ id="(v[^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['v1-0', 'v1-0-1', 'v1-0-1d', 'v1-0-2', 'v2-0', 'v2-0-1', 'v2-0-1d', 'v2-0-2']);
    expect([...html.matchAll(/ href="#(v[^"]*)">/g)].map(([, id]) => id)).toEqual([
      'v1-0-2',
      'v1-0-1',
      'v2-0-2',
      'v2-0-1',
    ]);
    expect(html).toContain('<p id="v1-0-1d" lang="" dir="auto">A quiet fjord</p>');
    expect(html).toContain('@supports not selector(:popover-open)');
  });

  /** Every id, and every id that an attribute names, in order. */
  const idsIn = (html: string) => ({
    ids: [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id),
    named: [...html.matchAll(/ (?:popovertarget|aria-describedby)="([^"]*)"| href="#(v[^"]*)"/g)].map(
      ([, target, anchor]) => target ?? anchor,
    ),
  });

  const around = conversationOf(postOf({ quote: { ...post, quote: post } }), {
    replies: [post, { ...post, quote: post }],
    ancestors: [{ ...post, author: userOf('Bo', 'bo') }],
  });

  test('is in items of lists, replies, quotes and what a post answers, each with ids of its own', () => {
    const list = postsHtml('Posts', [post, { ...post, quote: post }], { dates: { year: undefined } }, () => ({}));
    for (const [html, viewers] of [
      [String(list), ['v1-0', 'v2-0', 'v2q-0']],
      [String(conversationHtml(around, BASE)), ['c1-0', 'v1q-0', 'v1qq-0', 'r1-0', 'r2-0', 'r2q-0']],
    ] as const) {
      const { ids, named } = idsIn(html);
      expect([...html.matchAll(/ id="([^"]*)" popover /g)].map(([, id]) => id)).toEqual(viewers);
      expect(new Set(ids).size).toBe(ids.length);
      expect(named.filter((id) => !ids.includes(id))).toEqual([]);
      expect(html).not.toContain('<a href="https://pbs.twimg.com/media/A.jpg?name=large" rel="nofollow noopener"><img');
    }
  });

  test('is at each picture of an article, with ids of its own', () => {
    const media = photo({ url: PICTURE, alt_text: 'A chart' });
    const blocks: ArticleBlock[] = [
      { type: 'media', media },
      { type: 'heading', level: 2, spans: [{ text: 'Then' }] },
      { type: 'media', media },
    ];
    const story = postOf({ media: [media], article: { title: 'Essay', blocks } });
    const { ids, named } = idsIn(String(conversationHtml(conversationOf(story), BASE)));
    expect(ids.filter((id) => id?.startsWith('v') && !id.includes('-'))).toEqual([]);
    expect(ids.filter((id) => /^v.*-0$/.test(id ?? ''))).toEqual(['v1a1-0', 'v1a2-0', 'v1-0']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    expect(String(conversationHtml(conversationOf(story), BASE, { isKept: true }))).not.toContain('popover');
  });

  test('is not in a file that is kept, whose pictures link their files and have their descriptions below', () => {
    const kept = String(conversationHtml(around, BASE, { isKept: true }));
    const alone = String(conversationHtml(around, BASE, { isAlone: true }));
    for (const html of [kept, alone, String(postItemHtml(post))]) {
      expect(html).not.toMatch(/popover/);
      expect(html).toContain('<a href="https://pbs.twimg.com/media/A.jpg?name=large" rel="nofollow noopener"><img');
      expect(html).toContain('<details class="desc"><summary>Description of picture 1 of 2</summary>');
    }
  });

  test('names each picture by its place, and describes it once', () => {
    const html = String(mediaHtml(post.media, { viewer: 'v1', showsDescriptions: false }));
    expect([...html.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt)).toEqual([
      'Picture 1 of 2: A quiet fjord',
      'Picture 2 of 2, not described',
      'Picture 1 of 2',
      'Picture 2 of 2, not described',
    ]);
    expect(html.match(/A quiet fjord/g)).toHaveLength(2);
    const single = String(mediaHtml([photo({ url: PICTURE, alt_text: ' \u200b' })], { viewer: 'v1' }));
    expect([...single.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt)).toEqual([
      'Picture, not described',
      'Picture, not described',
    ]);
    expect(single).not.toContain('aria-describedby');
    expect(single).not.toContain('class="desc"');
  });

  test('shows the picture that the address names whole, above the others, by its place among all media', () => {
    const media = [photo(), video(), photo({ url: `${PICTURE}?b` }), photo({ url: `${PICTURE}?c` })];
    const wholeOnes = (html: string): readonly (string | undefined)[] =>
      [...html.matchAll(/<button type="button" class="whole" popovertarget="([^"]*)">/g)].map(([, id]) => id);
    const named = String(mediaHtml(media, { viewer: 'v1', photo: 4, isInView: true }));
    expect(wholeOnes(named)).toEqual(['v1-0']);
    expect(named).toMatch(/class="media many named clips"><button type="button" popovertarget="v1-0">.*class="whole"/);
    // No other number names a picture.
    for (const photoNumber of [2, 5, undefined])
      expect(wholeOnes(String(mediaHtml(media, { viewer: 'v1', photo: photoNumber })))).toEqual([]);
    expect(String(mediaHtml(media, { photo: 4 }))).not.toMatch(/whole|named/);
    const first = String(mediaHtml(media.slice(2), { viewer: 'v1', photo: 2, isInView: true }));
    expect(first.match(/<img src="[^"]*"[^>]*>/g)?.map((image) => image.includes('loading="lazy"'))).toEqual([
      true,
      false,
    ]);
  });

  test('of a thread names only a picture of the post that was asked for', () => {
    const next = { ...post, id: '21', in_reply_to: { handle: 'ada', id: '20' } };
    const html = String(conversationHtml(conversationOf(next, { ancestors: [post] }), BASE, { photo: 2 }));
    expect([...html.matchAll(/class="whole" popovertarget="([^"]*)"/g)].map(([, id]) => id)).toEqual(['v2-0']);
    const kept = String(conversationHtml(conversationOf(post), BASE, { photo: 2, isKept: true }));
    expect(kept).not.toContain('class="whole"');
  });

  test('is not there for pictures of other hosts, which are only linked', () => {
    const html = String(
      mediaHtml([photo({ url: 'https://tracker.example/a.jpg', alt_text: 'A' })], {
        viewer: 'v1',
        showsDescriptions: false,
      }),
    );
    expect(html).not.toContain('popover');
    expect(html).toContain('<a href="https://tracker.example/a.jpg"');
    expect(html).toContain('class="desc"');
  });
});

describe('[reading 6] the media of a post', () => {
  const MP4 = 'https://video.twimg.com/ext_tw_video/1/pu/vid/avc1/1280x720/a.mp4';
  const clip = video({ url: MP4, duration_ms: 15_000 });
  const gif = video({ type: 'gif', url: 'https://video.twimg.com/tweet_video/a.mp4', duration_ms: undefined });
  const still = photo({ url: PICTURE, alt_text: 'A quay' });
  const summaryOf = (...media: Parameters<typeof mediaHtml>[0]) =>
    /<summary>(.*?)<\/summary>/.exec(String(mediaHtml(media)))?.[1];

  test('is one grid of pictures, videos and GIFs in their order, in which only videos may take a row', () => {
    const html = String(mediaHtml([still, clip, gif, still], { viewer: 'v1' }));
    expect(html.match(/<div class="media[^"]*"/g)).toEqual(['<div class="media many clips"']);
    expect(html.match(/<(?:button type="button" popovertarget="v1-0"><img|video(?: class="row")? controls)/g)).toEqual([
      '<button type="button" popovertarget="v1-0"><img',
      '<video class="row" controls',
      '<video controls',
      '<button type="button" popovertarget="v1-0"><img',
    ]);
    expect([...html.matchAll(/ id="([^"]*)" tabindex/g)].map(([, id]) => id)).toEqual(['v1-0-1', 'v1-0-2']);
    expect(String(mediaHtml([clip]))).toContain('<div class="media"><video controls');
    expect(String(mediaHtml([gif, still]))).toContain('<div class="media many two"><video controls loop muted');
  });

  test('divides the grid at a video that no browser plays', () => {
    const html = String(mediaHtml([still, video({ url: 'https://elsewhere.example/v.mp4' }), still, still]));
    expect(html.match(/class="(?:media|card)[^"]*"/g)).toEqual([
      'class="media"',
      'class="card"',
      'class="media many two"',
    ]);
  });

  test('says how long its videos are and whose they are', () => {
    const bo = userOf('Bo', 'bo');
    expect(String(mediaHtml([{ ...clip, publisher: bo }, still, gif]))).toContain(
      '<p class="meta">Video, 0:15, from <a href="/bo"><bdi>Bo</bdi></a> · GIF</p>',
    );
    expect(String(mediaHtml([still]))).not.toContain('class="meta"');
  });

  test('names what a description is of', () => {
    const other = photo({ url: `${PICTURE}?format=png` });
    expect(summaryOf(still)).toBe('Description');
    expect(summaryOf(other, { ...still }, other, other)).toBe('Description of picture 2 of 4');
    expect(summaryOf(still, other, { ...still })).toBe('Descriptions of pictures 1 and 3 of 3');
    expect(summaryOf({ ...clip, alt_text: 'Waves' }, still, gif)).toBe('Descriptions of video and picture');
    expect(summaryOf(clip, still, gif)).toBe('Description of picture');
    expect(summaryOf(other)).toBeUndefined();
  });
});
