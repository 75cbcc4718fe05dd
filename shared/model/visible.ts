// Characters that nobody sees: controls, overrides of the writing direction, tags. They hide words from people and show
// them to programs, so they are left out of everything but the `text` of JSON.

// Emoji need ZWJ and variation selectors, Persian ZWNJ, Hebrew and Arabic the directional marks: these stay.
const INVISIBLE =
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u00ad\\u200b\\u2060-\\u2064\\u202a-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\u{E0000}-\\u{E007F}]';
// The flags of England, Scotland and Wales are the only honest use of tag characters.
const FLAGS =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}';
const FLAG_OR_INVISIBLE = new RegExp(`(${FLAGS})|${INVISIBLE}`, 'gu');
const HAS_INVISIBLE = new RegExp(INVISIBLE, 'u');
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
const HAS_LINE_ENDS = /[\r\u0085\u2028\u2029]/;

const ignore = (): void => {};

/**
 * Words without invisible characters; line ends as \n; well-formed UTF-16.
 *
 * @param onRemoved called for each character that is left out
 */
export const visibleText = (words: string, onRemoved: () => void = ignore): string => {
  let clean = words.isWellFormed() ? words : words.toWellFormed();
  if (HAS_LINE_ENDS.test(clean)) clean = clean.replace(LINE_ENDS, '\n');
  if (!HAS_INVISIBLE.test(clean)) return clean;
  return clean.replace(FLAG_OR_INVISIBLE, (_, flag: string | undefined) => {
    if (flag !== undefined) return flag;
    onRemoved();
    return '';
  });
};

const HAS_LAYOUT = /[^\S ]| {2}|^ | $/;

/** A name, a label, a title: visible, and on one line. */
export const visibleLine = (words: string, onRemoved?: () => void): string => {
  const clean = visibleText(words, onRemoved);
  return HAS_LAYOUT.test(clean) ? clean.replace(/\s+/g, ' ').trim() : clean;
};
