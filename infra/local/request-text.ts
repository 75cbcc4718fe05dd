// Sends the requests of the commands. What answers at BASE_URL can be anything, so a request follows no redirect, which
// could lead a secret elsewhere, and has bounds on its time and on the size of the answer.
import { MAX_RESPONSE_BYTES } from '../../shared/contract/bounds.ts';
import { keptTypes } from '../../shared/contract/media-types.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';

/**
 * A problem document for people, as the commands print it.
 *
 * @returns title, detail and resolution, a line each; undefined if the body is no problem document
 */
export const problemText = (body: string): string | undefined => {
  const { title, detail, resolution } = asRecord(parseJson(body)) ?? {};
  if (typeof title !== 'string') return undefined;
  return [title, detail, resolution]
    .flatMap((text) => (typeof text === 'string' ? [visibleLine(text)] : []))
    .join('\n');
};

/** Printed as its message, without a stack trace. */
export class CommandError extends Error {}

interface FailedRequest {
  /** The code of the problem; undefined: there was none. */
  readonly code?: string | undefined;
  /** The same request will fail again. Otherwise it can succeed later. */
  readonly lasts: boolean;
  /** The service was not reached at all. @default false */
  readonly isUnreached?: boolean;
}

/** A request failed, also after its repetitions. Other requests can succeed. */
export class RequestError extends CommandError {
  readonly code: string | undefined;
  readonly lasts: boolean;
  readonly isUnreached: boolean;

  constructor(message: string, { code, lasts, isUnreached = false }: FailedRequest) {
    super(message);
    this.code = code;
    this.lasts = lasts;
    this.isUnreached = isUnreached;
  }
}

/** Longer than the service takes for any answer. */
const TIMEOUT_MILLISECONDS = 30_000;

/** More than the service sends in any answer. */
const MAX_BODY_BYTES = 2 * MAX_RESPONSE_BYTES;

export interface TextAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body is Base64, because it is a book and no text. */
  readonly isBase64: boolean;
}

const readBytes = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new CommandError(`The answer has more than ${MAX_BODY_BYTES} bytes. Check BASE_URL.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** @throws CommandError if the answer is too large; another error if there is no complete answer */
export const requestText = async (url: string, { signal, ...init }: RequestInit): Promise<TextAnswer> => {
  const limit = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  const { status, headers } = response;
  const isBase64 = headers.get('content-type') === keptTypes.epub;
  return { status, headers, body: (await readBytes(response)).toString(isBase64 ? 'base64' : 'utf8'), isBase64 };
};
