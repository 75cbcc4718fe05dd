// Rejects ids of posts that cannot exist.
import { snowflakeTime } from '../model/snowflake.ts';

const CLOCK_TOLERANCE_MILLISECONDS = 60_000n;

/** An id from the future cannot exist. */
export const isFromTheFuture = (id: string, now: number): boolean =>
  snowflakeTime(id) > BigInt(now) + CLOCK_TOLERANCE_MILLISECONDS;
