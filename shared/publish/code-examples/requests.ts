// Parses the commands of the documentation as a shell does and turns curl commands into requests. Text that a shell
// would expand and unknown options throw, because such an example would not work. A curl command is the only description of
// a request, so the program beside it cannot contradict it.

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { BASE_URL_PLACEHOLDER } from '../../contract/placeholders.ts';
import { urlWithQuery } from '../../contract/query-string.ts';

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
const splitCommand = (line: string): readonly string[] => {
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

const splitHeader = (text: string): readonly [string, string] => {
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
    url: urlWithQuery(url, query),
    headers: { Accept: '*/*', ...Object.fromEntries(header.map(splitHeader)) },
    ...(data !== undefined && { body: data }),
  };
};

export interface RequestExample {
  readonly method: string;
  /** Path and query on the service. */
  readonly target: string;
  /** Without the `Accept` that curl adds by itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** The command prints the body and nothing else. */
  readonly printsBody: boolean;
}

/** The URL parser does not accept the placeholder. */
const STAND_IN = 'https://base-url.invalid';

const CURL_ACCEPT = '*/*';

const OUTPUT_OPTIONS = /^(?:-[iIow]|--(?:include|head|output|write-out))$/;

const requestExampleOf = (command: Command): readonly RequestExample[] => {
  if (command.name !== 'curl') return [];
  const { method, url, headers, body } = curlRequestOf(command);
  if (!url.startsWith(`${STAND_IN}/`) || body !== undefined) return [];
  const { Accept, ...others } = headers;
  return [
    {
      method,
      target: url.slice(STAND_IN.length),
      headers: { ...(Accept !== undefined && Accept !== CURL_ACCEPT && { Accept }), ...others },
      printsBody: !command.args.some((word) => OUTPUT_OPTIONS.test(word)),
    },
  ];
};

/** @returns the requests of a `sh` block that go to the service without a body, in order */
export const requestExamplesOf = (block: string): readonly RequestExample[] =>
  commandsOf(block.replaceAll(BASE_URL_PLACEHOLDER, STAND_IN)).flatMap(requestExampleOf);

/**
 * @returns the requests of a block that a program can show: one GET, or several without headers; none if a
 * command of the block does anything else than print the body of a GET
 */
export const programExamplesOf = (block: string): readonly RequestExample[] => {
  const requests = requestExamplesOf(block);
  const isComplete = requests.length === commandsOf(block.replaceAll(BASE_URL_PLACEHOLDER, STAND_IN)).length;
  const arePlain = requests.every(({ method, printsBody }) => method === 'GET' && printsBody);
  const haveHeaders = requests.some(({ headers }) => Object.keys(headers).length > 0);
  return isComplete && arePlain && (requests.length === 1 || !haveHeaders) ? requests : [];
};

/** Values that a reader must fill in first. */
const FILL_IN = /NEXT_CURSOR|ETAG|YOUR_KEY/;

/** A browser can send the request as it is: no key, no value to fill in. */
export const isRunnable = ({ method, target, headers }: RequestExample): boolean =>
  method === 'GET' &&
  !FILL_IN.test(target) &&
  Object.keys(headers).every((name) => name === 'Accept') &&
  !target.startsWith('//');
