// Parses the commands of the documentation as a shell does and turns curl commands into requests. Text that a shell
// would expand and unknown options throw, because such an example would not work.

export interface Expected {
  readonly status: number;
  readonly code?: string | undefined;
}

export interface Command {
  /** The command on one line. */
  readonly line: string;
  /** The assignments `NAME=value` before the command. */
  readonly variables: Readonly<Record<string, string>>;
  readonly name: string;
  readonly args: readonly string[];
  /** The expected answer in the comment above: `# 404 post_not_found`. */
  readonly expected?: Expected | undefined;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const PLAIN = /[\w@%+=:,./-]/;
const EXPECTED = /^#\s*([1-5]\d\d)(?:\s+([a-z_]+))?$/;
/** Only at the end of a command: standard output goes to a file. A quote after it would be an argument. */
const REDIRECTION = / > [\w./-]+$/;
const ASSIGNMENT = /^([A-Z_]+)=(.*)$/s;

/** @throws for special characters without quotes, and for text that a shell would expand */
export const splitCommand = (line: string): readonly string[] => {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const [index, character] of [...line].entries()) {
    const fail = (reason: string): never => {
      throw new Error(`${reason} at ${index + 1} of: ${line}`);
    };
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && /[$`!]/.test(character)) fail(`${character} in double quotes`);
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (PLAIN.test(character)) word = (word ?? '') + character;
    else fail(`${character} without quotes`);
  }
  if (quote !== undefined) throw new Error(`a quote is not closed: ${line}`);
  if (word !== undefined) words.push(word);
  return words;
};

const commandOf = (line: string, words: readonly string[], expected: Expected | undefined): Command => {
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  const [name = '', ...args] = first === -1 ? [] : words.slice(first);
  const assigned = words.slice(0, first).map((word) => {
    const [, variable = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    return [variable, value];
  });
  return { line, variables: Object.fromEntries(assigned), name, args, expected };
};

/** The commands of a block, one per line; a backslash at the end of a line joins the next line. */
export const commandsOf = (block: string): readonly Command[] => {
  const commands: Command[] = [];
  let expected: Expected | undefined;
  for (const line of block.replace(/\\\n\s*/g, '').split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    if (text.startsWith('#')) {
      const [, status, code] = EXPECTED.exec(text) ?? [];
      if (status !== undefined) expected = { status: Number(status), code };
      continue;
    }
    // If `&&` is within quotes, splitCommand throws because of the open quote.
    for (const part of text.split(' && '))
      commands.push(commandOf(part, splitCommand(part.replace(REDIRECTION, '')), expected));
    expected = undefined;
  }
  return commands;
};

const headerOf = (text: string): readonly [string, string] => {
  const [, name, value] = /^([\w-]+): (.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`not a header: ${text}`);
  return [name, value];
};

const pairOf = (text: string): string => {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new Error(`not NAME=VALUE: ${text}`);
  return `${name}=${encodeURIComponent(value)}`;
};

/** curl expands these characters in a URL to several URLs. */
const GLOB = /[{}[\]]/;

/** @throws for an unknown option, and if the command does not have exactly one URL */
export const curlRequestOf = ({ name, args, line }: Command): CurlRequest => {
  if (name !== 'curl') throw new Error(`not curl: ${line}`);
  const headers: Record<string, string> = { Accept: '*/*' };
  const data: string[] = [];
  const urls: string[] = [];
  let method: string | undefined;
  let body: string | undefined;
  let isGet = false;
  const rest = [...args];
  const next = (option: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new Error(`${option} has no value: ${line}`);
    return value;
  };
  const options: Readonly<Record<string, (option: string) => void>> = {
    '-H': (option) => {
      const [header, value] = headerOf(next(option));
      headers[header] = value;
    },
    '-I': () => {
      method ??= 'HEAD';
    },
    '-X': (option) => {
      method = next(option);
    },
    '-G': () => {
      isGet = true;
    },
    '-d': (option) => {
      body = next(option);
    },
    '--data-urlencode': (option) => void data.push(pairOf(next(option))),
    '-s': () => undefined,
    '-i': () => undefined,
    '-o': (option) => {
      if (next(option) !== '/dev/null') throw new Error(`-o writes a file: ${line}`);
    },
    '-w': (option) => void next(option),
  };
  const long: Readonly<Record<string, string>> = {
    '--header': '-H',
    '--head': '-I',
    '--request': '-X',
    '--get': '-G',
    '--data': '-d',
    '--silent': '-s',
    '--include': '-i',
    '--output': '-o',
    '--write-out': '-w',
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) urls.push(word);
    else {
      const option = options[long[word] ?? word];
      if (option === undefined) throw new Error(`unknown option ${word}: ${line}`);
      option(word);
    }
  }
  const [url, ...more] = urls;
  if (url === undefined || more.length > 0) throw new Error(`not exactly one URL: ${line}`);
  if (GLOB.test(url)) throw new Error(`curl would expand the URL: ${line}`);
  if (data.length > 0 && !isGet) throw new Error(`data without -G would be sent as a body: ${line}`);
  const query = data.join('&');
  const joint = url.includes('?') ? '&' : '?';
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: query === '' ? url : `${url}${joint}${query}`,
    headers,
    ...(body !== undefined && { body }),
  };
};
