// Compresses the bodies that CloudFront does not compress: types that are not on its list, and everything that it does not
// cache.
import type { MiddlewareObj, Request } from '@middy/core';
import { mediaTypes } from '../../contract/media-types.ts';
import { weightIn } from '../content-negotiation.ts';
import type { HandlerContext } from '../event.ts';
import { type HttpEvent, type HttpResult, methodOf, type Route, requestHeader } from '../event.ts';

// Chooses a content coding by Accept-Encoding (RFC 9110 section 12.5.3).

/** In order of preference at equal weight. */
const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

export interface CodingChoice {
  /** undefined: the body is not encoded. */
  readonly coding: Coding | undefined;
  /** The client rejects bodies that are not encoded. */
  readonly isRequired: boolean;
}

const IDENTITY: CodingChoice = { coding: undefined, isRequired: false };

type Weights = ReadonlyMap<string, number>;

/** No client lists more codings than exist; this is several times their number. */
const MAX_MEMBERS = 50;

const MEMBER = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*((?:;.*)?)$/;

/** The first of two equal names counts. `x-gzip` means gzip (RFC 9110 section 8.4.1.3). */
const weightsIn = (field: string): Weights => {
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',', MAX_MEMBERS)) {
    const [, name = '', parameters = ''] = MEMBER.exec(member) ?? [];
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (coding !== '' && !weights.has(coding)) weights.set(coding, weightIn(parameters));
  }
  return weights;
};

const weightOf = (weights: Weights, coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;

/** @returns the codings whose weight is not 0 */
export const acceptedCodings = (field: string): readonly Coding[] => {
  const weights = weightsIn(field);
  return codings.filter((coding) => weightOf(weights, coding) > 0);
};

/** Identity is acceptable unless the field rejects it by name or by `*`. @returns undefined: acceptable, but least preferred */
const identityWeight = (weights: Weights): number | undefined =>
  weights.get('identity') ?? (weights.get('*') === 0 ? 0 : undefined);

/** @param field Accept-Encoding. If it is absent or accepts no coding of this service, the body is not encoded. */
export const codingFor = (field: string | undefined): CodingChoice => {
  if (field === undefined || field === '') return IDENTITY;
  const weights = weightsIn(field);
  const best = codings.reduce((soFar, coding) =>
    weightOf(weights, coding) > weightOf(weights, soFar) ? coding : soFar,
  );
  const weight = weightOf(weights, best);
  const identity = identityWeight(weights);
  if (weight === 0 || weight < (identity ?? 0)) return IDENTITY;
  return { coding: best, isRequired: identity === 0 };
};

/**
 * The types of this service that CloudFront compresses (Developer Guide, "File types that CloudFront compresses"). Its list
 * has neither Markdown nor types that end in `+json`.
 */
const COMPRESSED_BY_EDGE: ReadonlySet<string> = new Set([
  mediaTypes.html,
  mediaTypes.json,
  'application/xml',
  'image/svg+xml',
  'text/css',
  'text/javascript',
  'text/plain',
]);

/** The lower bound of CloudFront. A smaller body fits into one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1000;

/**
 * At this quality Brotli is as fast as gzip at its default, and the result is not larger: 0.3 ms for 19 kB of Markdown, 45 ms
 * for the largest response. At its own default Brotli takes 18 ms for those 19 kB.
 */
export const BROTLI_QUALITY = 4;

const encode = (text: string, coding: Coding): Buffer => {
  // Loaded on first use, because most cold starts of the discovery Lambda compress nothing.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib');
  const bytes = Buffer.from(text);
  if (coding === 'gzip') return gzipSync(bytes);
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
};

const essenceOf = (type: unknown): string => String(type).split(';', 1)[0]?.trim() ?? '';

/** CloudFront compresses answers of no other status. */
const COMPRESSED_STATUSES: readonly number[] = [200, 403, 404];

/** @param type Content-Type */
export const isCompressedByEdge = (status: number, type: unknown): boolean =>
  COMPRESSED_BY_EDGE.has(essenceOf(type)) && COMPRESSED_STATUSES.includes(status);

/** Private responses are never compressed: their length would reveal secrets next to text that an attacker chose (BREACH). */
const isCompressible = (route: Route | undefined, { statusCode, headers }: HttpResult): boolean =>
  !route?.isPrivate && (route?.isUncached === true || !isCompressedByEdge(statusCode, headers['Content-Type']));

/** Runs before response-headers.ts, which adds Vary and drops the body of HEAD. */
export const compression = (): MiddlewareObj<HttpEvent, HttpResult, Error, HandlerContext> => {
  const compress = ({ event, context, response }: Request<HttpEvent, HttpResult, Error, HandlerContext>): void => {
    const body = response?.body;
    if (response === null || response === undefined || body === undefined || body === '') return;
    if (response.isBase64Encoded) return; // a picture, which is compressed
    const { coding, isRequired } = codingFor(requestHeader(event, 'accept-encoding'));
    if (coding === undefined || !isCompressible(context.state.route, response)) return;
    if (!isRequired && Buffer.byteLength(body) <= MIN_COMPRESSED_BYTES) return;
    response.headers = { ...response.headers, 'Content-Encoding': coding };
    if (methodOf(event) === 'HEAD') return;
    response.body = encode(body, coding).toString('base64');
    response.isBase64Encoded = true;
  };
  return { after: compress, onError: compress };
};
