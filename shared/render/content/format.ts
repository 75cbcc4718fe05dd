// Formats numbers, times and durations for people. Independent of the locale of the machine.

/** The size of one token of `max_tokens`. */
export const BYTES_PER_TOKEN = 4;

/** The size of a text in an answer. It is additive: the size of two texts is the sum of their sizes. */
export type SizeOf = (text: string) => number;

export const byteLength = (text: string): number => Buffer.byteLength(text);

const threeDigits = (number: number): string => (number < 10 ? '00' : number < 100 ? '0' : '') + number;

export const formatNumber = (number: number): string => {
  if (number < 1000) return String(number);
  if (number < 1_000_000) return `${Math.floor(number / 1000)},${threeDigits(number % 1000)}`;
  const digits = String(number);
  let grouped = '';
  for (let end = digits.length; end > 0; end -= 3)
    grouped = digits.slice(Math.max(0, end - 3), end) + (grouped === '' ? '' : `,${grouped}`);
  return grouped;
};

/** RFC 3339 -> `2026-03-02 10:00 UTC` */
export const formatInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

/** RFC 3339 -> `2026-03-02` */
export const formatDay = (instant: string): string => instant.slice(0, 10);

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const dateWith = (instant: string, monthLength?: number): string => {
  const month = MONTHS[Number(instant.slice(5, 7)) - 1];
  return month === undefined
    ? formatDay(instant)
    : `${Number(instant.slice(8, 10))} ${month.slice(0, monthLength)} ${instant.slice(0, 4)}`;
};

/** RFC 3339 -> `2 March 2026` */
export const formatDate = (instant: string): string => dateWith(instant);

const timeOf = (instant: string): string => instant.slice(11, 16);

/** Milliseconds since the epoch -> `2026` */
export const yearAt = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 4);

/**
 * RFC 3339 -> `2 Mar, 10:00` in the year, else `2 Mar 2025, 10:00`
 *
 * @param year of which the reader knows that a date without one is of it
 */
export const formatShortDateTime = (instant: string, year: string | undefined): string => {
  const date = dateWith(instant, 3);
  const shown = year !== undefined && date.endsWith(` ${year}`) ? date.slice(0, -year.length - 1) : date;
  return `${shown}, ${timeOf(instant)}`;
};

/** RFC 3339 -> `March 2026` */
export const formatMonth = (instant: string): string => formatDate(instant).replace(/^\d{1,2} /, '');

/** RFC 3339 -> `2 March 2026, 10:00 UTC` */
export const formatDateTime = (instant: string): string => `${formatDate(instant)}, ${timeOf(instant)} UTC`;

export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
};

export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`;

const NO_BREAK_SPACE = '\u00a0';
const TAB_WIDTH = 4;

/** Spaces and tabs as spaces that do not break, which every reader keeps. */
export const unbreakable = (spaces: string): string =>
  spaces.replaceAll('\t', ' '.repeat(TAB_WIDTH)).replaceAll(' ', NO_BREAK_SPACE);
