// Reads pages of the local service with three libraries that build link previews, by the headers of real clients. The
// requests pass through the edge function, which chooses the page.
import { getPreviewFromContent } from 'link-preview-js';
import openGraphScraper from 'open-graph-scraper';
import { unfurl } from 'unfurl.js';
import { describe, expect, test } from 'vitest';
import { sendRequest, shareService } from '../support/local-service.ts';

const service = shareService();

/** No client here names a type, so only User-Agent selects the page. */
const CLIENTS = {
  discord: { Accept: '*/*', 'User-Agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
  slack: { Accept: '*/*', 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  facebook: {
    Accept: '*/*',
    'User-Agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  },
} as const;

interface Picture {
  readonly url: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** The result of a library. A library that does not read a value leaves it out. */
interface Preview {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly url?: string | undefined;
  readonly pictures: readonly Picture[];
  readonly videos: readonly (Picture & { readonly type: string | undefined })[];
  readonly card?: string | undefined;
  readonly favicon?: string | undefined;
}

const numberOf = (value: string | number | undefined | null): number | undefined =>
  value === undefined || value === null ? undefined : Number(value);

const byUnfurl = async (target: string): Promise<Preview> => {
  const {
    open_graph: page,
    twitter_card: card,
    favicon,
  } = await unfurl(`${service.origin}${target}`, {
    headers: CLIENTS.slack,
  });
  return {
    title: page.title,
    description: page.description,
    url: page.url,
    pictures: (page.images ?? []).map(({ url, width, height }) => ({ url, width, height })),
    videos: (page.videos ?? []).map((video) => ({
      url: video.url,
      // The library reads it, but does not declare it.
      type: 'type' in video ? String(video.type) : undefined,
      width: video.width,
      height: video.height,
    })),
    card: card.card,
    favicon,
  };
};

const byOpenGraphScraper = async (target: string): Promise<Preview> => {
  const { result } = await openGraphScraper({
    html: (await sendRequest(service.origin, target, { headers: CLIENTS.facebook })).body,
  });
  return {
    title: result.ogTitle,
    description: result.ogDescription,
    url: result.ogUrl,
    pictures: (result.ogImage ?? []).map(({ url, width, height }) => ({
      url,
      width: numberOf(width),
      height: numberOf(height),
    })),
    videos: (result.ogVideo ?? []).map(({ url, type, width, height }) => ({
      url,
      type,
      width: numberOf(width),
      height: numberOf(height),
    })),
    card: result.twitterCard,
    favicon: result.favicon && new URL(result.favicon, service.origin).href,
  };
};

/** The library refuses loopback addresses, so it gets the answer. It reads no size of pictures. */
const byLinkPreview = async (target: string): Promise<Preview> => {
  const answer = await sendRequest(service.origin, target, { headers: CLIENTS.discord });
  const preview = await getPreviewFromContent({
    url: `${service.origin}${target}`,
    headers: { 'content-type': String(answer.headers['content-type']) },
    data: answer.body,
  });
  if (!('title' in preview)) return { title: undefined, description: undefined, pictures: [], videos: [] };
  return {
    title: preview.title,
    description: preview.description,
    pictures: preview.images.map((url) => ({ url })),
    videos: preview.videos.map(({ url = '', type, width, height }) => ({
      url,
      type: type ?? undefined,
      width: numberOf(width),
      height: numberOf(height),
    })),
    favicon: preview.favicons[0],
  };
};

const libraries = [
  ['unfurl.js', byUnfurl],
  ['open-graph-scraper', byOpenGraphScraper],
  ['link-preview-js', byLinkPreview],
] as const;

interface Expected {
  readonly video?: Picture;
  /** @default 'summary_large_image' */
  readonly card?: 'summary';
  /** @default the target */
  readonly url?: string;
}

const avatar = (name: string): Picture => ({
  url: `https://pbs.twimg.com/profile_images/${name}_400x400.jpg`,
  width: 400,
  height: 400,
});

const SERVICE_PICTURE: Picture = { url: '{origin}/assets/preview.png', width: 1200, height: 630 };

const still = (path: string): Picture => ({ url: `https://pbs.twimg.com/${path}?name=medium` });

const photo = (name: string, width: number, height: number): Picture => ({
  ...still(`media/${name}`),
  width,
  height,
});

/** With a part of the title, and the beginning of the description. */
const pages: readonly (readonly [
  page: string,
  target: string,
  title: string,
  description: string,
  pictures: readonly Picture[],
  more: Expected,
])[] = [
  [
    'a text post',
    '/jack/status/20',
    'jack',
    'just setting up my twttr',
    [avatar('1661201415899951105/azNjKOSH')],
    { card: 'summary' },
  ],
  [
    'a post with a picture',
    '/haru_k/status/2032033858974646827',
    '春樹 🌸',
    '朝の湖',
    [photo('P858974645827.jpg', 1200, 800)],
    {},
  ],
  [
    'a post with four pictures',
    '/kestrel_labs/status/2032048958469046864?utm_source=chat',
    'Kestrel Labs',
    'Rev C boards, four angles.',
    [
      photo('P958469045864.jpg', 1200, 800),
      photo('P958469045863.png', 675, 1200),
      photo('P958469045862.jpg', 1200, 800),
      photo('P958469045861.jpg', 640, 640),
    ],
    { url: '/kestrel_labs/status/2032048958469046864' },
  ],
  [
    'a post with a video',
    '/slowtv_live/status/2032396246840246938',
    'Slow TV Live',
    'Tonight: Flåm → Myrdal, uncut.',
    [{ ...still('ext_tw_video_thumb/2032396246840245938/pu/img/T6840245938.jpg'), width: 1200, height: 675 }],
    {
      video: {
        url: 'https://video.twimg.com/ext_tw_video/2032396246840245938/pu/vid/avc1/1280x720/c40245938.mp4?tag=12',
        width: 1280,
        height: 720,
      },
    },
  ],
  [
    'an article',
    '/i/status/2033845798302647530',
    'Why fjords ring: a field report & a warning',
    'Fjords ring like glasses.',
    [{ ...still('media/COVERfjord1.jpg'), width: 1200, height: 480 }],
    { url: '/ada_larsson/status/2033845798302647530' },
  ],
  [
    'a profile',
    '/ada_larsson',
    'Ada Larsson',
    'Marine acoustics. I listen to fjords.',
    [avatar('2201001/ada_larsson')],
    { card: 'summary' },
  ],
  ['followers', '/ada_larsson/followers', 'ada_larsson', '', [SERVICE_PICTURE], {}],
  [
    'the quotes of a post',
    '/i/status/2028036267832246272/quotes',
    'Quotes of a post of @ada_larsson',
    'The fjord is quiet tonight.',
    [avatar('2201001/ada_larsson')],
    { card: 'summary' },
  ],
  ['a search', '/search?q=tide', 'tide', '', [SERVICE_PICTURE], {}],
  ['the front page', '/', 'Postern', '', [SERVICE_PICTURE], {}],
  [
    'a page of the documentation',
    '/docs/posts',
    'Posts',
    'Read one public post with its conversation',
    [SERVICE_PICTURE],
    {},
  ],
];

const withOrigin = (picture: Picture): Picture => ({
  ...picture,
  url: picture.url.replace('{origin}', service.origin),
});

/** Leaves out what the library did not read: link-preview-js reads no sizes of pictures and no card. */
const readable = (expected: object, found: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(expected).filter(([name]) => name in found));

describe.each(libraries)('%s', (_, read) => {
  test.each(pages)(
    '[pages 1] the preview of %s by a client that names no type, GET %s, has its title, text and pictures',
    async (_page, target, title, description, pictures, more) => {
      const { video, card = 'summary_large_image', url = target } = more;
      const found = await read(target);
      expect(found.title).toContain(title);
      expect(found.title).not.toBe('');
      expect(found.description?.startsWith(description), found.description).toBe(true);
      expect(found.description).not.toBe('');
      const expectedPictures = pictures.map(withOrigin);
      expect(found.pictures).toEqual(
        expectedPictures.map((picture, index) => readable(picture, found.pictures[index] ?? {})),
      );
      expect(found.videos).toEqual(video === undefined ? [] : [{ ...video, type: 'video/mp4' }]);
      expect(found).toMatchObject(readable({ card, url: `${service.origin}${url}` }, found));
    },
  );

  test.each([
    ['deleted', '/i/status/1990000000000000001', 404],
    ['protected', '/i/status/1990000000000000100', 403],
  ])('GET of a %s post previews nothing of a post', async (_reason, target, status) => {
    const { headers, body } = await sendRequest(service.origin, target, { headers: CLIENTS.discord });
    expect(headers['cache-control']).toContain('max-age=30');
    // A library that follows the status reports an error.
    const found = await read(target).catch(() => undefined);
    expect(found?.pictures.filter(({ url }) => !url.startsWith(service.origin)) ?? []).toEqual([]);
    expect(found?.videos ?? []).toEqual([]);
    expect((await sendRequest(service.origin, target, { headers: CLIENTS.slack })).status).toBe(status);
    expect(body).not.toContain('twimg.com');
  });
});

test('[oembed 1] unfurl.js finds the embed of a post by the link of its page', async () => {
  const { oEmbed } = await unfurl(`${service.origin}/jack/status/20`, { headers: CLIENTS.slack });
  expect(oEmbed).toMatchObject({ type: 'rich', provider_name: 'Postern' });
});

test('[pages 1] a script and a client of link previews get their own formats of a permalink from the shared cache', async () => {
  const target = '/haru_k/status/2032033858974646827?thread=off';
  const get = async (headers: Readonly<Record<string, string>>) => {
    const answer = await sendRequest(service.origin, target, { headers });
    return [answer.headers['content-type'], answer.cache];
  };
  const script = { Accept: '*/*', 'User-Agent': 'curl/8.5.0' };
  expect(await get(script)).toEqual(['text/markdown; charset=utf-8', 'Miss']);
  expect(await get(CLIENTS.discord)).toEqual(['text/html; charset=utf-8', 'Miss']);
  // Another client gets the stored page, as a browser does.
  expect(await get(CLIENTS.slack)).toEqual(['text/html; charset=utf-8', 'Hit']);
  expect(await get({ Accept: 'text/html' })).toEqual(['text/html; charset=utf-8', 'Hit']);
  expect(await get(script)).toEqual(['text/markdown; charset=utf-8', 'Hit']);
  const { headers } = await sendRequest(service.origin, target, { headers: CLIENTS.discord });
  expect(headers['vary']).toBe('Accept, Accept-Encoding');
});
