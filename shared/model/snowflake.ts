// Reads the time in the id of a post. Ids from before November 2010 contain no time and are much smaller.

const SNOWFLAKE_EPOCH = 1288834974657n;
const TIME_OFFSET_BITS = 22n;

/** @param id decimal digits @returns milliseconds since the epoch; an id without a time gives the start of snowflake ids */
export const snowflakeTime = (id: string): bigint => (BigInt(id) >> TIME_OFFSET_BITS) + SNOWFLAKE_EPOCH;

/** @returns milliseconds since the epoch; undefined without a post */
export const newestPostTime = (posts: readonly { readonly id: string }[]): number | undefined =>
  posts.length === 0
    ? undefined
    : Math.max(...posts.map(({ id }) => Number(id))) / 2 ** Number(TIME_OFFSET_BITS) + Number(SNOWFLAKE_EPOCH);

const CLOCK_TOLERANCE_MILLISECONDS = 60_000n;

/** @returns true if no post can have the id yet */
export const isFromTheFuture = (id: string, now: number): boolean =>
  snowflakeTime(id) > BigInt(now) + CLOCK_TOLERANCE_MILLISECONDS;
