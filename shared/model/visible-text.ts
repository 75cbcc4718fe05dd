// Removes invisible characters from third-party text: controls, direction overrides, fillers, joiners, selectors, tags.
// Invisible characters can carry text that programs read and people do not see. Only the `text` member of JSON keeps them.
//
// Each run of invisible characters is judged by the visible character before it and after it. A character stays if a
// script or an emoji needs it there. At most one character of each kind stays, because a longer run can encode any text.
const LOW_SURROGATE = /[\udc00-\udfff]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

const isInsideSurrogatePair = (text: string, offset: number): boolean =>
  LOW_SURROGATE.test(text.charAt(offset)) && HIGH_SURROGATE.test(text.charAt(offset - 1));

/** Moves a UTF-16 offset that would split a surrogate pair, and bounds it by the length. */
export const validOffset = (text: string, offset: number): number =>
  Math.min(isInsideSurrogatePair(text, offset) ? offset + 1 : offset, text.length);

/**
 * The class of invisible characters: Default_Ignorable_Code_Point (UAX #44), controls, interlinear annotation and the
 * blank Braille pattern.
 */
const INVISIBLE =
  '[\\p{Default_Ignorable_Code_Point}\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u2800\\ufff9-\\ufffb]';
/**
 * A superset of the class in single UTF-16 units, as two character classes. It includes the surrogates of invisible
 * characters above U+FFFF, which some visible characters share. V8 compiles a class of up to 16 ranges to comparisons.
 * For more ranges it calls a function for each character, which takes ten times as long.
 */
export const MAYBE_INVISIBLE = {
  common:
    '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff',
  rare: '\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ud82f\\ud834\\udb40-\\udb43\\uffa0\\ufff0-\\ufffb',
} as const;
const HAS_COMMON = new RegExp(`[${MAYBE_INVISIBLE.common}]`);
const HAS_RARE = new RegExp(`[${MAYBE_INVISIBLE.rare}]`);

const maybeHasInvisible = (text: string): boolean => HAS_COMMON.test(text) || HAS_RARE.test(text);
const INVISIBLE_RUN = new RegExp(`${INVISIBLE}+`, 'gu');
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const LINE_END = /[\r\u0085\u2028\u2029]/;

const BLACK_FLAG = '🏴';
/** England, Scotland and Wales: the only flags of tag characters that Unicode recommends. */
const FLAG_TAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  [...region, '\u007f'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(''),
);

const EMOJI = /^[\p{Emoji}\p{Extended_Pictographic}]$/u;
const KEYCAP_BASE = /^[0-9#*]$/;
const KEYCAP = '\u20e3';
const EMOJI_SELECTOR = /^[\ufe0e\ufe0f]$/;
const isEmoji = (character: string): boolean => EMOJI.test(character) && !KEYCAP_BASE.test(character);

const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const MONGOLIAN_SELECTOR = /^[\u180b-\u180d\u180f]$/;

/** Scripts whose letters change with their neighbours, so a joiner can change a word. */
const JOINED_SCRIPTS = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Mong', 'Phag', 'Adlm', 'Rohg', 'Mani'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Tibt', 'Mymr', 'Khmr'],
  ...['Bali', 'Java', 'Gran', 'Newa', 'Tirh', 'Limb', 'Brah', 'Cakm', 'Kthi', 'Khoj', 'Shrd', 'Takr', 'Modi', 'Lepc'],
];
/** V8 needs 2 ms to create it, a tenth of the start of an empty function, and few texts have a joiner. */
let joined: RegExp | undefined;
const isJoined = (character: string): boolean => {
  joined ??= new RegExp(`^[${JOINED_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]$`, 'u');
  return joined.test(character);
};

/** Letters only, because the Arabic letter mark has the same script. */
const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;
const DIRECTION_MARK = /^[\u200e\u200f]$/;
const DIRECTION_MARK_IN = /[\u200e\u200f]/;

/** No script and no emoji needs another invisible character between these. The text can start or end here. */
const ASCII = /^[\0-\x7f]?$/;

const BRAILLE = /^[\u2801-\u28ff]$/;
const BRAILLE_BLANK = '\u2800';

/** In Old Hangul a filler replaces the missing consonant or vowel of a syllable. */
const CHOSEONG = /^[\u1100-\u115e\ua960-\ua97c]$/;
const JUNGSEONG = /^[\u1161-\u11a7\ud7b0-\ud7c6]$/;
const JONGSEONG = /^[\u11a8-\u11ff\ud7cb-\ud7fb]$/;
const CHOSEONG_FILLER = '\u115f';
const JUNGSEONG_FILLER = '\u1160';

const ZWNJ = '\u200c';
const ZWJ = '\u200d';
const MONGOLIAN_VOWEL_SEPARATOR = '\u180e';

/** The visible characters around a run of invisible characters; empty at the start and the end of the text. */
interface Neighbours {
  readonly before: string;
  readonly after: string;
}

const isSelector = (character: string, run: string, { before, after }: Neighbours): boolean =>
  (EMOJI_SELECTOR.test(character) && isEmoji(before)) ||
  (run === '\ufe0f' && KEYCAP_BASE.test(before) && after === KEYCAP) ||
  (MONGOLIAN_SELECTOR.test(character) && MONGOLIAN.test(before));

const isJoiner = (character: string, { before, after }: Neighbours): boolean => {
  if (character === MONGOLIAN_VOWEL_SEPARATOR) return MONGOLIAN.test(before) && MONGOLIAN.test(after);
  if (character !== ZWJ && character !== ZWNJ) return false;
  if (character === ZWJ && isEmoji(before) && isEmoji(after)) return true;
  return isJoined(before) || isJoined(after);
};

const isFiller = (run: string, { before, after }: Neighbours): boolean =>
  (run === CHOSEONG_FILLER && JUNGSEONG.test(after)) ||
  (run === JUNGSEONG_FILLER && CHOSEONG.test(before)) ||
  (run === CHOSEONG_FILLER + JUNGSEONG_FILLER && JONGSEONG.test(after));

/** @param isRightToLeft true if the text has a right-to-left letter @returns the characters of the run that stay */
const keepMeaningful = (run: string, around: Neighbours, isRightToLeft: () => boolean): readonly string[] => {
  if (ASCII.test(around.before) && ASCII.test(around.after)) {
    const mark = DIRECTION_MARK_IN.exec(run);
    return mark !== null && isRightToLeft() ? [mark[0]] : [];
  }
  const tags = around.before === BLACK_FLAG ? FLAG_TAGS.find((flag) => run.startsWith(flag)) : undefined;
  const rest = tags === undefined ? run : run.slice(tags.length);
  if (isFiller(rest, around)) return [...rest];
  const isWithinBraille = BRAILLE.test(around.before) || BRAILLE.test(around.after);
  const kept = [...(tags ?? '')];
  let hasJoiner = false;
  let hasMark = false;
  let isFirst = true;
  for (const character of rest) {
    if (isFirst && isSelector(character, rest, around)) kept.push(character);
    else if (character === BRAILLE_BLANK && isWithinBraille) kept.push(character);
    else if (!hasJoiner && isJoiner(character, around)) {
      hasJoiner = true;
      kept.push(character);
    } else if (!hasMark && DIRECTION_MARK.test(character) && isRightToLeft()) {
      hasMark = true;
      kept.push(character);
    }
    isFirst = false;
  }
  return kept;
};

/** @returns the character that ends at a UTF-16 offset; empty at the start of the text */
export const characterBefore = (text: string, index: number): string =>
  text.slice(LOW_SURROGATE.test(text.charAt(index - 1)) ? index - 2 : Math.max(0, index - 1), index);

const characterAt = (text: string, index: number): string => {
  const point = text.codePointAt(index);
  return point === undefined ? '' : String.fromCodePoint(point);
};

const ignore = (): void => {};

const removeInvisible = (text: string, onRemoved: () => void): string => {
  let isRightToLeft: boolean | undefined;
  const looksRightToLeft = (): boolean => {
    isRightToLeft ??= RIGHT_TO_LEFT.test(text);
    return isRightToLeft;
  };
  return text.replace(INVISIBLE_RUN, (run, index: number) => {
    const around = { before: characterBefore(text, index), after: characterAt(text, index + run.length) };
    const kept = keepMeaningful(run, around, looksRightToLeft);
    for (let removed = [...run].length - kept.length; removed > 0; removed -= 1) onRemoved();
    return kept.join('');
  });
};

/**
 * Removes invisible characters, writes line ends as \n and makes the text well-formed UTF-16.
 *
 * @param onRemoved called once for each removed character
 */
export const visibleText = (text: string, onRemoved: () => void = ignore): string => {
  let clean = text.isWellFormed() ? text : text.toWellFormed();
  if (LINE_END.test(clean)) clean = clean.replace(LINE_ENDS, '\n');
  return maybeHasInvisible(clean) ? removeInvisible(clean, onRemoved) : clean;
};

const isShownAs = (unit: string, shown: string): boolean => unit === shown || (shown === '\n' && LINE_END.test(unit));

/** Converts offsets of a well-formed text, in ascending order, to offsets of its visible text. */
export const visibleOffsets = (text: string, visible: string, offsets: readonly number[]): readonly number[] => {
  if (text === visible) return offsets;
  let read = 0;
  let shown = 0;
  return offsets.map((offset) => {
    for (; read < offset; read += 1) if (isShownAs(text.charAt(read), visible.charAt(shown))) shown += 1;
    return shown;
  });
};

/** @returns true if nothing of the text can be seen */
export const isBlank = (text: string): boolean => visibleText(text).trim() === '';

const HAS_LAYOUT = /[^\S ]| {2}|^ | $/;

/** Does the same for a name, a label or a title, and puts it on one line. */
export const visibleLine = (text: string, onRemoved?: () => void): string => {
  const clean = visibleText(text, onRemoved);
  return HAS_LAYOUT.test(clean) ? clean.replace(/\s+/g, ' ').trim() : clean;
};

/** Percent-encodes the invisible characters of a URL, so the URL stays the same and becomes visible. */
export const visibleUrl = (url: string): string =>
  maybeHasInvisible(url) ? url.toWellFormed().replace(EACH_INVISIBLE, encodeURIComponent) : url;
