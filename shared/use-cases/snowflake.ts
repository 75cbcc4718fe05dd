// Reads the time in the ids of posts.

const SNOWFLAKE_EPOCH = 1288834974657n;
const CLOCK_TOLERANCE_MILLISECONDS = 60_000n;

/** An id from the future cannot exist. Ids from before November 2010 contain no time and are much smaller. */
export const isFromTheFuture = (id: string, now: number): boolean =>
  (BigInt(id) >> 22n) + SNOWFLAKE_EPOCH > BigInt(now) + CLOCK_TOLERANCE_MILLISECONDS;
