// Cursors: a position in a list, sealed. Opaque, versioned, and worth nothing for another list or when changed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ListKey, ListPosition } from '../model/list-position.ts';
import type { CursorCodec } from '../ports/cursors.ts';

// Layout in bytes, then base64url (RFC 4648 section 5, no padding):
//   0      version
//   1..16  HMAC-SHA-256 over version, list and body, its first 128 bits (RFC 2104 section 5)
//   17     body: UInt16 length of the JSON, the JSON, a UInt32 per fingerprint, all big-endian
const VERSION = 1;
const SIGNATURE_BYTES = 16;
const BODY_AT = 1 + SIGNATURE_BYTES;
const FINGERPRINT_BYTES = 4;

/** Absent members are null: an array costs fewer characters than names. */
type CursorFields = readonly [
  provider: string,
  size: number,
  cursor: string | null,
  begun: boolean,
  barren: number,
  origin: number | null,
];

const encodeBody = ({
  provider,
  size,
  cursor,
  isPartial,
  emptyPages,
  firstPageFingerprint,
  recentFingerprints,
}: ListPosition): Buffer => {
  const facts: CursorFields = [provider, size, cursor ?? null, isPartial, emptyPages, firstPageFingerprint ?? null];
  const json = Buffer.from(JSON.stringify(facts));
  const body = Buffer.alloc(2 + json.length + recentFingerprints.length * FINGERPRINT_BYTES);
  body.writeUInt16BE(json.length);
  json.copy(body, 2);
  for (const [index, fingerprint] of recentFingerprints.entries())
    body.writeUInt32BE(fingerprint, 2 + json.length + index * FINGERPRINT_BYTES);
  return body;
};

/** @param body under a seal of ours, so that it is what encodeBody wrote */
const decodeBody = (body: Buffer): ListPosition => {
  const length = body.readUInt16BE();
  const [provider, size, cursor, begun, barren, origin]: CursorFields = JSON.parse(
    body.toString('utf8', 2, 2 + length),
  );
  const seen: number[] = [];
  for (let at = 2 + length; at < body.length; at += FINGERPRINT_BYTES) seen.push(body.readUInt32BE(at));
  return {
    provider,
    size,
    isPartial: begun,
    emptyPages: barren,
    recentFingerprints: seen,
    ...(cursor !== null && { cursor }),
    ...(origin !== null && { firstPageFingerprint: origin }),
  };
};

const signatureOf = (secret: string, list: ListKey, body: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(Buffer.of(VERSION))
    .update(JSON.stringify(list)) // JSON ends itself: no two lists run into the same bytes
    .update(body)
    .digest()
    .subarray(0, SIGNATURE_BYTES);

/** Base64url has one spelling per value only if leftover bits are looked at as well. */
const decodeCanonical = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** @param secrets the first seals, all of them open */
export const createCursorCodec = (secrets: readonly [string, ...string[]]): CursorCodec => ({
  encode(list, position) {
    const body = encodeBody(position);
    return Buffer.concat([Buffer.of(VERSION), signatureOf(secrets[0], list, body), body]).toString('base64url');
  },
  decode(list, text) {
    const bytes = decodeCanonical(text);
    if (bytes === undefined || bytes.length <= BODY_AT || bytes[0] !== VERSION) return undefined;
    const presented = bytes.subarray(1, BODY_AT);
    const body = bytes.subarray(BODY_AT);
    return secrets.some((secret) => timingSafeEqual(signatureOf(secret, list, body), presented))
      ? decodeBody(body)
      : undefined;
  },
});
