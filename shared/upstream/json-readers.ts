// Reads values from JSON of providers. Unknown members are ignored, and a value of a wrong type is treated as absent.
// Names from providers are looked up in a Map and never in an object, because every object has a member `constructor`.

import { graphemeStart } from '../model/graphemes.ts';
import { PROVIDER_HANDLE, parseId } from '../model/handle.ts';
import { isRecord, type JsonRecord } from '../model/json.ts';
import { isLanguageTag } from '../model/languages.ts';
import { visibleLine } from '../model/visible-text.ts';

/**
 * The bounds of members that are one line or a caption, in code points. They are generous; a longer value is cut, because
 * readers of a page and the programs that render it expect a short one. A URL is never cut: a longer one is absent.
 */
export const MAX_CHARACTERS = {
  line: 200,
  title: 1000,
  caption: 2000,
  bio: 2000,
  preview: 10_000,
  url: 4096,
} as const;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** @returns the records of an array */
export const asRecords = (value: unknown): readonly JsonRecord[] => asArray(value).filter(isRecord);

/** An empty string is treated as absent. Lone surrogates become U+FFFD, because many JSON parsers reject them. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? (value.isWellFormed() ? value : value.toWellFormed()) : undefined;

/** @param maximum in code points @returns the start of a longer text */
const cut = (text: string, maximum: number): string => {
  if (text.length <= maximum) return text;
  let end = 0;
  for (let points = 0; points < maximum && end < text.length; points += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, graphemeStart(text, end));
};

/** Does the same as asText for a text that is never long. */
export const asShortText = (value: unknown, bound: keyof typeof MAX_CHARACTERS): string | undefined =>
  typeof value === 'string' ? asText(cut(value, MAX_CHARACTERS[bound])) : undefined;

export const asBoolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** @returns a handle without @; undefined if the value is not one */
export const namedHandle = (value: unknown): string | undefined =>
  typeof value === 'string' && PROVIDER_HANDLE.test(value) ? value : undefined;

export const asId = (value: unknown): string | undefined => (typeof value === 'string' ? parseId(value) : undefined);

/** Accepts an integer or its decimal digits. @returns null if the value is neither */
export const asCount = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
};

/** Rounds a number. @returns undefined if the result is not positive */
export const asPositiveInteger = (value: unknown): number | undefined => {
  const rounded = typeof value === 'number' ? Math.round(value) : asCount(value);
  return rounded !== null && Number.isSafeInteger(rounded) && rounded > 0 ? rounded : undefined;
};

const WEB_URL = /^https?:\/\/[^\s<>"\\^`{|}\u0000-\u0020\u007f]+$/i;
const WEB_URL_START = /^https?:\/\/[^\s<>"\\^`{|}\u0000-\u0020\u007f/?#]+[/?#]/i;
/** RFC 3986 does not allow these characters in a URL. */
const INVALID_IN_URL = /[\s<>"\\^`{|}\u0000-\u0020\u007f]/g;

/** Percent-encodes invalid characters. @returns undefined if the value is not an http(s) URL */
export const asWebUrl = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS.url || !value.isWellFormed()) return undefined;
  if (WEB_URL.test(value)) return value;
  return WEB_URL_START.test(value) ? value.trim().replace(INVALID_IN_URL, encodeURIComponent) : undefined;
};

/** @returns the target of a link: a URL, or text that is none; undefined if it is longer than any URL */
export const asTarget = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_CHARACTERS.url ? asText(value) : undefined;

/** X has avatars in several sizes and usually returns the URL of the smallest one. */
const SMALL_AVATAR = /_normal(?=\.\w{1,5}$)/;

export const asAvatarUrl = (value: unknown): string | undefined => asWebUrl(value)?.replace(SMALL_AVATAR, '_400x400');

/** Accepts a number or its decimal notation. */
export const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** @returns one line of visible text; undefined if there is none */
export const asLine = (value: unknown): string | undefined =>
  visibleLine(asShortText(value, 'line') ?? '') || undefined;

const DOMAIN = /^[\p{L}\p{M}\p{N}.-]{1,253}$/u;

/** @returns a name with a dot and without other marks; undefined if the value is not one */
export const asDomain = (value: unknown): string | undefined =>
  typeof value === 'string' && DOMAIN.test(value) && value.includes('.') ? value : undefined;

export const asLanguageTag = (value: unknown): string | undefined =>
  typeof value === 'string' && isLanguageTag(value) ? value : undefined;

/** The first post on X. Providers write an unknown instant as 1970-01-01. */
const FIRST_MILLISECOND = Date.UTC(2006, 2, 21);
/** RFC 3339 has years of 4 digits. */
const LAST_MILLISECOND = 253_402_300_799_999;

/** Formats an instant in whole seconds (RFC 3339). @returns undefined if the instant is NaN or out of range */
export const toRfc3339 = (milliseconds: number): string | undefined =>
  milliseconds >= FIRST_MILLISECOND && milliseconds <= LAST_MILLISECOND
    ? `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
    : undefined;

/** Parses every format of Date.parse, such as `Wed Mar 09 18:22:41 +0000 2011`. */
export const parseDate = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toRfc3339(Date.parse(value)) : undefined;

/** @returns `{ [name]: value }`, or `{}` if the value is undefined */
export const optionalMember = <const Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
