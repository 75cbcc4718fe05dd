// Draws the pictures of the sample: avatars, banners and photos of a harbour that does not exist, each by the path of its
// picture on X, in the proportions that the sample names. The files are PNG, also where the path says `.jpg`.
import { crc32, deflateSync } from 'node:zlib';
import { isRecord } from '../../shared/model/json.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

type Color = readonly [red: number, green: number, blue: number];

/** The colour of a point; the shorter side of the picture is 1. */
type Paint = (x: number, y: number) => Color;

const mix = (a: Color, b: Color, share: number): Color => {
  const part = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
};

/** FNV-1a, 32 bits: the same path is the same picture. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

type Theme = readonly [sky: Color, glow: Color, hills: Color, water: Color];

const THEMES: readonly [Theme, ...Theme[]] = [
  [
    [120, 164, 178],
    [244, 214, 150],
    [44, 92, 84],
    [60, 122, 122],
  ],
  [
    [64, 84, 124],
    [240, 166, 120],
    [40, 48, 72],
    [72, 82, 120],
  ],
  [
    [168, 196, 190],
    [252, 244, 214],
    [86, 122, 104],
    [112, 158, 156],
  ],
  [
    [26, 44, 62],
    [110, 132, 138],
    [14, 26, 34],
    [28, 52, 66],
  ],
];

const themeOf = (hash: number): Theme => THEMES[hash % THEMES.length] ?? THEMES[0];

/** A harbour at some hour: sky, sun, two rows of hills, water with the light of the sun. */
const harbour = (hash: number, { width, height }: Size, pixel: number): Paint => {
  const [sky, glow, hills, water] = themeOf(hash);
  const wide = width / Math.min(width, height);
  const high = height / Math.min(width, height);
  const phase = (hash >>> 4) % 63;
  const shore = high * 0.62;
  const sunX = wide * (0.2 + ((hash >>> 10) % 60) / 100);
  const sunY = high * (0.25 + ((hash >>> 16) % 20) / 100);
  const ridge = (x: number, scale: number): number =>
    shore - high * scale * (1.2 + Math.sin(x * 2.3 + phase) + 0.5 * Math.sin(x * 5.1 + phase * 2));
  return (x, y) => {
    const above = mix(sky, glow, y / shore);
    const sun = mix(above, [255, 246, 220], (0.09 - Math.hypot(x - sunX, y - sunY)) / pixel);
    const far = mix(sun, mix(hills, glow, 0.45), (y - ridge(x, 0.09)) / pixel);
    const near = mix(far, hills, (y - ridge(x + 1.7, 0.04)) / pixel);
    const depth = (y - shore) / (high - shore);
    const isLit = Math.abs(x - sunX) < 0.05 + depth * 0.12 && Math.sin(y * 90 + Math.sin(x * 8) * 2) > 0.2;
    return mix(near, mix(water, isLit ? glow : hills, isLit ? 0.6 : depth * 0.5), (y - shore) / pixel);
  };
};

/** Head and shoulders before a plain ground. */
const portrait = (hash: number, pixel: number): Paint => {
  const [, ground, figure, other] = themeOf(hash);
  const isLight = (hash >>> 8) % 2 === 0;
  const [back, front] = isLight ? [ground, figure] : [other, ground];
  return (x, y) => {
    const shoulders = mix(back, front, (1 - Math.hypot((x - 0.5) / 0.38, (y - 1.02) / 0.4)) / (3 * pixel));
    return mix(shoulders, mix(front, back, 0.18), (0.19 - Math.hypot(x - 0.5, y - 0.42)) / pixel);
  };
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};

/** PNG, third edition: 8 bits per channel, no filter. */
const encode = ({ width, height }: Size, paint: Paint): Buffer => {
  const unit = Math.min(width, height);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    at += 1;
    for (let column = 0; column < width; column += 1) {
      for (const channel of paint((column + 0.5) / unit, (row + 0.5) / unit)) rows[at++] = channel;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The part of a path that all sizes of a picture share. */
const pictureKey = (path: string): string => path.replace(/(?:\.[a-z]{3,4})?(?::[a-z]+)?$/, '');

/** @returns the sizes of all pictures in the answers of a provider, by the keys of their paths */
export const sizesIn = (bodies: readonly unknown[]): ReadonlyMap<string, Size> => {
  const sizes = new Map<string, Size>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isRecord(value)) return;
    const { width, height, url, thumbnail_url: still } = value;
    if (typeof width === 'number' && typeof height === 'number')
      for (const address of [url, still])
        if (typeof address === 'string' && URL.canParse(address))
          sizes.set(pictureKey(new URL(address).pathname), { width, height });
    Object.values(value).forEach(visit);
  };
  bodies.forEach(visit);
  return sizes;
};

/** The side of the square that the sizes of X fit into. No picture is drawn larger. */
const SIDES: ReadonlyMap<string | null, number> = new Map([
  ['thumb', 150],
  ['small', 680],
]);
const MAX_SIDE = 1200;

const SQUARE = /_(?:x(\d+)|(\d+)x\d+)(?:\.[a-z]+)?$/;
const BANNER_WIDTH = /\/(\d+)x\d+$/;

const NO_SIZE: Size = { width: 1200, height: 800 };

/** @param url path and query of the picture on X @param sizes of sizesIn @returns a PNG */
export const drawPicture = ({ pathname, searchParams }: URL, sizes: ReadonlyMap<string, Size>): Buffer => {
  if (pathname.startsWith('/profile_images/')) {
    const [, short, long] = SQUARE.exec(pathname) ?? [];
    const side = Math.min(400, Number(short ?? long ?? 48));
    return encode({ width: side, height: side }, portrait(hashOf(pathname.replace(SQUARE, '')), 1.5 / side));
  }
  if (pathname.startsWith('/profile_banners/')) {
    const width = Math.min(1500, Number(BANNER_WIDTH.exec(pathname)?.[1] ?? 1500));
    const size = { width, height: Math.round(width / 3) };
    return encode(size, harbour(hashOf(pathname.replace(BANNER_WIDTH, '')), size, 4.5 / width));
  }
  const key = pictureKey(pathname);
  const { width, height } = sizes.get(key) ?? NO_SIZE;
  const scale = Math.min(1, (SIDES.get(searchParams.get('name')) ?? MAX_SIDE) / Math.max(width, height));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  return encode(size, harbour(hashOf(key), size, 1.5 / Math.min(size.width, size.height)));
};
