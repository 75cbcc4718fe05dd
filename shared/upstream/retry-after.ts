// Reads how long a provider asks to be left alone: Retry-After (RFC 9110 section 10.2.3), or the end of its window that X
// sends with a 429 in Unix seconds.
import type { WallClock } from '../ports/system.ts';

const SECONDS = /^[0-9]+$/;
const UNIX_SECONDS = /^[0-9]{1,11}$/;
/** The three forms of RFC 9110 section 5.6.7. Date.parse also accepts texts that are no dates, such as `x 1`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Za-z0-9 -]+ [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$/;

const waitUntil = (instant: number, wall: WallClock): number => instant - wall.now();

/** @returns milliseconds, without an upper bound; undefined: the provider names no time to come */
export const retryAfterMilliseconds = (
  retryAfter: string | undefined,
  windowEnd: string | undefined,
  wall: WallClock,
): number | undefined => {
  const value = retryAfter?.trim() ?? '';
  const reset = retryAfter === undefined && windowEnd !== undefined && UNIX_SECONDS.test(windowEnd);
  let wait = 0;
  if (SECONDS.test(value)) wait = Number(value) * 1000;
  else if (HTTP_DATE.test(value)) wait = waitUntil(Date.parse(value), wall);
  else if (reset) wait = waitUntil(Number(windowEnd) * 1000, wall);
  return wait > 0 ? wait : undefined;
};
