// Decodes the cursors that the releases up to 2.8 signed, because clients keep cursors.
import { definedMembers } from '../../model/json.ts';
import type { AccountPosition, ListPosition } from '../../model/lists.ts';
import type { TombstoneReason } from '../../model/post.ts';
import { unpackIds } from '../../model/snowflake.ts';

// A UInt16 with the length of the JSON, the JSON, a UInt64 per held post, a UInt32 per fingerprint, all big-endian.
const FINGERPRINT_BYTES = 4;
const ID_BYTES = 8;

/** Fingerprints had 32 bits. @returns its first 24 bits */
const shortened = (fingerprint: number): number => fingerprint >>> 8;

/** An array is shorter than an object. Absent members are null. */
type CursorFields = readonly [
  provider: string,
  size: number,
  cursor: string | null,
  isPartial: boolean,
  emptyPages: number,
  firstPageFingerprint: number | null,
  /** Packed; absent or empty: none. */
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

/** 0 stands for an absent member before others. */
const pageOf = (cursor: string | 0 | undefined, provider?: string | 0) =>
  definedMembers({ cursor: cursor === 0 ? undefined : cursor, provider: provider === 0 ? undefined : provider });

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

/** @param body with a valid signature */
export const decodeOldBody = (body: Buffer): ListPosition => {
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
  for (; offset < body.length; offset += FINGERPRINT_BYTES)
    recentFingerprints.push(shortened(body.readUInt32BE(offset)));
  return {
    provider,
    size,
    isPartial,
    emptyPages,
    recentFingerprints,
    ...(cursor !== null && { cursor }),
    ...(firstPageFingerprint !== null && { firstPageFingerprint: shortened(firstPageFingerprint) }),
    ...(earlyIds !== undefined && accounts === undefined && { earlyIds: unpackIds(earlyIds) }),
    ...(positions !== undefined && { accounts: positions }),
  };
};
