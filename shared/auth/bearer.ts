// Parses the Authorization field (RFC 9110 section 11.6.2, RFC 6750 section 2.1), the only source of API keys.
import { BEARER_SCHEME } from '../contract/headers.ts';

export type Bearer =
  | { readonly kind: 'none' }
  /** The scheme is Bearer, but exactly one token does not follow. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** @param field value of the field; API Gateway joins repeated fields by commas, which makes them malformed */
export const parseBearer = (field: string | undefined): Bearer => {
  if (field === undefined || !BEARER_SCHEME.test(field)) return { kind: 'none' };
  const token = CREDENTIALS.exec(field)?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
};
