// Reading JSON of others: nothing is assumed, unknown members are ignored, wrong types read as absent. A name or a type
// that a provider writes is looked up in a Map, never in an object: `constructor` is a member of every object.
import { PROVIDER_HANDLE } from '../model/handle.ts';
import { isRecord, type JsonRecord } from '../model/json.ts';
import { isLanguageTag } from '../model/language-tag.ts';

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Those of a list that are records. */
export const asRecords = (value: unknown): readonly JsonRecord[] => asArray(value).filter(isRecord);

/** An empty string says nothing and reads as absent. Lone surrogates, which many JSON readers refuse, become U+FFFD. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? (value.isWellFormed() ? value : value.toWellFormed()) : undefined;

/** A handle as providers name it, without @. */
export const namedHandle = (value: unknown): string | undefined =>
  typeof value === 'string' && PROVIDER_HANDLE.test(value) ? value : undefined;

export const asCount = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
};

export const asPositiveInteger = (value: unknown): number | undefined => {
  const rounded = typeof value === 'number' ? Math.round(value) : asCount(value);
  return rounded !== null && Number.isSafeInteger(rounded) && rounded > 0 ? rounded : undefined;
};

const WEB_ADDRESS = /^https?:\/\/[^\s<>"\\^`{|}\u0000-\u0020\u007f]+$/i;
const BEGINS_WEB_ADDRESS = /^https?:\/\/[^\s<>"\\^`{|}\u0000-\u0020\u007f/?#]+[/?#]/i;
/** What RFC 3986 does not allow to stand in an address as it is. */
const NOT_IN_ADDRESSES = /[\s<>"\\^`{|}\u0000-\u0020\u007f]/g;

/** An http(s) address, or nothing: no other scheme leaves this service. What must not stand in it is escaped. */
export const asWebUrl = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  if (WEB_ADDRESS.test(value)) return value;
  return BEGINS_WEB_ADDRESS.test(value) ? value.trim().replace(NOT_IN_ADDRESSES, encodeURIComponent) : undefined;
};

/** X has pictures of accounts in several sizes, and mostly names the smallest. */
const SMALL_AVATAR = /_normal(?=\.\w{1,5}$)/;

export const asAvatarUrl = (value: unknown): string | undefined => asWebUrl(value)?.replace(SMALL_AVATAR, '_400x400');

/** A number, also one written as a string. */
export const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

export const asLanguageTag = (value: unknown): string | undefined =>
  typeof value === 'string' && isLanguageTag(value) ? value : undefined;

/** RFC 3339 has years of four digits: from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z. */
const FIRST_MILLISECOND = -62_167_219_200_000;
const LAST_MILLISECOND = 253_402_300_799_999;
const DAY = 86_400_000;
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

const MAX_KNOWN_DAYS = 100;
/** Posts of a conversation are of a few days, and Date is slow at writing. */
const knownDays = new Map<number, string>();

const dayOf = (number: number): string => {
  const known = knownDays.get(number);
  if (known !== undefined) return known;
  const written = new Date(number * DAY).toISOString().slice(0, -14);
  if (knownDays.size >= MAX_KNOWN_DAYS) knownDays.clear();
  knownDays.set(number, written);
  return written;
};

/** RFC 3339 in whole seconds; undefined: not a date, or one that RFC 3339 cannot write. */
export const toRfc3339 = (milliseconds: number): string | undefined => {
  if (!(milliseconds >= FIRST_MILLISECOND && milliseconds <= LAST_MILLISECOND)) return undefined;
  const day = Math.floor(milliseconds / DAY);
  const seconds = Math.floor((milliseconds - day * DAY) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${dayOf(day)}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
};

/** Any date that Date understands, such as `Wed Mar 09 18:22:41 +0000 2011`. */
export const parseDate = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toRfc3339(Date.parse(value)) : undefined;

/** `{ [name]: value }`, or nothing where the value is absent. */
export const optionalMember = <const Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
