// The form of a key (spec 5.4): a prefix that scanners know, 256 random bits, and a checksum by which a mistyped or
// invented one is told without asking the store. The checksum is no secret and adds no strength.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import baseX from 'base-x';

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

/** @param randomBytes so many bytes from a cryptographic source */
export const generateApiKey = (randomBytes: (count: number) => Uint8Array): string => {
  const body = `${PREFIX}${encode(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS)}`;
  return `${body}${checksumOf(body)}`;
};

/** Whether a text could be a key of ours. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY.test(text) && text.slice(-CHECKSUM_CHARACTERS) === checksumOf(text.slice(0, -CHECKSUM_CHARACTERS));

/** What is stored in place of a secret of 256 bits: nothing to guess, so nothing slower is needed. */
export const sha256Hex = (secret: string): string => hash('sha256', secret, 'hex');
