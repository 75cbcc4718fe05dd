// Answers Chromium's requests for pictures and videos of X, which tests cannot reach. Each picture has the proportions that
// the JSON of the page names. The answers are held back until they are released, so that a test sees the page without them.
import type { HTTPRequest, Page } from 'puppeteer-core';

const PICTURE_HOST = /^https:\/\/(?:pbs|video|abs)\.twimg\.com\/|\/assets\/(?:pbs|video)\//;

interface Size {
  readonly width: number;
  readonly height: number;
}

const ID = /\/(?:media|[a-z_]+_thumb|profile_banners|card_img)\/([^/?.:]+)/;

/** The part of a URL that all sizes of a picture share. */
const pictureKey = (url: string): string => ID.exec(url)?.[1] ?? url;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The sizes of all media in a JSON body, by picture. */
export const sizesIn = (body: unknown, sizes: Map<string, Size> = new Map()): ReadonlyMap<string, Size> => {
  if (!isObject(body)) return sizes;
  const { width, height, url, thumbnail_url: thumbnail } = body;
  if (typeof width === 'number' && typeof height === 'number')
    for (const address of [url, thumbnail])
      if (typeof address === 'string') sizes.set(pictureKey(address), { width, height });
  for (const member of Object.values(body)) sizesIn(member, sizes);
  return sizes;
};

/** A picture whose size is not in the JSON: an avatar, a banner or the picture of a card. */
const defaultSize = (url: string): Size =>
  url.includes('/profile_banners/') ? { width: 1500, height: 500 } : { width: 400, height: 400 };

const svgOf = ({ width, height }: Size): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#789"/><circle cx="50%" cy="50%" r="30%" fill="#e9e2c8"/></svg>`;

/** @param sizes by picture; unset: no picture can be reached */
export const servePictures = async (page: Page, origin: string, sizes?: ReadonlyMap<string, Size>) => {
  /** The requests to other hosts than the service and the picture hosts of X. */
  const foreign: string[] = [];
  const pictures: string[] = [];
  const held: HTTPRequest[] = [];
  let isReleased = sizes === undefined;
  const answer = (request: HTTPRequest): Promise<void> =>
    sizes === undefined
      ? request.abort('failed')
      : request.respond({
          contentType: 'image/svg+xml',
          body: svgOf(sizes.get(pictureKey(request.url())) ?? defaultSize(request.url())),
        });
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = request.url();
    if (!PICTURE_HOST.test(url)) {
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) foreign.push(url);
      void request.continue();
      return;
    }
    pictures.push(url);
    if (isReleased) void answer(request);
    else held.push(request);
  });
  return {
    foreign,
    pictures,
    /** Answers the held requests, and from now on each request at once. */
    release(): void {
      isReleased = true;
      for (const request of held.splice(0)) void answer(request);
    },
  };
};
