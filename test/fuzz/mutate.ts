// Changes an input at random: characters, words of the code, repeated parts, and parts of other inputs.

type Random = () => number;

const below = (random: Random, most: number): number => Math.floor(random() * most);

const oneOf = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[below(random, items.length)];

/** Characters at which readers decide. */
// biome-ignore format: side by side they fit on a screen
const CHARACTERS = ['\u0000', '\t', '\n', '\r', ' ', '!', '"', '#', '$', '%', '&', "'", '(', ')', '*', '+', ',', '-', '.', '/', '0', '9', ':', ';', '<', '=', '>', '?', '@', 'A', '[', '\\', ']', '^', '_', '`', 'a', '{', '|', '}', '~', '\u007f', '\u00a0', '\u00e9', '\u200b', '\u202e', '\u2028', '\ud800', '\udc00', '\ufeff', '\uffff', '🐋', '\u{e0041}', '\u0301'];

const MAX_LENGTH = 4000;

interface Sources {
  readonly random: Random;
  readonly dictionary: readonly string[];
  readonly corpus: readonly string[];
}

const inserted = (text: string, at: number, part: string): string => text.slice(0, at) + part + text.slice(at);

const changes: readonly ((text: string, sources: Sources) => string)[] = [
  (text, { random }) => inserted(text, below(random, text.length + 1), oneOf(random, CHARACTERS) ?? ''),
  (text, { random }) => {
    const at = below(random, text.length);
    return text.slice(0, at) + (oneOf(random, CHARACTERS) ?? '') + text.slice(at + 1);
  },
  (text, { random }) => {
    const at = below(random, text.length);
    return text.slice(0, at) + text.slice(at + 1 + below(random, 8));
  },
  (text, { random, dictionary }) => inserted(text, below(random, text.length + 1), oneOf(random, dictionary) ?? ''),
  (text, { random, dictionary }) => {
    const at = below(random, text.length);
    return text.slice(0, at) + (oneOf(random, dictionary) ?? '') + text.slice(at + 1 + below(random, 6));
  },
  (text, { random }) => {
    const at = below(random, text.length);
    const part = text.slice(at, at + 1 + below(random, 20));
    return inserted(text, at, part.repeat(1 + below(random, 6)));
  },
  (text, { random, corpus }) => {
    const other = oneOf(random, corpus) ?? '';
    return text.slice(0, below(random, text.length + 1)) + other.slice(below(random, other.length + 1));
  },
  (text, { random }) =>
    inserted(
      text,
      below(random, text.length + 1),
      String(below(random, 2) === 0 ? below(random, 300) : 2 ** below(random, 66)),
    ),
  (text, { random }) => {
    const at = below(random, text.length);
    const code = text.charCodeAt(at) ^ (1 << below(random, 8));
    return text === '' ? '' : text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
  },
];

/** @returns the input with 1 to 6 changes */
export const mutated = (text: string, sources: Sources): string => {
  let result = text;
  for (let left = 1 + below(sources.random, 6); left > 0; left -= 1)
    result = (oneOf(sources.random, changes)?.(result, sources) ?? result).slice(0, MAX_LENGTH);
  return result;
};

/** @returns the shortest input found that still fails, by leaving out parts */
export const minimized = (text: string, fails: (shorter: string) => boolean): string => {
  let result = text;
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < result.length; ) {
      const shorter = result.slice(0, at) + result.slice(at + size);
      if (fails(shorter)) result = shorter;
      else at += size;
    }
  return result;
};
