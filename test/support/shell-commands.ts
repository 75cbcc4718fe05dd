// Command lines of the documentation, read as a shell would read them; those of curl become requests. What a shell would
// take for something else, and every option that is not known here, is refused: such an example works for nobody.

export interface Expected {
  readonly status: number;
  readonly code?: string | undefined;
}

export interface Command {
  /** As it stands on the page, on one line. */
  readonly line: string;
  /** NAME=value before the command. */
  readonly variables: Readonly<Record<string, string>>;
  readonly name: string;
  readonly args: readonly string[];
  /** What the comment above says: `# 404 post_not_found`. */
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
const ASSIGNMENT = /^([A-Z_]+)=(.*)$/s;

/** @throws on what is not quoted and not plain, and on what a shell would fill in */
export const splitCommand = (line: string): readonly string[] => {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const [index, character] of [...line].entries()) {
    const refuse = (why: string): never => {
      throw new Error(`${why} at ${index + 1} of: ${line}`);
    };
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (quote === '"' && /[$`!]/.test(character)) refuse(`${character} in double quotes`);
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (character === ' ') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (PLAIN.test(character)) word = (word ?? '') + character;
    else refuse(`${character} without quotes`);
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

/** The commands of a block, one a line; a backslash at its end joins the next one. */
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
    // One in quotes leaves a quote open.
    for (const part of text.split(' && ')) commands.push(commandOf(part, splitCommand(part), expected));
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

/** curl reads these in an address as a set of addresses. */
const GLOB = /[{}[\]]/;

/** @throws on an option that is not known here, and on anything but one address */
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
    if (value === undefined) throw new Error(`${option} says nothing: ${line}`);
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
  if (url === undefined || more.length > 0) throw new Error(`not one address: ${line}`);
  if (GLOB.test(url)) throw new Error(`curl would expand the address: ${line}`);
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
