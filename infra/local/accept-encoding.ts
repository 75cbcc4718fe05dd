// Normalizes Accept-Encoding as CloudFront does if the cache policy enables gzip and Brotli. The normalized field is
// part of the cache key and is forwarded (CloudFront Developer Guide, "Compression support").
import { acceptedCodings } from '../../shared/http/content-coding.ts';

export const ACCEPT_ENCODING = 'accept-encoding';

/** @returns `br,gzip`, `br`, `gzip`, or undefined if the field is not forwarded */
export const normalAcceptEncoding = (field = ''): string | undefined => acceptedCodings(field).join() || undefined;
