// Characters that are not seen: controls, overrides of the writing direction, fillers, joiners, selectors, tags. They hide
// words from people and show them to programs, so they are left out of everything but the `text` of JSON, unless they
// stand where a script or an emoji needs them. There at most one of a kind stays: a run of them can hold anything.

/**
 * All that may be unseen: what Unicode calls ignorable by default (UAX #44), controls, interlinear annotation, the blank
 * Braille pattern.
 */
const UNSEEN =
  '[\\p{Default_Ignorable_Code_Point}\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u2800\\ufff9-\\ufffb]';
/**
 * The same and a little more in single UTF-16 units, as two character classes: surrogates lead to what is beyond U+FFFF,
 * and to some characters that are seen. V8 compares up to 16 ranges in the compiled expression; with more it calls a
 * function for each character, which takes ten times as long.
 */
export const MAYBE_UNSEEN = {
  common:
    '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff',
  rare: '\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ud82f\\ud834\\udb40-\\udb43\\uffa0\\ufff0-\\ufffb',
} as const;
const HAS_COMMON = new RegExp(`[${MAYBE_UNSEEN.common}]`);
const HAS_RARE = new RegExp(`[${MAYBE_UNSEEN.rare}]`);

const maybeHasUnseen = (words: string): boolean => HAS_COMMON.test(words) || HAS_RARE.test(words);
const UNSEEN_RUN = new RegExp(`${UNSEEN}+`, 'gu');
const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const HAS_LINE_ENDS = /[\r\u0085\u2028\u2029]/;

const BLACK_FLAG = '🏴';
/** England, Scotland, Wales: all flags that Unicode recommends of those made of tags. */
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

/** Scripts whose letters change with their neighbours, so that joiners make another word of them. */
const JOINED_SCRIPTS = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mand', 'Mong', 'Phag', 'Adlm', 'Rohg', 'Mani'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Tibt', 'Mymr', 'Khmr'],
  ...['Bali', 'Java', 'Gran', 'Newa', 'Tirh', 'Limb', 'Brah', 'Cakm', 'Kthi', 'Khoj', 'Shrd', 'Takr', 'Modi', 'Lepc'],
];
const JOINED = new RegExp(`^[${JOINED_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]$`, 'u');

/** Letters: the Arabic letter mark belongs to the script as well. */
const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;
const DIRECTION_MARK = /^[\u200e\u200f]$/;

const BRAILLE = /^[\u2801-\u28ff]$/;
const BRAILLE_BLANK = '\u2800';

/** Old Hangul: a filler stands for the consonant or the vowel that a syllable lacks. */
const CHOSEONG = /^[\u1100-\u115e\ua960-\ua97c]$/;
const JUNGSEONG = /^[\u1161-\u11a7\ud7b0-\ud7c6]$/;
const JONGSEONG = /^[\u11a8-\u11ff\ud7cb-\ud7fb]$/;
const CHOSEONG_FILLER = '\u115f';
const JUNGSEONG_FILLER = '\u1160';

const ZWNJ = '\u200c';
const ZWJ = '\u200d';
const MONGOLIAN_VOWEL_SEPARATOR = '\u180e';

/** The characters around a run of unseen ones; empty at the ends of the text. */
interface Around {
  readonly before: string;
  readonly after: string;
}

const isSelector = (character: string, run: string, { before, after }: Around): boolean =>
  (EMOJI_SELECTOR.test(character) && isEmoji(before)) ||
  (run === '\ufe0f' && KEYCAP_BASE.test(before) && after === KEYCAP) ||
  (MONGOLIAN_SELECTOR.test(character) && MONGOLIAN.test(before));

const isJoiner = (character: string, { before, after }: Around): boolean => {
  if (character === MONGOLIAN_VOWEL_SEPARATOR) return MONGOLIAN.test(before) && MONGOLIAN.test(after);
  if (character !== ZWJ && character !== ZWNJ) return false;
  if (character === ZWJ && isEmoji(before) && isEmoji(after)) return true;
  return JOINED.test(before) || JOINED.test(after);
};

const isFiller = (run: string, { before, after }: Around): boolean =>
  (run === CHOSEONG_FILLER && JUNGSEONG.test(after)) ||
  (run === JUNGSEONG_FILLER && CHOSEONG.test(before)) ||
  (run === CHOSEONG_FILLER + JUNGSEONG_FILLER && JONGSEONG.test(after));

/** What of a run has a meaning where it stands. @param isRightToLeft whether any of the text is */
const meaningful = (run: string, around: Around, isRightToLeft: () => boolean): readonly string[] => {
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

const LOW_SURROGATE = /[\udc00-\udfff]/;

const characterBefore = (words: string, at: number): string =>
  words.slice(LOW_SURROGATE.test(words.charAt(at - 1)) ? at - 2 : Math.max(0, at - 1), at);

const characterAt = (words: string, at: number): string => {
  const point = words.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
};

const ignore = (): void => {};

const withoutUnseen = (words: string, onRemoved: () => void): string => {
  let isRightToLeft: boolean | undefined;
  const looksRightToLeft = (): boolean => {
    isRightToLeft ??= RIGHT_TO_LEFT.test(words);
    return isRightToLeft;
  };
  return words.replace(UNSEEN_RUN, (run, at: number) => {
    const around = { before: characterBefore(words, at), after: characterAt(words, at + run.length) };
    const kept = meaningful(run, around, looksRightToLeft);
    for (let removed = [...run].length - kept.length; removed > 0; removed -= 1) onRemoved();
    return kept.join('');
  });
};

/**
 * Words without unseen characters; line ends as \n; well-formed UTF-16.
 *
 * @param onRemoved called for each character that is left out
 */
export const visibleText = (words: string, onRemoved: () => void = ignore): string => {
  let clean = words.isWellFormed() ? words : words.toWellFormed();
  if (HAS_LINE_ENDS.test(clean)) clean = clean.replace(LINE_ENDS, '\n');
  return maybeHasUnseen(clean) ? withoutUnseen(clean, onRemoved) : clean;
};

const HAS_LAYOUT = /[^\S ]| {2}|^ | $/;

/** A name, a label, a title: visible, and on one line. */
export const visibleLine = (words: string, onRemoved?: () => void): string => {
  const clean = visibleText(words, onRemoved);
  return HAS_LAYOUT.test(clean) ? clean.replace(/\s+/g, ' ').trim() : clean;
};

/** The same address with what is not seen in it percent-encoded: it stays the address, and can be seen. */
export const visibleAddress = (url: string): string =>
  maybeHasUnseen(url) ? url.toWellFormed().replace(EACH_UNSEEN, encodeURIComponent) : url;
