// What CloudFront makes of a viewer's Accept-Encoding where the cache policy has gzip and Brotli: answers are kept apart by
// what is left of it, and that is passed on (Developer Guide, "Compression support").
import { acceptedCodings } from '../../shared/http/content-coding.ts';

export const ACCEPT_ENCODING = 'accept-encoding';

/** @returns `br,gzip`, one of them, or undefined: the field is not passed on */
export const normalAcceptEncoding = (field = ''): string | undefined => acceptedCodings(field).join() || undefined;
