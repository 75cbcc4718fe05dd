// The part of a file that a reader asks for, and what a response of X must be to be passed on.
import type { Readable } from 'node:stream';
import { type Problem, problem } from '../../shared/contract/problems.ts';
import { type FileResponse, fileType, SIGNATURE_BYTES, startsAs } from '../../shared/upstream/pictures.ts';

/** Of a picture. */
export const MAX_ANSWER_BYTES = 25_000_000;

/** Of a part of a file. A function of AWS answers at most 6 MB at once, with the bytes in base64. */
export const MAX_PART_BYTES = 4_000_000;

export interface FilePart {
  /** The Range field that is sent to X. */
  readonly field: string;
  /** The place of its first byte, from the end of the file if it is negative. */
  readonly first: number;
  /** How many bytes it has, unless the file ends before. */
  readonly bytes: number;
  /** It begins the file and has all bytes of a signature. */
  readonly showsType?: boolean;
}

/**
 * One part of a file (RFC 9110 section 14.1.2), cut to the bound from its start. Only X knows where the last bytes of a file
 * start, so these are requested whole and cut when they come.
 *
 * @returns undefined: the field is ignored, as the RFC allows
 */
export const parseRange = (field = ''): FilePart | undefined => {
  const [, from = '', to = ''] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(field) ?? [];
  if (from === '') {
    const last = Number(to);
    return last === 0 ? undefined : { field: `bytes=-${last}`, first: -last, bytes: Math.min(last, MAX_PART_BYTES) };
  }
  const first = Number(from);
  const end = Math.min(to === '' ? Infinity : Number(to), first + MAX_PART_BYTES - 1);
  return end < first
    ? undefined
    : {
        field: `bytes=${first}-${end}`,
        first,
        bytes: end - first + 1,
        showsType: first === 0 && end >= SIGNATURE_BYTES - 1,
      };
};

export const unusable = (cause: string): Problem => problem('upstream_failed', { cause });

/** Reads as many bytes as a signature has, and puts them back. @returns one character per byte; fewer if the file is shorter */
const peek = async (body: Readable): Promise<string> => {
  let head = Buffer.alloc(0);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = (): void => {
    const chunk: Buffer | null = body.read();
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    if (head.length < SIGNATURE_BYTES) {
      take();
      return;
    }
    body.off('readable', take);
    // At once: a stream that stays empty has ended.
    body.unshift(head);
    resolve();
  };
  body.on('readable', take).once('end', resolve).once('close', resolve).once('error', reject);
  await promise;
  return head.toString('latin1', 0, SIGNATURE_BYTES);
};

/** @returns the type of a file @throws Problem */
export const requireType = (response: FileResponse): string => {
  const type = fileType(response);
  if (type === undefined) throw unusable('the type is not one of a picture or video, or the file is encoded');
  return type;
};

export const requireSignature = async (type: string, { body }: FileResponse): Promise<void> => {
  const head = await peek(body).catch((error: unknown) => {
    throw problem('upstream_unavailable', { cause: error });
  });
  if (!startsAs(type, head)) throw unusable('the first bytes are not of the type');
};

/** @returns the places of the first and the last byte of a part; undefined: the file ends before it */
export const placesOf = (part: FilePart, length: number): readonly [first: number, last: number] | undefined => {
  const first = part.first < 0 ? Math.max(0, length + part.first) : part.first;
  return first >= length ? undefined : [first, Math.min(first + part.bytes, length) - 1];
};

const CONTENT_RANGE = /^bytes (\d{1,12})-(\d{1,12})\/(\d{1,12}|\*)$/;

export interface AnsweredPart {
  readonly first: number;
  readonly last: number;
  /** Content-Range of the part. */
  readonly field: string;
}

/** @returns the part, cut to the bound @throws Problem unless it is the one that was asked for */
export const requirePart = (contentRange: string | undefined, part: FilePart | undefined): AnsweredPart => {
  const [, from, to, length] = CONTENT_RANGE.exec(contentRange ?? '') ?? [];
  const first = Number(from);
  const last = Math.min(Number(to), first + (part?.bytes ?? 0) - 1);
  const isAsked = part !== undefined && first <= last && (part.first < 0 || part.first === first);
  if (!isAsked) throw unusable('not the part that was asked for');
  return { first, last, field: `bytes ${first}-${last}/${length}` };
};

export const lengthOf = (response: FileResponse): number | undefined => {
  const field = response.header('content-length');
  return field !== undefined && /^\d{1,15}$/.test(field) ? Number(field) : undefined;
};

/** In seconds: whole ones, at most an hour. @returns undefined: the host does not say when to ask again */
const retryAfterIn = (response: FileResponse): number | undefined => {
  const field = response.header('retry-after') ?? '';
  const seconds = /^[0-9]{1,4}$/.test(field) ? Number(field) : 0;
  return seconds > 0 && seconds <= 3600 ? seconds : undefined;
};

/** @throws Problem for every status without a file, and for a redirect */
export const requireFile = (response: FileResponse): void => {
  const { status } = response;
  if (status === 200 || status === 206 || status === 304 || status === 416) return;
  if (status === 429 || status >= 500) {
    const retryAfter = retryAfterIn(response);
    throw problem('upstream_unavailable', { cause: `status ${status}`, ...(retryAfter && { retryAfter }) });
  }
  if (status < 400) throw unusable(`status ${status}`);
  throw problem('route_not_found', {
    detail: 'X has no picture or video at this path.',
    resolution: 'Do not retry soon.',
  });
};
