// The Authorization header (RFC 9110 section 11.6.2, RFC 6750 section 2.1): the one place a key is read from.
import { BEARER_SCHEME } from '../contract/headers.ts';

export type Bearer =
  | { readonly kind: 'none' }
  /** The scheme is Bearer, and what follows is not one token. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** @param field its value; repeated fields come joined by commas, and two tokens are none */
export const parseBearer = (field: string | undefined): Bearer => {
  if (field === undefined || !BEARER_SCHEME.test(field)) return { kind: 'none' };
  const token = CREDENTIALS.exec(field)?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
};
