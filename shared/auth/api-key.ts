// Generates API keys and checks their form (requirements: keys): the prefix `pstn_`, 256 random bits and a CRC-32, both
// in base 62. Secret scanners find keys by the prefix. The checksum rejects a mistyped or invented key without a store
// call; it is not a secret and adds no strength.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import baseX from 'base-x';
import { BEARER_SCHEME } from '../contract/headers.ts';

export type Bearer =
  | { readonly kind: 'none' }
  /** The scheme is Bearer, but exactly one token does not follow. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/**
 * Parses the Authorization field (RFC 9110 section 11.6.2, RFC 6750 section 2.1), the only source of API keys.
 *
 * @param field value of the field; API Gateway joins repeated fields by commas, which makes them malformed
 */
export const parseBearer = (field: string | undefined): Bearer => {
  if (field === undefined || !BEARER_SCHEME.test(field)) return { kind: 'none' };
  const token = CREDENTIALS.exec(field)?.[1];
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = baseX(ALPHABET);

const PREFIX = 'pstn_';
const RANDOM_BYTES = 32;
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const KEY = /^pstn_[0-9A-Za-z]{49}$/;

const encode = (bytes: Uint8Array, length: number): string => base62.encode(bytes).padStart(length, ALPHABET.charAt(0));

const checksumOf = (body: string): string => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, crc32(body));
  return encode(bytes, CHECKSUM_CHARACTERS);
};

/** @param randomBytes returns `count` bytes of a cryptographic random source */
export const generateApiKey = (randomBytes: (count: number) => Uint8Array): string => {
  const body = `${PREFIX}${encode(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS)}`;
  return `${body}${checksumOf(body)}`;
};

/** Checks form and checksum only: the key may be unknown or disabled. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY.test(text) && text.slice(-CHECKSUM_CHARACTERS) === checksumOf(text.slice(0, -CHECKSUM_CHARACTERS));

/** Stored in place of an API key or token. A secret of 256 bits cannot be guessed, so a slow hash adds nothing. */
export const sha256Hex = (secret: string): string => hash('sha256', secret, 'hex');
