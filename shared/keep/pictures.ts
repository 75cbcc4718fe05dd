// Reads the pictures of a file that holds them: in their order, as many as its size allows.
import type { PictureFile, ReadPicture } from '../ports/pictures.ts';

export interface KeptPictures {
  /** By URL, in the order of the text. */
  readonly files: ReadonlyMap<string, PictureFile>;
  /** The number of pictures of X that are links. */
  readonly omitted: number;
  /** One of them could not be read, and a later answer may have it. */
  readonly hasFailed: boolean;
}

export const NO_PICTURES: KeptPictures = { files: new Map(), omitted: 0, hasFailed: false };

export interface PictureBounds {
  /** How much a picture adds to the file, in bytes. */
  readonly sizeOf: (url: string, bytes: number) => number;
  /** In bytes, of all pictures. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Charges the caller for one picture. Rejects if the bound is reached. */
  readonly admit?: () => Promise<void>;
}

/** More have no place in one answer: X sends 100 kB and more for each. */
const MAX_PICTURES = 60;
const PARALLEL = 6;
/** A file with less space has no picture more. */
const SMALLEST = 500;

/** Never rejects. @param urls each once */
export const readPictures = async (
  urls: Iterable<string>,
  readPicture: ReadPicture,
  { sizeOf, maxBytes, signal, admit }: PictureBounds,
): Promise<KeptPictures> => {
  const wanted = [...urls];
  const read = async (url: string): Promise<PictureFile | undefined> => {
    try {
      await admit?.();
    } catch {
      return undefined;
    }
    return readPicture(url, maxBytes, signal);
  };
  const files = new Map<string, PictureFile>();
  const running: Promise<PictureFile | undefined>[] = [];
  let left = maxBytes;
  let hasFailed = false;
  // In order, so that the same pictures fit each time.
  for (const [index, url] of wanted.slice(0, MAX_PICTURES).entries()) {
    if (left < SMALLEST) break;
    for (const next of wanted.slice(running.length, Math.min(index + PARALLEL, MAX_PICTURES))) running.push(read(next));
    const file = await running[index];
    if (file === undefined) hasFailed = true;
    else if (sizeOf(url, file.bytes.length) <= left) {
      files.set(url, file);
      left -= sizeOf(url, file.bytes.length);
    }
  }
  return { files, omitted: wanted.length - files.size, hasFailed };
};
