// Encodes list positions as signed cursors. A cursor that was changed, or that belongs to another list, is not decoded.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { definedMembers } from '../model/json.ts';
import type { AccountPosition, ListKey, ListPosition } from '../model/lists.ts';
import type { TombstoneReason } from '../model/post.ts';
import { packIds, unpackIds } from '../model/snowflake.ts';
import type { CursorCodec } from '../ports/cursors.ts';

// Byte layout, encoded as base64url (RFC 4648 section 5, no padding):
//   0      version
//   1..16  HMAC-SHA-256 over version, list and body, its first 128 bits (RFC 2104 section 5)
//   17     body: UInt16 length of the JSON, the JSON, a UInt32 per fingerprint, all big-endian
const VERSION = 1;
const SIGNATURE_BYTES = 16;
const BODY_OFFSET = 1 + SIGNATURE_BYTES;
const FINGERPRINT_BYTES = 4;

/** An array is shorter than an object. Absent members are null. */
type CursorFields = readonly [
  provider: string,
  size: number,
  cursor: string | null,
  isPartial: boolean,
  emptyPages: number,
  firstPageFingerprint: number | null,
  /** Packed; absent or empty: none. Release 1.1.0 ignores it. */
  earlyIds?: string,
  /** Absent: the list is no merged timeline. */
  accounts?: readonly AccountFields[],
];

/** 0: the account has ended; 1: it was cut. A text: the reason why it is missing. `before` packs its id, or 0, and that of `after`. */
type AccountFields =
  | 0
  | 1
  | TombstoneReason
  | readonly [before: string, idle: number, isRestart?: 0 | 1, cursor?: string, provider?: string];

const encodeAccount = (position: AccountPosition): AccountFields => {
  if (position === 'ended') return 0;
  if (position === 'cut') return 1;
  if ('missing' in position) return position.missing;
  const { before, after, idle, isRestart, cursor, provider } = position;
  const ids = after === undefined ? [before ?? []].flat() : [before ?? '0', after];
  const start = [packIds(ids), idle] as const;
  if (cursor === undefined) return isRestart ? [...start, 1] : start;
  const page = [...start, isRestart ? 1 : 0, cursor] as const;
  return provider === undefined ? page : [...page, provider];
};

const decodeAccount = (fields: AccountFields): AccountPosition => {
  if (fields === 0) return 'ended';
  if (fields === 1) return 'cut';
  if (typeof fields === 'string') return { missing: fields };
  const [packed, idle, isRestart, cursor, provider] = fields;
  const [before, after] = unpackIds(packed);
  return {
    idle,
    ...definedMembers({ before: before === '0' ? undefined : before, after, cursor, provider }),
    ...(isRestart === 1 && { isRestart: true }),
  };
};

const encodeBody = ({
  provider,
  size,
  cursor,
  isPartial,
  emptyPages,
  firstPageFingerprint,
  recentFingerprints,
  earlyIds = [],
  accounts,
}: ListPosition): Buffer => {
  const fields: CursorFields = [provider, size, cursor ?? null, isPartial, emptyPages, firstPageFingerprint ?? null];
  const early = earlyIds.length === 0 && accounts === undefined ? [] : [packIds(earlyIds)];
  const merged = accounts === undefined ? [] : [accounts.map(encodeAccount)];
  const json = Buffer.from(JSON.stringify([...fields, ...early, ...merged]));
  const body = Buffer.alloc(2 + json.length + recentFingerprints.length * FINGERPRINT_BYTES);
  body.writeUInt16BE(json.length);
  json.copy(body, 2);
  for (const [index, fingerprint] of recentFingerprints.entries())
    body.writeUInt32BE(fingerprint, 2 + json.length + index * FINGERPRINT_BYTES);
  return body;
};

/** @param body with a valid signature, so encodeBody wrote it */
const decodeBody = (body: Buffer): ListPosition => {
  const length = body.readUInt16BE();
  const [provider, size, cursor, isPartial, emptyPages, firstPageFingerprint, earlyIds, accounts]: CursorFields =
    JSON.parse(body.toString('utf8', 2, 2 + length));
  const recentFingerprints: number[] = [];
  for (let offset = 2 + length; offset < body.length; offset += FINGERPRINT_BYTES)
    recentFingerprints.push(body.readUInt32BE(offset));
  return {
    provider,
    size,
    isPartial,
    emptyPages,
    recentFingerprints,
    ...(cursor !== null && { cursor }),
    ...(firstPageFingerprint !== null && { firstPageFingerprint }),
    ...(earlyIds !== undefined && accounts === undefined && { earlyIds: unpackIds(earlyIds) }),
    ...(accounts !== undefined && { accounts: accounts.map(decodeAccount) }),
  };
};

const signatureOf = (secret: string, list: ListKey, body: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(Buffer.of(VERSION))
    .update(JSON.stringify(list)) // JSON text ends unambiguously, so two lists never have the same bytes
    .update(body)
    .digest()
    .subarray(0, SIGNATURE_BYTES);

/** Rejects texts with unused bits that are not zero, so that each value has one spelling (RFC 4648 section 3.5). */
const decodeCanonical = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** @param secrets the first secret signs; cursors of all secrets are accepted, which allows rotation */
export const createCursorCodec = (secrets: readonly [string, ...string[]]): CursorCodec => ({
  encode(list, position) {
    const body = encodeBody(position);
    return Buffer.concat([Buffer.of(VERSION), signatureOf(secrets[0], list, body), body]).toString('base64url');
  },
  decode(list, text) {
    const bytes = decodeCanonical(text);
    if (bytes === undefined || bytes.length <= BODY_OFFSET || bytes[0] !== VERSION) return undefined;
    const signature = bytes.subarray(1, BODY_OFFSET);
    const body = bytes.subarray(BODY_OFFSET);
    return secrets.some((secret) => timingSafeEqual(signatureOf(secret, list, body), signature))
      ? decodeBody(body)
      : undefined;
  },
});
