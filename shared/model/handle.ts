// Parses handles and ids, builds URLs of them, and lists the first path segments that are never a handle.
import type { User } from './user.ts';

const HANDLE = /^[A-Za-z0-9_]{1,15}$/;

/** Old accounts have handles of up to 30 characters. New handles have at most 15. */
export const PROVIDER_HANDLE = /^[A-Za-z0-9_]{1,30}$/;

export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  'api',
  'admin',
  'docs',
  'mcp',
  'search',
  'oembed',
  'home',
  'about',
  'status',
  'assets',
  'static',
  'health',
  'login',
  'openapi',
]);

export const isReserved = (segment: string): boolean => RESERVED_SEGMENTS.has(segment.toLowerCase());

/** Accepts one leading @. @returns the handle without @; undefined if the text is not a handle */
export const parseHandle = (text: string): string | undefined => {
  const handle = text.startsWith('@') ? text.slice(1) : text;
  return HANDLE.test(handle) ? handle : undefined;
};

/**
 * Handles are case-insensitive, and letter case does not change their length. A text of another length is not read.
 *
 * @returns false if one of them is not known
 */
export const isSameHandle = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.length === b?.length && a.toLowerCase() === b.toLowerCase();

/** Ids are signed 64-bit integers. */
const LARGEST_ID = '9223372036854775807';

/** @returns undefined if the text is not the id of a post or an account */
export const parseId = (text: string): string | undefined =>
  /^[1-9][0-9]{0,18}$/.test(text) && (text.length < LARGEST_ID.length || text <= LARGEST_ID) ? text : undefined;

export const profileUrl = (handle: string): string => `https://x.com/${handle}`;

export const accountPath = (id: string): string => `/i/user/${id}`;

/** The path of a list of X, here and on X. */
export const xListPath = (id: string): string => `/i/lists/${id}`;

/** In URLs of X, `i` is the handle of any author. */
export const postUrl = (id: string, handle = 'i'): string => `https://x.com/${handle}/status/${id}`;

/** A handle, or `id:` and the id of the account. No handle has a colon. */
export type UserName = string;

const ID_NAME = /^id:([0-9]+)$/;

export const nameOfId = (id: string): UserName => `id:${id}`;

/** @returns undefined if the name is a handle */
export const idOfName = (name: UserName): string | undefined => ID_NAME.exec(name)?.[1];

export const isNamed = ({ handle, id }: Pick<User, 'handle' | 'id'>, name: UserName): boolean => {
  const wantedId = idOfName(name);
  return wantedId === undefined ? isSameHandle(handle, name) : id === wantedId;
};
