// Encodes list positions as signed cursors. A cursor that was changed, or that belongs to another list, is not decoded.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { definedMembers } from '../../model/json.ts';
import type { AccountPosition, HeldPosts, ListKey, ListPosition } from '../../model/lists.ts';
import type { TombstoneReason } from '../../model/post.ts';
import { packIds, unpackIds } from '../../model/snowflake.ts';
import type { CursorCodec } from '../../ports/cursors.ts';

// Byte layout, encoded as base64url (RFC 4648 section 5, no padding):
//   0      version
//   1..16  HMAC-SHA-256 over version, list and body, its first 128 bits (RFC 2104 section 5)
//   17     body: UInt16 length of the JSON, the JSON, a UInt64 per held post, a UInt32 per fingerprint, all big-endian
const VERSION = 1;
const SIGNATURE_BYTES = 16;
const BODY_OFFSET = 1 + SIGNATURE_BYTES;
const FINGERPRINT_BYTES = 4;
const ID_BYTES = 8;

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
  | readonly [
      before: string,
      idle: number,
      isRestart?: 0 | 1,
      /** 0: the first page. */
      cursor?: string | 0,
      /** 0: any. */
      provider?: string | 0,
      ...held: HeldFields[],
    ];

/** The number of ids, and the page: none, the first, or one with a cursor. */
type HeldFields = readonly [count: number, cursor?: string | 0, provider?: string];

const encodeHeld = ({ ids, page }: HeldPosts): HeldFields => {
  if (page === undefined) return [ids.length];
  const { cursor = 0, provider } = page;
  return provider === undefined ? [ids.length, cursor] : [ids.length, cursor, provider];
};

/** 0 stands for an absent member before others. */
const pageOf = (cursor: string | 0 | undefined, provider?: string | 0) =>
  definedMembers({ cursor: cursor === 0 ? undefined : cursor, provider: provider === 0 ? undefined : provider });

const encodeAccount = (position: AccountPosition): AccountFields => {
  if (position === 'ended') return 0;
  if (position === 'cut') return 1;
  if ('missing' in position) return position.missing;
  const { before, after, idle, isRestart, cursor, provider, held } = position;
  const ids = after === undefined ? [before ?? []].flat() : [before ?? '0', after];
  const start = [packIds(ids), idle] as const;
  if (held !== undefined) return [...start, isRestart ? 1 : 0, cursor ?? 0, provider ?? 0, ...held.map(encodeHeld)];
  if (cursor === undefined) return isRestart ? [...start, 1] : start;
  const page = [...start, isRestart ? 1 : 0, cursor] as const;
  return provider === undefined ? page : [...page, provider];
};

/** @param take removes the next ids of held posts */
const decodeAccount = (fields: AccountFields, take: (count: number) => readonly string[]): AccountPosition => {
  if (fields === 0) return 'ended';
  if (fields === 1) return 'cut';
  if (typeof fields === 'string') return { missing: fields };
  const [packed, idle, isRestart, cursor, provider, ...groups] = fields;
  const [before, after] = unpackIds(packed);
  return {
    idle,
    ...definedMembers({ before: before === '0' ? undefined : before, after }),
    ...pageOf(cursor, provider),
    ...(isRestart === 1 && { isRestart: true }),
    ...(groups.length > 0 && {
      held: groups.map(([count, ...page]) => ({
        ids: take(count),
        ...(page.length > 0 && { page: pageOf(...page) }),
      })),
    }),
  };
};

const heldIdsOf = (accounts: readonly AccountPosition[] = []): readonly string[] =>
  accounts.flatMap((position) =>
    typeof position === 'object' && 'held' in position ? (position.held ?? []).flatMap(({ ids }) => ids) : [],
  );

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
  const held = heldIdsOf(accounts);
  const heldOffset = 2 + json.length;
  const printsOffset = heldOffset + held.length * ID_BYTES;
  const body = Buffer.alloc(printsOffset + recentFingerprints.length * FINGERPRINT_BYTES);
  body.writeUInt16BE(json.length);
  json.copy(body, 2);
  for (const [index, id] of held.entries()) body.writeBigUInt64BE(BigInt(id), heldOffset + index * ID_BYTES);
  for (const [index, fingerprint] of recentFingerprints.entries())
    body.writeUInt32BE(fingerprint, printsOffset + index * FINGERPRINT_BYTES);
  return body;
};

/** @param body with a valid signature, so encodeBody wrote it */
const decodeBody = (body: Buffer): ListPosition => {
  const length = body.readUInt16BE();
  const [provider, size, cursor, isPartial, emptyPages, firstPageFingerprint, earlyIds, accounts]: CursorFields =
    JSON.parse(body.toString('utf8', 2, 2 + length));
  let offset = 2 + length;
  const take = (count: number): readonly string[] => {
    const start = offset;
    offset += count * ID_BYTES;
    return Array.from({ length: count }, (_, index) => String(body.readBigUInt64BE(start + index * ID_BYTES)));
  };
  const positions = accounts?.map((fields) => decodeAccount(fields, take));
  const recentFingerprints: number[] = [];
  for (; offset < body.length; offset += FINGERPRINT_BYTES) recentFingerprints.push(body.readUInt32BE(offset));
  return {
    provider,
    size,
    isPartial,
    emptyPages,
    recentFingerprints,
    ...(cursor !== null && { cursor }),
    ...(firstPageFingerprint !== null && { firstPageFingerprint }),
    ...(earlyIds !== undefined && accounts === undefined && { earlyIds: unpackIds(earlyIds) }),
    ...(positions !== undefined && { accounts: positions }),
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
