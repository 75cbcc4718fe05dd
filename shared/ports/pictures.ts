// Declares the port that reads pictures of X, for answers that contain them.

export interface PictureFile {
  /** JPEG, PNG, GIF or WebP. */
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/**
 * Reads one picture through the checks of pictures through the service (requirements: pictures). Never rejects.
 *
 * @param url of X, in the size that is wanted
 * @param maxBytes of the file
 * @returns undefined: another host, no picture, too large, or not read within 5 s or before the signal aborts
 */
export type ReadPicture = (url: string, maxBytes: number, signal?: AbortSignal) => Promise<PictureFile | undefined>;

export interface PicturePorts {
  readonly readPicture: ReadPicture;
}
