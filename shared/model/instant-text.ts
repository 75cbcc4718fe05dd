// Parses instants and days that callers write.

/** A day of UTC, which has no leap seconds in the clocks of computers. */
export const DAY_MILLISECONDS = 86_400_000;

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
/** RFC 3339, which has no hour 24, unlike Date.parse. In a query, an unescaped `+` before the offset is a space. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ]((?!24)\d\d:\d\d:\d\d(?:\.\d{1,9})?)([Zz]|[+\- ]\d\d:\d\d)$/;

const millisecondsOf = (text: string): number | undefined => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};

/** Date.parse accepts February 30 as March 1 or 2. */
const isRealDay = (day: string): boolean => {
  const milliseconds = millisecondsOf(`${day}T00:00:00Z`);
  return milliseconds !== undefined && new Date(milliseconds).toISOString().startsWith(day);
};

/**
 * Parses an RFC 3339 instant, or a day, which starts at 00:00 UTC.
 *
 * @returns milliseconds since the epoch; undefined if the text is neither
 */
export const parseInstant = (text: string): number | undefined => {
  if (DAY.test(text)) return isRealDay(text) ? millisecondsOf(`${text}T00:00:00Z`) : undefined;
  const [, day, time, offset] = INSTANT.exec(text) ?? [];
  if (day === undefined || time === undefined || offset === undefined || !isRealDay(day)) return undefined;
  return millisecondsOf(`${day}T${time}${offset.replace(' ', '+').toUpperCase()}`);
};
