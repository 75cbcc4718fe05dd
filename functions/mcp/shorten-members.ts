// Reduces the members of a JSON result to those that a model needs, and shortens them to a number of bytes. Texts end
// early first. If that is not enough, the items keep fewer members, and at last only those that name them.
import { findLargest } from '../../shared/model/fit.ts';
import { asRecord, isRecord, type JsonRecord } from '../../shared/model/json.ts';
import { visibleText, visibleUrl } from '../../shared/model/visible-text.ts';
import { cutUnits } from '../../shared/render/content/cut.ts';
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

/** @param isKept by the name of a member, in the value and within it */
const mapTexts = (
  value: unknown,
  name: string,
  isKept: (name: string) => boolean,
  change: (text: string, name: string) => string,
): unknown => {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, name, isKept, change));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([member, inner]) => inner !== undefined && isKept(member));
  return Object.fromEntries(kept.map(([member, inner]) => [member, mapTexts(inner, member, isKept, change)]));
};

/** Cleans the texts as Markdown is cleaned. @param onRemoved called once for each invisible character that is left out */
export const leanMembers = (members: object, onRemoved: () => void): JsonRecord =>
  asRecord(
    mapTexts(
      members,
      '',
      (name) => !OMITTED.has(name),
      (text, name) => (URL_MEMBER.test(name) ? visibleUrl(text) : visibleText(text, onRemoved)),
    ),
  ) ?? {};

/** The members that people wrote. Ids, handles, URLs, times and cursors are useless if they are cut. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['text', 'markdown', 'bio', 'name', 'title', 'description', 'preview_text', 'alt_text', 'label', 'location'],
  ...['query', 'display_url', 'message'],
]);

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
  const attempt = (codeUnits: number, { kept }: Level): JsonRecord => {
    const isKept = (name: string): boolean => kept === undefined || kept.has(name);
    const change = (text: string, name: string): string => (TEXTS.has(name) ? cutUnits(text, codeUnits) : text);
    return Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, mapTexts(value, name, isKept, change)]),
    );
  };
  const fits = (shortened: JsonRecord): boolean => byteLength(JSON.stringify(shortened)) <= maxBytes;
  const level = LEVELS.find((candidate) => fits(attempt(candidate.minimum, candidate))) ?? LAST_LEVEL;
  // A code unit has at least one byte.
  const longest = findLargest(level.minimum, maxBytes, (codeUnits) => {
    const shortened = attempt(codeUnits, level);
    return fits(shortened) ? shortened : undefined;
  });
  return longest ?? attempt(level.minimum, level);
};
