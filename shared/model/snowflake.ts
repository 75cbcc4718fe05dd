// Reads the time in the id of a post, compares ids by age, and packs ids for cursors. Ids from before November 2010 contain
// no time and are much smaller.

const SNOWFLAKE_EPOCH = 1288834974657n;
const TIME_OFFSET_BITS = 22n;
/** Ids without a time are smaller. */
const FIRST_SNOWFLAKE = 100_000_000_000n;

/** @param id decimal digits @returns milliseconds since the epoch; an id without a time gives the start of snowflake ids */
export const snowflakeTime = (id: string): bigint => (BigInt(id) >> TIME_OFFSET_BITS) + SNOWFLAKE_EPOCH;

/** @returns milliseconds since the epoch; undefined: the id has no time */
export const timeInId = (id: string): number | undefined =>
  BigInt(id) < FIRST_SNOWFLAKE ? undefined : Number(snowflakeTime(id));

/** @returns milliseconds since the epoch; undefined without a post */
export const newestPostTime = (posts: readonly { readonly id: string }[]): number | undefined =>
  posts.length === 0
    ? undefined
    : Math.max(...posts.map(({ id }) => Number(id))) / 2 ** Number(TIME_OFFSET_BITS) + Number(SNOWFLAKE_EPOCH);

const CLOCK_TOLERANCE_MILLISECONDS = 60_000n;

/** @returns true if no post can have the id yet */
export const isFromTheFuture = (id: string, now: number): boolean =>
  snowflakeTime(id) > BigInt(now) + CLOCK_TOLERANCE_MILLISECONDS;

/** Later posts have larger ids. An id can exceed the safe integers, so ids are compared as texts. */
export const byAge = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** An author can edit a post for an hour. The answers to an earlier version name the id of that version. */
const EDIT_MILLISECONDS = 3_600_000;

/** @returns true if the post with the first id is older than the other one and all of its earlier versions */
export const isBeforeVersions = (id: string, other: string): boolean => {
  const [time, otherTime] = [timeInId(id), timeInId(other)];
  return time !== undefined && otherTime !== undefined && time < otherTime - EDIT_MILLISECONDS;
};

/** Each id takes 8 bytes, encoded as base64url. */
export const packIds = (ids: readonly string[]): string => {
  const bytes = Buffer.alloc(ids.length * 8);
  for (const [index, id] of ids.entries()) bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(id)), index * 8);
  return bytes.toString('base64url');
};

export const unpackIds = (text: string): readonly string[] => {
  const bytes = Buffer.from(text, 'base64url');
  return Array.from({ length: Math.floor(bytes.length / 8) }, (_, index) => String(bytes.readBigUInt64BE(index * 8)));
};
