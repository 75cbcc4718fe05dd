// The grammar of handles and ids, and the first path segments that are never a handle.

const HANDLE = /^[A-Za-z0-9_]{1,15}$/;

/** What providers name: some accounts have longer handles than can be had today. */
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

/** One leading @ is tolerated; inside the code a handle never has one. */
export const parseHandle = (text: string): string | undefined => {
  const handle = text.startsWith('@') ? text.slice(1) : text;
  return HANDLE.test(handle) ? handle : undefined;
};

const LARGEST_ID = '9223372036854775807'; // ids are signed 64-bit

export const parseId = (text: string): string | undefined =>
  /^[1-9][0-9]{0,18}$/.test(text) && (text.length < LARGEST_ID.length || text <= LARGEST_ID) ? text : undefined;

export const profileUrl = (handle: string): string => `https://x.com/${handle}`;

/** `i` stands for "whoever wrote it" in addresses of X. */
export const postUrl = (id: string, handle = 'i'): string => `https://x.com/${handle}/status/${id}`;
