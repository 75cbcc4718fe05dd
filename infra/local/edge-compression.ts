// Compresses what CloudFront compresses (Developer Guide, "Serve compressed files"), before the shared cache keeps it. Every
// answer of a function varies by Accept-Encoding and has a weak entity tag, so neither changes.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import {
  acceptedCodings,
  BROTLI_QUALITY,
  type Coding,
  isCompressedByEdge,
  MIN_COMPRESSED_BYTES,
} from '../../shared/http/middleware/compression.ts';
import { type OriginResponse, originHeader } from './api-gateway.ts';

const MAX_COMPRESSED_BYTES = 10_000_000;

/** Both work on a thread of their own, so that other requests do not wait. */
const encoders: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body),
};

/** @param accepted Accept-Encoding as CloudFront forwards it */
export const compressed = async (response: OriginResponse, accepted = ''): Promise<OriginResponse> => {
  const { status, headers, body } = response;
  const [coding] = acceptedCodings(accepted);
  const isSized = body.length >= MIN_COMPRESSED_BYTES && body.length <= MAX_COMPRESSED_BYTES;
  const isPlain = originHeader(response, 'content-encoding') === undefined;
  if (coding === undefined || !isSized || !isPlain) return response;
  if (!isCompressedByEdge(status, originHeader(response, 'content-type'))) return response;
  return { status, headers: { ...headers, 'Content-Encoding': coding }, body: await encoders[coding](body) };
};
