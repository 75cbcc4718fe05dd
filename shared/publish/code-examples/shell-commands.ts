// Parses the commands of the documentation as a shell does and turns curl commands into requests. Text that a shell
// would expand and unknown options throw, because such an example would not work.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

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

/** The options of curl that the documentation uses. */
const CURL_OPTIONS = {
  header: { type: 'string', short: 'H', multiple: true, default: [] as string[] },
  head: { type: 'boolean', short: 'I' },
  request: { type: 'string', short: 'X' },
  get: { type: 'boolean', short: 'G' },
  data: { type: 'string', short: 'd' },
  'data-urlencode': { type: 'string', multiple: true, default: [] as string[] },
  silent: { type: 'boolean', short: 's' },
  include: { type: 'boolean', short: 'i' },
  output: { type: 'string', short: 'o', default: '/dev/null' },
  'write-out': { type: 'string', short: 'w' },
} as const satisfies ParseArgsOptionsConfig;

/** @throws for an unknown option, and if the command does not have exactly one URL */
export const curlRequestOf = ({ name, args, line }: Command): CurlRequest => {
  if (name !== 'curl') throw new Error(`not curl: ${line}`);
  const { values, positionals } = parseArgs({ args: [...args], options: CURL_OPTIONS, allowPositionals: true });
  const { header, head, request, get, data, 'data-urlencode': pairs, output } = values;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new Error(`not exactly one URL: ${line}`);
  if (GLOB.test(url)) throw new Error(`curl would expand the URL: ${line}`);
  if (output !== '/dev/null') throw new Error(`-o writes a file: ${line}`);
  if (pairs.length > 0 && !get) throw new Error(`data without -G would be sent as a body: ${line}`);
  const query = pairs.map(pairOf).join('&');
  return {
    method: request ?? (head ? 'HEAD' : data === undefined ? 'GET' : 'POST'),
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
    headers: { Accept: '*/*', ...Object.fromEntries(header.map(headerOf)) },
    ...(data !== undefined && { body: data }),
  };
};
