// Tests which invisible characters are removed, and which stay because a script or an emoji needs them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { isPlain, isPlainLine } from '../../../shared/render/markdown/plain-text.ts';

const cleaned = (input: string): { readonly text: string; readonly removed: number } => {
  let removed = 0;
  const text = visibleText(input, () => {
    removed += 1;
  });
  return { text, removed };
};

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));

const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** Unicode 16, DerivedCoreProperties.txt: Default_Ignorable_Code_Point; and the blank Braille pattern. */
// biome-ignore format: side by side they fit on a screen
const IGNORABLE = [
  ...range(0x34f, 0x34f), ...range(0x61c, 0x61c), ...range(0x115f, 0x1160), ...range(0x17b4, 0x17b5), ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200f), ...range(0x202a, 0x202e), ...range(0x2060, 0x206f), '\u00ad', '\u2800', '\u3164', '\ufeff', '\uffa0',
  ...range(0xfe00, 0xfe0f), ...range(0xfff0, 0xfffb), ...range(0x1bca0, 0x1bca3), ...range(0x1d173, 0x1d17a),
  ...range(0xe0000, 0xe01ff), ...range(0xe0fff, 0xe0fff),
];

const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

describe('[text 7] visibleText removes and counts invisible characters', () => {
  test('visibleText removes every invisible character, alone, between letters and at both ends', () => {
    for (const character of IGNORABLE) {
      expect(cleaned(character), hexOf(character)).toEqual({ text: '', removed: 1 });
      expect(cleaned(`a${character}b`), hexOf(character)).toEqual({ text: 'ab', removed: 1 });
      expect(cleaned(`${character}ab${character}`), hexOf(character)).toEqual({ text: 'ab', removed: 2 });
    }
  });

  test('visibleText removes runs of invisible characters between any visible characters', () => {
    const run = fc.array(fc.constantFrom(...IGNORABLE), { minLength: 4, maxLength: 40 }).map((all) => all.join(''));
    const seen = fc.constantFrom('a', 'س', 'क', '👨', '❤', '1', '#', '🏴', 'ᠠ', 'ᄒ', 'א', '漢', '⠓', '\n', ' ');
    fc.assert(
      fc.property(seen, run, seen, (before, hidden, after) => {
        const { text, removed } = cleaned(before + hidden + after);
        // At most a selector, a joiner and a mark stay; a flag of tags stays; Braille blanks have any length.
        const most = before === '🏴' ? 10 : before === '⠓' || after === '⠓' ? 100 : 4;
        expect([...text].length).toBeLessThanOrEqual(2 + most);
        expect(removed).toBe([...hidden].length + 2 - [...text].length);
        expect(cleaned(text)).toEqual({ text, removed: 0 });
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ['bytes in variation selectors behind an emoji', `😀${range(0xe0100, 0xe01ef).join('')}`, '😀', 240],
    ['bytes in the other selectors', `a${range(0xfe00, 0xfe0f).join('')}`, 'a', 16],
    ['a second selector', '❤\ufe0f\ufe0f\ufe0e', '❤\ufe0f', 2],
    ['a selector behind an ideograph', '葛\u{e0100}城', '葛城', 1],
    ['a selector that no keycap follows', '1\ufe0f2', '12', 1],
    ['bits in runs of joiners', 'س\u200c\u200d\u200c\u200c\u200dس', 'س\u200cس', 4],
    ['joiners between Latin letters', 'a\u200cb\u200dc', 'abc', 2],
    ['a joiner behind an emoji that nothing follows', '👨\u200d and', '👨 and', 1],
    ['a name of fillers', '\u3164\uffa0\u115f\u1160', '', 4],
    ['tags behind a flag that is none', '🏴\u{e0061}\u{e0062}\u{e007f}', '🏴', 3],
    ['tags behind another emoji', ENGLAND.replace('🏴', '😀'), '😀', 6],
    ['a flag with words behind it', `${ENGLAND}\u{e0061}`, ENGLAND, 1],
    ['direction marks where nothing is written from the right', 'C\u200e++\u200f', 'C++', 2],
    ['runs of direction marks', 'שלום\u200e\u200f\u200e', 'שלום\u200e', 2],
    ['vowels of Khmer that are not written', 'ក\u17b4ខ\u17b5', 'កខ', 2],
    ['the separator of Mongolian elsewhere', 'a\u180eb', 'ab', 1],
    ['a blank Braille pattern among letters', 'a\u2800\u2800b', 'ab', 2],
    ['controls', 'a\u0000\u001b[31m\u009b', 'a[31m', 3],
  ])('%s', (_, input, text, removed) => {
    expect(cleaned(input)).toEqual({ text, removed });
  });
});

describe('visibleText keeps characters that a script or an emoji needs', () => {
  const stays = (input: string): void => expect(cleaned(input)).toEqual({ text: input, removed: 0 });

  test.each([
    ['Persian, "I want"', 'می\u200cخواهم'],
    ['Persian, "books"', 'کتاب\u200cها'],
    ['Persian behind a Latin word', 'PDF\u200cها'],
    ['Persian with digits', '۲۰\u200cساله'],
    ['Arabic, abbreviated Hijri', '١٤٤٧ه\u200d'],
    ['Urdu', 'دل\u200cچسپ'],
    ['Hindi, explicit virama', 'क्\u200cष'],
    ['Hindi, half form', 'क्\u200dष'],
    ['Marathi, eyelash ra', 'दऱ्\u200dया'],
    ['Bengali, ya-phala', 'র\u200d্যাব'],
    ['Malayalam, chillu in the old spelling', 'അവന്\u200d'],
    ['Malayalam, without a ligature', 'തമിഴ്\u200cനാട്'],
    ['Kannada', 'ರ್\u200dಯ'],
    ['Telugu', 'సాఫ్ట్\u200cవేర్'],
    ['Sinhala, "Sri Lanka"', 'ශ්\u200dරී ලංකා'],
    ['Khmer, "Khmer language"', 'ភាសាខ្មែរ'],
    ['Khmer, shifter without a change', 'ប៊\u200cី'],
    ['Mongolian, free variation selector', 'ᠪᠣᠯᠵᠤ ᠮᠣᠩᠭᠤᠯ ᠭ\u180bᠠ'],
    ['Mongolian, second and third selector', 'ᠠ\u180cᠡ\u180d'],
    ['Mongolian, separated vowel', 'ᠬᠠᠮᠢᠭ\u180eᠠ'],
    ['Mongolian, selector and separator', 'ᠭ\u180b\u180eᠠ'],
    ['Tibetan', 'བོད་སྐད་'],
    ['Burmese', 'မြန်မာ'],
    ['Hangul', '한국어'],
    ['Hangul, conjoining', '\u1112\u1161\u11ab'],
    ['Hangul, old letters', '\u1112\u119e\u11ab\u1100\u1173\u11af'],
    ['Hangul, syllable without a vowel', '\u1100\u1160\u11ab'],
    ['Hangul, vowel alone', '\u115f\u1161'],
    ['Hangul, final consonant alone', '\u115f\u1160\u11ab'],
    ['Hebrew with a direction mark', 'ב-C++\u200e נכתב'],
    ['Arabic with a direction mark', 'مرحبا (x)\u200f'],
    ['Hebrew points', 'שָׁלוֹם'],
    ['Braille, words', '⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙'],
    ['Braille, a picture', '\u2800\u2800⣠⣴\u2800⣿\n\u2800⣿\u2800\u2800⣿'],
    ['Thai', 'ภาษาไทย'],
    ['combining marks', 'e\u0301 ñ'],
    ['the sign of a trade mark as text and as emoji', '™\ufe0e ™\ufe0f ©\ufe0f'],
  ])('%s', (_, input) => stays(input));

  const RGI = /^\p{RGI_Emoji}$/v;
  const TONES = ['', ...range(0x1f3fb, 0x1f3ff)];
  const POINTS = range(0xa9, 0x1faff).filter((character) => /^\p{Emoji}$/u.test(character));
  const spelled = (character: string): string[] => [character, `${character}\ufe0f`];

  /** The emoji that Unicode recommends (emoji-test.txt) and that this version of Node supports. */
  const recommended = (candidates: Iterable<string>): string[] => [...candidates].filter((input) => RGI.test(input));

  // biome-ignore format: side by side they fit on a screen
  const SIGNS = [
    '♀\ufe0f', '♂\ufe0f', '⚧\ufe0f', '☠\ufe0f', '❄\ufe0f', '🌈', '🔥', '🩹', '💨', '💫', '⬛', '🟩', '🟫', '🦺', '➡\ufe0f', '↔\ufe0f',
    '↕\ufe0f', '🗨\ufe0f',
  ];

  function* joined(): Generator<string> {
    const people = ['👨', '👩', '🧑'];
    const signs = POINTS.flatMap(spelled);
    for (const base of POINTS.flatMap((point) => TONES.map((tone) => point + tone)).flatMap(spelled))
      for (const sign of SIGNS) yield `${base}\u200d${sign}`;
    for (const person of people) {
      for (const tone of TONES) for (const sign of signs) yield `${person}${tone}\u200d${sign}`;
      for (const other of people) {
        for (const child of ['👦', '👧', '🧒'])
          for (const second of ['', '\u200d👦', '\u200d👧', '\u200d🧒'])
            yield `${person}\u200d${other}\u200d${child}${second}`;
        for (const between of ['🤝', '❤\ufe0f', '❤\ufe0f\u200d💋', '🐰'])
          for (const tone of TONES)
            for (const otherTone of TONES) yield `${person}${tone}\u200d${between}\u200d${other}${otherTone}`;
      }
    }
  }

  const letters = range(0x1f1e6, 0x1f1ff);
  const flags = letters.flatMap((first) => letters.map((second) => first + second));
  const tagged = (region: string): string =>
    `🏴${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`;

  const single = recommended(POINTS.flatMap((point) => [...spelled(point), ...TONES.map((tone) => point + tone)]));

  test.each([
    ['of one character, with selectors and skin tones', single, 1800],
    ['joined: families, professions, hair, directions', recommended(joined()), 1200],
    ['flags of countries', recommended(flags), 250],
    ['keycaps', recommended([...'0123456789#*'].map((base) => `${base}\ufe0f\u20e3`)), 12],
    ['flags of regions', recommended(['gbeng', 'gbsct', 'gbwls'].map(tagged)), 3],
  ])('emoji %s', (_, emoji, least) => {
    expect(new Set(emoji).size).toBeGreaterThanOrEqual(least);
    for (const input of emoji)
      expect(cleaned(`a ${input}b${input}${input}`)).toEqual({ text: `a ${input}b${input}${input}`, removed: 0 });
  });
});

test('[text 8] the fast check for plain text finds every character that can be removed', () => {
  for (const character of IGNORABLE) {
    expect(isPlain(`a${character}b`), hexOf(character)).toBe(false);
    expect(isPlainLine(`a${character}b`), hexOf(character)).toBe(false);
  }
});
