// Reduces the members of a JSON result to those that a model needs, and shortens them to a number of bytes. Texts end
// early first. If that is not enough, the items keep fewer members, and at last only those that name them.
import { findLargest } from '../../shared/model/fit.ts';
import { isRecord, type JsonRecord } from '../../shared/model/json.ts';
import { visibleText, visibleUrl } from '../../shared/model/visible-text.ts';
import { byteLength } from '../../shared/render/content/format.ts';

/**
 * `styles`, `decorations`, `start` and `end` are offsets in the text before it was cleaned. `blocks` repeat the `markdown` of an
 * article. The others are URLs of files that a model does not open.
 */
const OMITTED: ReadonlySet<string> = new Set([
  'avatar_url',
  'banner_url',
  'variants',
  'styles',
  'decorations',
  'start',
  'end',
  'blocks',
]);

const URL_MEMBER = /(?:^|_)url$|^website$/;

/** Cleans the texts as Markdown is cleaned. @param onRemoved called once for each invisible character that is left out */
export const leanMembers = (members: object, onRemoved: () => void): JsonRecord => {
  const lean = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return URL_MEMBER.test(name) ? visibleUrl(value) : visibleText(value, onRemoved);
    if (Array.isArray(value)) return value.map((item) => lean(item, name));
    return typeof value === 'object' && value !== null ? leanObject(value) : value;
  };
  const leanObject = (value: object): JsonRecord =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => member !== undefined && !OMITTED.has(name))
        .map(([name, member]) => [name, lean(member, name)]),
    );
  return leanObject(members);
};

/** The members that people wrote. Ids, handles, URLs, times and cursors are useless if they are cut. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['text', 'markdown', 'bio', 'name', 'title', 'description', 'preview_text', 'alt_text', 'label', 'location'],
  ...['query', 'display_url', 'message'],
]);

const ELLIPSIS = '…';

const prefixOf = (text: string, codeUnits: number): string =>
  text.length <= codeUnits
    ? text
    : `${text
        .slice(0, codeUnits)
        .toWellFormed()
        .replace(/\ufffd$/, '')}${ELLIPSIS}`;

/** @param kept the members that objects within the result keep; undefined: all */
const shorten = (value: unknown, name: string, codeUnits: number, kept: ReadonlySet<string> | undefined): unknown => {
  if (typeof value === 'string') return TEXTS.has(name) ? prefixOf(value, codeUnits) : value;
  if (Array.isArray(value)) return value.map((item) => shorten(item, name, codeUnits, kept));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => kept === undefined || kept.has(member))
      .map(([member, inner]) => [member, shorten(inner, member, codeUnits, kept)]),
  );
};

/** The members that items keep at every level of loss: what names them, and their text. */
const ESSENTIAL = ['id', 'text', 'author', 'handle', 'bio', 'unavailable', 'reason'];
/** A text of fewer code units says less than the members that would be omitted for a longer one. */
const MIN_TEXT_CODE_UNITS = 40;

interface Level {
  /** Undefined: all members. */
  readonly kept?: ReadonlySet<string>;
  readonly minimum: number;
}

/** From the least loss on. */
const LEVELS: readonly Level[] = [
  { minimum: MIN_TEXT_CODE_UNITS },
  {
    kept: new Set([...ESSENTIAL, 'url', 'markdown', 'title', 'article', 'created_at', 'name']),
    minimum: MIN_TEXT_CODE_UNITS,
  },
];
const LAST_LEVEL: Level = { kept: new Set(ESSENTIAL), minimum: 0 };

/** @param members of the result, which all stay; their inner members may not */
export const shortenMembers = (members: JsonRecord, maxBytes: number): JsonRecord => {
  const attempt = (codeUnits: number, { kept }: Level): JsonRecord =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, shorten(value, name, codeUnits, kept)]));
  const fits = (shortened: JsonRecord): boolean => byteLength(JSON.stringify(shortened)) <= maxBytes;
  const level = LEVELS.find((candidate) => fits(attempt(candidate.minimum, candidate))) ?? LAST_LEVEL;
  // A code unit has at least one byte.
  const longest = findLargest(level.minimum, maxBytes, (codeUnits) => {
    const shortened = attempt(codeUnits, level);
    return fits(shortened) ? shortened : undefined;
  });
  return longest ?? attempt(level.minimum, level);
};
