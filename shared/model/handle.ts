// Parses handles and ids, builds URLs of them, and lists the first path segments that are never a handle. The edge function
// includes this file, so the code has no syntax that esbuild cannot lower to ES5, and lists of handles use ES5 methods only.
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
export const postUrl = (id: string, handle?: string): string => `https://x.com/${handle ?? 'i'}/status/${id}`;

/** A handle, or `id:` and the id of the account. No handle has a colon. */
export type UserName = string;

const ID_NAME = /^id:([0-9]+)$/;

export const nameOfId = (id: string): UserName => `id:${id}`;

/** @returns undefined if the name is a handle */
export const idOfName = (name: UserName): string | undefined => ID_NAME.exec(name)?.[1];

/** The name as people read it. */
export const shownName = (name: UserName): string => (idOfName(name) === undefined ? `@${name}` : name);

export const isNamed = (user: Pick<User, 'handle' | 'id'>, name: UserName): boolean => {
  const wantedId = idOfName(name);
  return wantedId === undefined ? isSameHandle(user.handle, name) : user.id === wantedId;
};

// Reads and writes lists of handles.

/** The most accounts of a merged timeline. */
export const MAX_HANDLES = 20;

/** The variables of a path segment that has several handles. A path is one of a list if the segment has a comma. */
export const HANDLE_LIST = '{handle},{handles}';

/** No list of handles is longer, or has other characters. */
const HANDLES = /^[\w@, ]{1,1000}$/;

/** @returns each handle once, in lower case and sorted; empty if the text is no list of handles */
export const canonicalHandles = (text: string): string =>
  HANDLES.test(text)
    ? text
        .toLowerCase()
        .split(',')
        .map((entry) => entry.trim().replace(/^@(?=\w)/, ''))
        .sort()
        .filter((entry, index, all) => entry !== '' && entry !== all[index - 1])
        .join(',')
    : '';

/** @param handles canonical @returns the path segment, which has a comma also after a single handle */
export const handleListSegment = (handles: string): string => (/,/.test(handles) ? handles : `${handles},`);
