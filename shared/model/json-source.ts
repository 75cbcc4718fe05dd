// Parses JSON that an operator wrote, and says where it is wrong. JSON.parse names no place for some errors, quotes the
// text, which can contain a secret, and keeps the last of two equal names without a word.

/** Names of members and indices of elements, from the root. */
export type JsonPath = readonly (string | number)[];

export interface JsonSource {
  readonly value: unknown;
  /** @returns the beginning of the value, such as `line 3, column 5`; undefined: there is no such value */
  place(path: JsonPath): string | undefined;
}

/** Follows the name of the file in a message, such as `line 3, column 5: expected a value, found ]`. */
export interface JsonFault {
  readonly problem: string;
}

interface Fault {
  readonly at: number;
  readonly problem: string;
}

interface Container {
  readonly close: '}' | ']';
  /** The names that an object has so far. */
  readonly names: Set<string>;
  /** The name or the index of the present value. */
  key: string | number;
}

/** `first`: after the opening bracket. `next`: after a comma. `separator`: after a value. */
type State = 'first' | 'next' | 'colon' | 'value' | 'separator' | 'end';

const SPACE = /[ \t\n\r]*/y;
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])/y;
/** A text without its end, up to what is wrong with it. */
const BEGUN_TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

const MAX_NAME_CHARACTERS = 60;

/** Names no text of the file but its punctuation. */
const foundAt = (text: string, at: number): string => {
  if (at >= text.length) return 'the end of the file';
  if (text.startsWith('//', at) || text.startsWith('/*', at) || text[at] === '#') return 'a comment: JSON has none';
  if (/['\u2018-\u201f]/.test(text[at] ?? '')) return 'another quotation mark than "';
  if (text[at] === '"') return 'a text';
  return /[{}[\],:]/.test(text[at] ?? '') ? (text[at] ?? '') : 'something else';
};

const textFault = (text: string, at: number): Fault => {
  const end = at + matchAt(BEGUN_TEXT, text, at).length;
  const isEscape = text[end] === '\\';
  const isClosed = end >= text.length || /[\n\r]/.test(text[end] ?? '');
  if (isClosed) return { at: end, problem: 'expected " at the end of the text' };
  return {
    at: end,
    problem: `expected ${isEscape ? 'an escape such as \\n or \\\\' : 'an escape such as \\t for a control character'}`,
  };
};

/** @param onValue gets the place of each value @returns what is wrong first */
const scan = (text: string, onValue?: (open: readonly Container[], at: number) => void): Fault | undefined => {
  const open: Container[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at += matchAt(SPACE, text, at).length;
    const token = matchAt(TOKEN, text, at);
    const container = open.at(-1);
    const fault = (expected: string): Fault =>
      text[at] === '"' && token === ''
        ? textFault(text, at)
        : { at, problem: `expected ${expected}, found ${foundAt(text, at)}` };
    const orClose = state === 'first' ? ` or ${container?.close}` : '';
    const afterComma = state === 'next' ? ' after the comma' : '';
    const afterValue: State = container === undefined ? 'end' : 'separator';

    if (state === 'end') return at === text.length ? undefined : fault('the end of the file');
    if (container !== undefined && token === container.close && (state === 'first' || state === 'separator')) {
      open.pop();
      state = open.length === 0 ? 'end' : 'separator';
    } else if (state === 'separator') {
      if (token !== ',') return fault(`a comma or ${container?.close}`);
      if (typeof container?.key === 'number') container.key += 1;
      state = 'next';
    } else if (state === 'colon') {
      if (token !== ':') return fault('a colon');
      state = 'value';
    } else if (container?.close === '}' && state !== 'value') {
      if (!token.startsWith('"')) return fault(`a name in quotation marks${orClose}${afterComma}`);
      const name: string = JSON.parse(token);
      if (container.names.has(name))
        return {
          at,
          problem: `the name ${JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS))} is there twice: remove one`,
        };
      container.names.add(name);
      container.key = name;
      state = 'colon';
    } else {
      if (token === '' || /[}\],:]/.test(token[0] ?? '')) return fault(`a value${orClose}${afterComma}`);
      onValue?.(open, at);
      state = afterValue;
      if (token === '{' || token === '[') {
        open.push({ close: token === '{' ? '}' : ']', names: new Set(), key: token === '{' ? '' : 0 });
        state = 'first';
      }
    }
    at += token.length;
  }
};

/** As editors count: from 1, and a character outside the basic plane once. */
const placeAt = (text: string, at: number): string => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`;
};

const findValue = (text: string, path: JsonPath): number | undefined => {
  let found: number | undefined;
  scan(text, (open, at) => {
    if (open.length === path.length && open.every(({ key }, depth) => key === path[depth])) found ??= at;
  });
  return found;
};

/** @param content the content of a file; a byte order mark is ignored */
export const parseJsonSource = (content: string): JsonSource | JsonFault => {
  const text = content.replace(/^\uFEFF/, '');
  if (text.includes('\0'))
    return { problem: 'line 1, column 1: expected UTF-8, found another encoding, such as UTF-16' };
  const fault = scan(text);
  if (fault !== undefined) return { problem: `${placeAt(text, fault.at)}: ${fault.problem}` };
  return {
    value: JSON.parse(text),
    place(path) {
      const at = findValue(text, path);
      return at === undefined ? undefined : placeAt(text, at);
    },
  };
};
