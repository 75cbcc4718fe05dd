// The functions of pictures as CloudFront and Lambda deliver their answers: a stream has no Content-Length, and a part of a
// file whose origin sends no length becomes the whole file (aws.amazon.com, CloudFront Developer Guide, "How CloudFront
// processes partial requests for an object (Range GETs)").
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import { matchesPattern } from '../../infra/cache-behaviors.ts';
import { createProxyPath } from '../../shared/auth/picture-signatures.ts';
import { MEDIA_PATTERN, MEDIA_STREAM_PATTERN } from '../../shared/contract/other-functions.ts';

const SECRET = 'secret of cursors';

/** The path by which a page of the service links a file. */
export const mediaPath = (url: string): string => createProxyPath(SECRET)(url) ?? '';

export type Fields = Readonly<Record<string, string>>;

export interface MediaAnswer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
  /** The function URL that answered. */
  readonly by: 'parts' | 'streams';
}

interface Functions {
  readonly handler: (event: object, stream: Writable) => Promise<void>;
  readonly parts: (event: object) => Promise<{ statusCode: number; headers: Fields; body: string }>;
}

interface Head {
  readonly statusCode: number;
  readonly headers: Fields;
}

const lowerCase = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

/** A function URL with RESPONSE_STREAM: the length has another name, and the body is chunked. */
const streamed = async ({ handler }: Functions, heads: readonly Head[], event: object): Promise<MediaAnswer> => {
  const chunks: Buffer[] = [];
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
    final: (done) => {
      done();
      resolve();
    },
  });
  await handler(event, stream);
  await finished;
  const { statusCode, headers } = heads.at(-1) ?? { statusCode: 0, headers: {} };
  const { 'content-length': length, ...others } = lowerCase(headers);
  const body = Buffer.concat(chunks);
  expect(body.length, 'an empty stream may never end').toBeGreaterThan(0);
  return {
    status: statusCode,
    headers: { ...others, ...(length && { 'x-amzn-remapped-content-length': length }), 'transfer-encoding': 'chunked' },
    body,
    by: 'streams',
  };
};

/** A function URL with BUFFERED, whose answer has at most 6 MB with the body in base64. */
const buffered = async ({ parts }: Functions, event: object): Promise<MediaAnswer> => {
  const result = await parts(event);
  expect(JSON.stringify(result).length).toBeLessThan(6_291_556);
  const body = Buffer.from(result.body, 'base64');
  return {
    status: result.statusCode,
    headers: { ...lowerCase(result.headers), 'content-length': String(body.length) },
    body,
    by: 'parts',
  };
};

export type MediaEdge = (target: string, fields?: Fields, method?: string) => Promise<MediaAnswer>;

/**
 * Starts both functions of pictures for one test.
 *
 * @param host the origin that stands for the hosts of X
 */
export const startMediaEdge = async (host: string): Promise<MediaEdge> => {
  const heads: Head[] = [];
  const log = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    log.mockRestore();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  vi.stubGlobal('awslambda', {
    streamifyResponse: (given: unknown) => given,
    HttpResponseStream: {
      from(stream: Writable, head: Head) {
        heads.push(head);
        return stream;
      },
    },
  });
  const variables = { ORIGIN_SECRETS: 'secret', CURSOR_SECRETS: SECRET, UPSTREAM: 'sample', FXTWITTER_BASE_URL: host };
  for (const [name, value] of Object.entries({ ...variables, BASE_URL: '' })) vi.stubEnv(name, value);
  const functions: Functions = Object(await import('../../functions/media/handler.ts'));

  return async (target, fields = {}, method = 'GET') => {
    const [rawPath = '', rawQueryString = ''] = target.split('?');
    const headers = { ...fields, 'x-origin-secret': 'secret' };
    const event = { rawPath, rawQueryString, headers, requestContext: { http: { method } } };
    if (!matchesPattern(MEDIA_STREAM_PATTERN, rawPath)) {
      expect(matchesPattern(MEDIA_PATTERN, rawPath)).toBe(true);
      return buffered(functions, event);
    }
    const answer = await streamed(functions, heads, event);
    return answer.status === 206 ? { ...answer, status: 200 } : answer;
  };
};

/** Answers as a host of X that has one file, whole or in parts. */
export const answerWithFile = (
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, type, isWhole = false }: { readonly bytes: Buffer; readonly type: string; readonly isWhole?: boolean },
): void => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (request.headers['if-none-match'] === '"a"') response.writeHead(304, { ETag: '"a"' }).end();
  else if (first + last === '' || isWhole)
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, ETag: '"a"' }).end(bytes);
  else {
    const from = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const to = first === '' || last === '' ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
    if (from >= bytes.length) {
      response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
      return;
    }
    const part = bytes.subarray(from, to + 1);
    const range = `bytes ${from}-${to}/${bytes.length}`;
    response.writeHead(206, { 'Content-Type': type, 'Content-Length': part.length, 'Content-Range': range }).end(part);
  }
};
