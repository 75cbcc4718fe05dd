// Lists the parameters with their parsers and their documentation. A parser gets one raw value. inputs.ts handles absence,
// repetition and the rules between parameters.

import { REPLY_ORDERS } from '../model/conversation.ts';
import { MAX_HANDLES, parseHandle, parseId } from '../model/handle.ts';
import { parseInstant } from '../model/instant-text.ts';
import { keysOf } from '../model/json.ts';
import { canonicalLanguage, languages, MAX_LANGUAGE_CHARACTERS } from '../model/languages.ts';
import {
  FEEDS,
  type ListKey,
  type ListPosition,
  MAX_SEARCH_UNITS,
  REPOST_CHOICES,
  TIMELINE_KINDS,
} from '../model/lists.ts';
import { type PostRef, type PostUrlError, parsePostLink } from '../model/x-urls.ts';
import { MAX_LOOKUP_POSTS } from './bounds.ts';
import type { ProblemCode } from './problems.ts';

export class InvalidValue {
  readonly code: ProblemCode;
  readonly message: string;

  constructor(code: ProblemCode, message: string) {
    this.code = code;
    this.message = message;
  }
}

export interface ParseContext {
  /** `{base_url}`: permalinks of this service are accepted as URLs of posts. */
  readonly baseUrl: string;
  /** Undefined: the use case has no list. */
  readonly decodeCursor?: DecodeCursor | undefined;
}

/** @param list the list of the request @returns undefined if the service did not sign the cursor for this list */
export type DecodeCursor = (list: ListKey, text: string) => ListPosition | undefined;

export interface ParameterRow<T> {
  readonly description: string;
  /** JSON Schema of the value in the query. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The problem codes of an invalid value. */
  readonly codes: readonly ProblemCode[];
  readonly emptyIsAbsent?: boolean;
  parse(raw: string, context: ParseContext): T | InvalidValue;
}

const urlErrors: Readonly<Record<PostUrlError, string>> = {
  invalid_url: 'is not an http(s) address, is longer than 2,048 characters, or holds credentials or control characters',
  unsupported_host: 'is not on x.com or one of its known mirrors; short links are not resolved',
  invalid_path: 'does not have the form /{handle}/status/{id}',
  invalid_handle: 'holds a handle that is not 1 to 15 letters, digits or underscores',
  invalid_id: 'holds an id that is not a decimal number of at most 9223372036854775807',
};

const define = <T>(parameter: ParameterRow<T>): ParameterRow<T> => parameter;

const parseInteger = (raw: string, low: number, high: number): number | InvalidValue => {
  const value = /^[1-9][0-9]{0,8}$/.test(raw) ? Number(raw) : Number.NaN;
  return value >= low && value <= high
    ? value
    : new InvalidValue('invalid_parameter', `must be a whole number from ${low} to ${high}`);
};

const integer = (minimum: number, maximum: number, description: string, preset?: number): ParameterRow<number> => ({
  description,
  schema: { type: 'integer', minimum, maximum, ...(preset !== undefined && { default: preset }) },
  codes: ['invalid_parameter'],
  parse: (raw) => parseInteger(raw, minimum, maximum),
});

/** The upper bound of 15 digits keeps the number a safe integer. */
const pixels = (description: string): ParameterRow<number> => ({
  description,
  schema: { type: 'integer', minimum: 1 },
  codes: ['invalid_parameter'],
  parse: (raw) =>
    /^[1-9][0-9]{0,14}$/.test(raw)
      ? Number(raw)
      : new InvalidValue('invalid_parameter', 'must be a positive whole number'),
});

const oneOf = <const T extends string>(
  values: readonly T[],
  preset: T,
  description: string,
  code: ProblemCode = 'invalid_parameter',
): ParameterRow<T> => ({
  description,
  schema: { type: 'string', enum: values, default: preset },
  codes: [code],
  parse: (raw) =>
    values.find((value) => value === raw) ?? new InvalidValue(code, `must be one of ${values.join(', ')}`),
});

const REPLIES = [...REPLY_ORDERS, 'off'] as const;
const LAYOUTS = ['conversation', 'unrolled'] as const;
export type Layout = (typeof LAYOUTS)[number];
const METRICS = ['on', 'off'] as const;
export type MetricsChoice = (typeof METRICS)[number];

const TRANSLATIONS = ['both', 'only'] as const;
export type TranslationChoice = (typeof TRANSLATIONS)[number];

/** JSON has the parts of a thread as members. */
export const LAYOUT_NOT_FOR_JSON = 'is unrolled, which JSON has no form for: ask for Markdown, or leave layout out';

/** Only a page has parts that a file can hold. */
export const DOWNLOAD_IS_FOR_PAGES = 'is for the HTML page of a permalink: leave it out, or ask for text/html';

/** Only a feed has items that several posts can share. */
export const THREADS_FOR_FEEDS = 'is merged, which only feeds are: ask for rss, atom or jsonfeed';

export const DEFAULT_LIMIT = 20;
/** The most items of a page. */
export const MAX_LIMIT = 100;

/** The smallest budget: a smaller one would leave no text of a post. */
export const MIN_TOKENS = 100;

/** The budget of a part without max_tokens: that of a tool result. */
export const DEFAULT_PART_TOKENS = 6000;
/** More parts than the longest text has in the smallest budget. */
const MAX_PART = 1_000_000;

/** Line ends and tabs are accepted, because pasted text can contain them. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** The service never creates a longer cursor. */
export const MAX_CURSOR_CHARACTERS = 6000;
export const FOREIGN_CURSOR = 'was not made by this service for this list';

/** Enough for repeats and spaces. */
const MAX_HANDLES_CHARACTERS = 1000;

const parsePostUrlParameter = (raw: string, { baseUrl }: ParseContext): PostRef | InvalidValue => {
  const ref = parsePostLink(raw, new URL(baseUrl).origin);
  return 'error' in ref ? new InvalidValue(ref.error, urlErrors[ref.error]) : ref;
};

const INVALID_ID = 'must be a decimal number from 1 to 9223372036854775807';

const parseIdParameter = (raw: string): string | InvalidValue =>
  parseId(raw) ?? new InvalidValue('invalid_id', INVALID_ID);

const DIGITS = /^[0-9]+$/;

/** @param position of the entry, from 1 */
const parseEntry = (raw: string, position: number, context: ParseContext): string | InvalidValue => {
  const text = raw.trim();
  if (!text.includes('/') && !DIGITS.test(text))
    return new InvalidValue('invalid_id', `must hold only ids and addresses of posts (entry ${position})`);
  const parsed = DIGITS.test(text) ? parseIdParameter(text) : parsePostUrlParameter(text, context);
  if (parsed instanceof InvalidValue) return new InvalidValue(parsed.code, `${parsed.message} (entry ${position})`);
  return typeof parsed === 'string' ? parsed : parsed.id;
};

/** @returns each id once, in order */
const parseIds = (raw: string, context: ParseContext): readonly string[] | InvalidValue => {
  const entries = raw.split(',', MAX_LOOKUP_POSTS + 1);
  if (entries.length > MAX_LOOKUP_POSTS)
    return new InvalidValue('invalid_parameter', `must have at most ${MAX_LOOKUP_POSTS} entries`);
  const ids = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const id = parseEntry(entry, index + 1, context);
    if (id instanceof InvalidValue) return id;
    ids.add(id);
  }
  return [...ids];
};

const INVALID_HANDLE = 'must be 1 to 15 letters, digits or underscores';

/** @returns each handle once, in lower case and sorted */
const parseHandles = (raw: string): readonly string[] | InvalidValue => {
  if (raw.length > MAX_HANDLES_CHARACTERS)
    return new InvalidValue('invalid_parameter', `is longer than ${MAX_HANDLES_CHARACTERS} characters`);
  const handles = new Set<string>();
  const entries = raw.split(',').map((entry) => entry.trim());
  for (const entry of entries.filter((text) => text !== '')) {
    const handle = parseHandle(entry);
    if (handle === undefined)
      return new InvalidValue('invalid_handle', `must hold only handles: each ${INVALID_HANDLE}`);
    handles.add(handle.toLowerCase());
    if (handles.size > MAX_HANDLES)
      return new InvalidValue('invalid_parameter', `must have at most ${MAX_HANDLES} different handles`);
  }
  return handles.size === 0 ? new InvalidValue('invalid_handle', 'holds no handle') : [...handles].sort();
};

const instant = (description: string): ParameterRow<number> => ({
  description,
  schema: { type: 'string' },
  codes: ['invalid_parameter'],
  emptyIsAbsent: true,
  parse: (raw) =>
    parseInstant(raw) ??
    new InvalidValue(
      'invalid_parameter',
      'must be an RFC 3339 instant with its zone, such as 2026-09-01T10:00:00Z, or a day as YYYY-MM-DD',
    ),
});

export type ThreadChoice = 'off' | 'full' | number;

export const parameters = {
  url: define<PostRef>({
    description:
      'Address of the post, in any spelling: x.com, twitter.com, mobile hosts, common mirrors, /i/status/{id}, with or without scheme, photo suffix, query or fragment.',
    schema: { type: 'string', maxLength: 2048 },
    codes: keysOf(urlErrors),
    emptyIsAbsent: true,
    parse: parsePostUrlParameter,
  }),
  handle: define<string>({
    description: 'Handle of the account (of a post: its author), with or without a leading @.',
    schema: { type: 'string', pattern: '^@?[A-Za-z0-9_]{1,15}$' },
    codes: ['invalid_handle'],
    emptyIsAbsent: true,
    parse: (raw) => parseHandle(raw) ?? new InvalidValue('invalid_handle', INVALID_HANDLE),
  }),
  handles: define<readonly string[]>({
    description: `The accounts: 1 to ${MAX_HANDLES} handles, separated by commas. Their order and letter case do not matter.`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_HANDLES_CHARACTERS },
    codes: ['invalid_parameter', 'invalid_handle'],
    emptyIsAbsent: true,
    parse: parseHandles,
  }),
  id: define<string>({
    description: 'Id of the post or, where a route reads a profile or a list of X, of the account or the list.',
    schema: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' },
    codes: ['invalid_id'],
    emptyIsAbsent: true,
    parse: parseIdParameter,
  }),
  ids: define<readonly string[]>({
    description: `The posts: 1 to ${MAX_LOOKUP_POSTS} ids or addresses, separated by commas. Repeated posts count once.`,
    schema: { type: 'string', minLength: 1 },
    codes: ['invalid_parameter', ...keysOf(urlErrors)],
    emptyIsAbsent: true,
    parse: parseIds,
  }),
  kind: oneOf(
    TIMELINE_KINDS,
    'posts',
    'Which posts: posts (without replies), replies (posts and replies), media (with pictures or videos), or articles.',
  ),
  reposts: oneOf(
    REPOST_CHOICES,
    'exclude',
    'Whether posts and replies have the reposts of their accounts: exclude, or include (`reposted_by` says who).',
  ),
  threads: oneOf(
    ['single', 'merged'],
    'single',
    'Items of a feed: each post (single), or one for each thread of an account, with the parts of the page (merged; only feeds).',
  ),
  since: instant('Only posts of this instant or later: RFC 3339, or a day in UTC as YYYY-MM-DD.'),
  until: instant('Only posts before this instant: RFC 3339, or a day in UTC as YYYY-MM-DD.'),
  sort: oneOf(REPLY_ORDERS, 'top', 'The order of the replies, which X makes: of the most liked, or of the newest.'),
  format: define<string>({
    description: 'Representation; wins over Accept.',
    // Each input lists its formats, so the schema has no enum.
    schema: { type: 'string' },
    codes: ['invalid_format'],
    parse: (raw) => raw,
  }),
  thread: define<ThreadChoice>({
    description:
      'How much of the conversation around the post: full, off (no ancestors, no thread), or the greatest number of thread posts.',
    schema: {
      oneOf: [
        { type: 'string', enum: ['full', 'off'] },
        { type: 'integer', minimum: 2, maximum: 100 },
      ],
      default: 'full',
    },
    codes: ['invalid_parameter'],
    parse: (raw) => (raw === 'off' || raw === 'full' ? raw : parseInteger(raw, 2, 100)),
  }),
  replies: oneOf(
    REPLIES,
    'top',
    'Which replies: the most liked, the newest, or none. Default with format=obsidian or epub, layout=unrolled or part: off.',
  ),
  layout: oneOf(
    LAYOUTS,
    'conversation',
    'How Markdown and notes show a thread: conversation (each post with its counts), or unrolled (one text from its first part). Not for JSON.',
  ),
  download: define<true>({
    description: 'The HTML page of a permalink as one file that loads nothing, with its pictures: 1.',
    schema: { type: 'string', enum: ['1'] },
    codes: ['invalid_parameter'],
    parse: (raw) => (raw === '1' ? true : new InvalidValue('invalid_parameter', 'must be 1')),
  }),
  q: define<string>({
    description: 'What to search for, with the operators of X such as from:, since:, lang: and quoted phrases.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_UNITS },
    codes: ['missing_query', 'invalid_query'],
    parse: (raw) => {
      const query = raw.trim().toWellFormed();
      if (query === '') return new InvalidValue('missing_query', 'is required');
      if (CONTROLS.test(query)) return new InvalidValue('invalid_query', 'holds control characters');
      return query.length <= MAX_SEARCH_UNITS
        ? query
        : new InvalidValue('invalid_query', `is longer than ${MAX_SEARCH_UNITS} UTF-16 units`);
    },
  }),
  feed: oneOf(
    FEEDS,
    'latest',
    'What of the results: the latest, the top ones, those with media, or accounts.',
    'invalid_feed',
  ),
  limit: integer(1, MAX_LIMIT, 'How many items a page holds, as long as there are as many.', DEFAULT_LIMIT),
  cursor: define<string>({
    description:
      'Where to go on: next_cursor of the page before. Bound to the list and its arguments; limit, format, max_tokens, metrics, lang and translation may change.',
    schema: { type: 'string', maxLength: MAX_CURSOR_CHARACTERS },
    codes: ['invalid_cursor'],
    emptyIsAbsent: true,
    // The signature is checked in inputs.ts, because the check needs the list.
    parse: (raw) => (raw.length <= MAX_CURSOR_CHARACTERS ? raw : new InvalidValue('invalid_cursor', FOREIGN_CURSOR)),
  }),
  max_tokens: integer(MIN_TOKENS, 200000, 'Upper bound of the Markdown, in tokens of 4 UTF-8 bytes.'),
  part: integer(
    1,
    MAX_PART,
    `Which part of the Markdown, as max_tokens cuts it (default then: ${DEFAULT_PART_TOKENS}). The parts joined are the whole text. Replies are off unless asked for. Unset: the first part that shows the post.`,
  ),
  metrics: oneOf(
    METRICS,
    'on',
    'Figures of posts in Markdown, such as likes. A list leaves out those that are zero in each of its posts.',
  ),
  lang: define<string>({
    description:
      'Language of the reader (BCP 47, such as de, pt or zh-hans). A post is translated into it; lists have the translations that X keeps. Links of pages keep it.',
    schema: { type: 'string', maxLength: MAX_LANGUAGE_CHARACTERS },
    codes: ['invalid_parameter'],
    emptyIsAbsent: true,
    parse: (raw) => {
      const language = canonicalLanguage(raw);
      return languages.includes(language)
        ? language
        : new InvalidValue('invalid_parameter', 'must be the code of a language, such as de, pt or zh-hans');
    },
  }),
  translation: oneOf(
    TRANSLATIONS,
    'both',
    'What Markdown and pages show of a translated post: both (the original below the translation), or only the translation.',
  ),
  maxwidth: pixels('Greatest width of the embed and its thumbnail, in pixels.'),
  maxheight: pixels('Greatest height of the embed and its thumbnail, in pixels.'),
} as const;

export type ParameterName = keyof typeof parameters;
export type ParameterValue<Name extends ParameterName> = Exclude<
  ReturnType<(typeof parameters)[Name]['parse']>,
  InvalidValue
>;
