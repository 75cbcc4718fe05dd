// Encodes pictures as PNG (W3C PNG, third edition) and icons as ICO, small enough for the bundle that serves them.
import { crc32, deflateSync } from 'node:zlib';

/** 4 bytes per pixel: red, green, blue and opacity. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgba: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUECOLOUR_WITH_ALPHA = 6;
const INDEXED = 3;

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
};

const header = ({ width, height }: Raster, colourType: number, depth = 8): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colourType, 0, 0, 0], 8);
  return chunk('IHDR', data);
};

/** @param pixels rows without filter bytes */
const imageData = (pixels: Buffer, rowBytes: number): Buffer => {
  const rows = Array.from({ length: pixels.length / rowBytes }, (_, row) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(row * rowBytes, (row + 1) * rowBytes)]),
  );
  return chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9, memLevel: 9 }));
};

const END = chunk('IEND', Buffer.alloc(0));

/** Keeps transparency. */
export const truecolourPng = (raster: Raster): Buffer =>
  Buffer.concat([SIGNATURE, header(raster, TRUECOLOUR_WITH_ALPHA), imageData(raster.rgba, raster.width * 4), END]);

/** A part of a moving picture, as a browser writes pictures, and how long it is shown. */
export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const chunksOf = (png: Buffer): readonly Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
  }
  return chunks;
};

const numbers = (...values: readonly number[]): Buffer => {
  const data = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, 4 * index);
  return data;
};

/**
 * Joins pictures of one size and colour type into a moving picture (APNG, W3C PNG section 11.3.3) that repeats without end.
 * Programs without APNG show the first.
 */
export const apng = (frames: readonly Frame[]): Buffer => {
  const chunks = frames.map(({ png }) => chunksOf(png));
  const size = chunks[0]?.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = frames.flatMap(({ milliseconds }, index) => {
    const delay = Buffer.from([milliseconds >> 8, milliseconds & 0xff, 1000 >> 8, 1000 & 0xff, 0, 0]);
    const control = Buffer.concat([numbers(sequence++), size.subarray(0, 8), numbers(0, 0), delay]);
    const data = Buffer.concat(
      (chunks[index] ?? []).filter(({ type }) => type === 'IDAT').map(({ data: bytes }) => bytes),
    );
    const pixels = index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data]));
    return [chunk('fcTL', control), pixels];
  });
  return Buffer.concat([SIGNATURE, chunk('IHDR', size), chunk('acTL', numbers(frames.length, 0)), ...parts, END]);
};

const distance = (a: number, b: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 0xff) - ((b >> shift) & 0xff)) ** 2, 0);

const INDEXED_COLOURS = 16;

/**
 * Keeps the 16 most frequent colours and replaces the others by the nearest of them. Ignores transparency.
 *
 * @param raster its width is even: a byte has 2 pixels
 */
export const indexedPng = (raster: Raster): Buffer => {
  const { rgba } = raster;
  const pixels = Array.from({ length: rgba.length / 4 }, (_, pixel) => rgba.readUIntBE(pixel * 4, 3));
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, INDEXED_COLOURS)
    .map(([colour]) => colour);
  const indexOf = new Map(
    [...counts.keys()].map((colour) => {
      const nearest = palette.reduce((best, other) =>
        distance(other, colour) < distance(best, colour) ? other : best,
      );
      return [colour, palette.indexOf(nearest)];
    }),
  );
  const table = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) table.writeUIntBE(colour, index * 3, 3);
  const indexAt = (pixel: number): number => indexOf.get(pixels[pixel] ?? 0) ?? 0;
  const packed = Buffer.from(
    Array.from({ length: pixels.length / 2 }, (_, byte) => indexAt(2 * byte) * INDEXED_COLOURS + indexAt(2 * byte + 1)),
  );
  return Buffer.concat([
    SIGNATURE,
    header(raster, INDEXED, 4),
    chunk('PLTE', table),
    imageData(packed, raster.width / 2),
    END,
  ]);
};

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** @param pictures square PNG files of at most 255 pixels, by side */
export const ico = (pictures: readonly (readonly [side: number, png: Buffer])[]): Buffer => {
  const directory = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  directory.writeUInt16LE(1, 2); // an icon
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [index, [side, png]] of pictures.entries()) {
    const at = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index;
    directory.set([side, side, 0, 0], at);
    directory.writeUInt16LE(1, at + 4); // colour planes
    directory.writeUInt16LE(32, at + 6); // bits per pixel
    directory.writeUInt32LE(png.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...pictures.map(([, png]) => png)]);
};
