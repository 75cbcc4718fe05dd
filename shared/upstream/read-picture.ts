// Reads a picture of X into memory, and knows the files of X by their types: Content-Type and first bytes must agree.
import { type ProxiedHost, parseProxyPath, proxyPath } from '../model/picture-hosts.ts';
import type { ReadPicture } from '../ports/pictures.ts';
import type { FileResponse, RequestFile } from './picture-request.ts';

export const VIDEO = 'video/mp4';

/** By Content-Type: the first bytes of the file, one character each. */
const signatures: ReadonlyMap<string, RegExp> = /* @__PURE__ */ new Map([
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  [VIDEO, /^.{4}ftyp/s],
]);

export const SIGNATURE_BYTES = 12;

export const FILE_REQUEST_HEADERS = {
  accept: 'image/jpeg, image/png, image/gif, image/webp, video/mp4',
  'accept-encoding': 'identity',
} as const;

/** @returns the type of a picture or video by its header; undefined: it is another, or the file is encoded */
export const fileType = (response: FileResponse): string | undefined => {
  const type = (response.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  const isPlain = (response.header('content-encoding') ?? 'identity') === 'identity';
  return isPlain && signatures.has(type) ? type : undefined;
};

/** @param head the first bytes, one character each */
export const startsAs = (type: string, head: string): boolean =>
  head.length === SIGNATURE_BYTES && signatures.get(type)?.test(head) === true;

export interface PictureReaderOptions {
  /** The origin of each host. */
  readonly origins: Readonly<Record<ProxiedHost, string>>;
  readonly requestFile: RequestFile;
  /** Names the program, neither the service nor the reader. */
  readonly userAgent: string;
}

const MAX_MILLISECONDS = 5000;

/** @throws if the file is longer, or is not read in time */
const readWhole = async ({ body }: FileResponse, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const value of body) {
    const chunk: Buffer = value;
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('the file is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

export const createPictureReader =
  ({ origins, requestFile, userAgent }: PictureReaderOptions): ReadPicture =>
  async (url, maxBytes, signal) => {
    const [path = '', query = ''] = proxyPath(url)?.split('?') ?? [];
    const file = parseProxyPath(path, query);
    if (typeof file === 'string' || file.host !== 'pbs') return undefined;
    const limit = AbortSignal.timeout(MAX_MILLISECONDS);
    const ends = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    let response: FileResponse | undefined;
    try {
      ends.throwIfAborted();
      const headers = { ...FILE_REQUEST_HEADERS, 'user-agent': userAgent };
      response = await requestFile(new URL(`${origins.pbs}${file.path}${file.query}`), headers, ends);
      const mimeType = response.status === 200 ? fileType(response) : undefined;
      if (mimeType === undefined || mimeType === VIDEO) return undefined;
      const { body } = response;
      ends.throwIfAborted();
      ends.addEventListener('abort', () => body.destroy(new Error('out of time')), { once: true });
      const bytes = await readWhole(response, maxBytes);
      return startsAs(mimeType, bytes.toString('latin1', 0, SIGNATURE_BYTES)) ? { mimeType, bytes } : undefined;
    } catch {
      return undefined; // the answer is complete without the picture
    } finally {
      response?.body.destroy();
    }
  };
