// Writes the requests of curl commands as programs in other languages. The programs need no package.
import { BASE_URL_PLACEHOLDER } from '../../contract/placeholders.ts';
import type { RequestExample } from './requests.ts';

export const programLanguages = ['ts', 'python', 'go'] as const;

export type ProgramLanguage = (typeof programLanguages)[number];

interface Parts {
  /** With the placeholder of the base URL. */
  readonly url: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly isError: boolean;
}

const ANY_ORIGIN = 'https://base-url.invalid';

const partsOf = ({ target, headers, isError }: RequestExample): Parts => {
  const { pathname, searchParams } = new URL(target, ANY_ORIGIN);
  return {
    url: `${BASE_URL_PLACEHOLDER}${pathname}`,
    query: [...searchParams],
    headers: Object.entries(headers),
    isError,
  };
};

const singleQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A string literal of JSON is a string literal of Python and Go, too. */
const doubleQuoted = (text: string): string => JSON.stringify(text);

const MAX_WIDTH = 80;

/** On one line if it is short, else a line per item. */
const layOut = (before: string, items: readonly string[], after: string, [open, close, indent]: readonly string[]) => {
  const line = `${before}${open}${items.join(', ')}${close}${after}`;
  if (line.length <= MAX_WIDTH) return line;
  return [`${before}${open?.trim()}`, ...items.map((item) => `${indent}${item},`), `${close?.trim()}${after}`].join(
    '\n',
  );
};

const IDENTIFIER = /^[A-Za-z_]\w*$/;

const typescriptMember = ([name, value]: readonly [string, string]): string =>
  `${IDENTIFIER.test(name) ? name : singleQuoted(name)}: ${singleQuoted(value)}`;

const TYPESCRIPT_BRACES = ['{ ', ' }', '  '];

const typescript = ({ url, query, headers }: Parts): string => {
  const hasQuery = query.length > 0;
  const options = headers.length === 0 ? '' : `, { headers: { ${headers.map(typescriptMember).join(', ')} } }`;
  return [
    ...(hasQuery
      ? [layOut('const query = new URLSearchParams(', query.map(typescriptMember), ');', TYPESCRIPT_BRACES)]
      : []),
    `const response = await fetch(${hasQuery ? `\`${url}?\${query}\`` : singleQuoted(url)}${options});`,
    'console.log(await response.text());',
  ].join('\n');
};

const pythonMember = ([name, value]: readonly [string, string]): string =>
  `${doubleQuoted(name)}: ${doubleQuoted(value)}`;

const PYTHON_BRACES = ['{', '}', '    '];

/** `urlopen` raises an exception for a status of 400 or more. */
const pythonWithProblems = (lines: readonly string[]): readonly string[] => [
  'try:',
  ...lines.map((line) => `    ${line}`),
  'except HTTPError as problem:',
  '    print(problem.read().decode())',
];

const python = ({ url, query, headers, isError }: Parts): string => {
  const hasQuery = query.length > 0;
  const target = hasQuery ? `"${url}?" + query` : doubleQuoted(url);
  const members = headers.map(pythonMember).join(', ');
  const opened = members === '' ? target : 'request';
  const lines = [`with urlopen(${opened}) as response:`, '    print(response.read().decode())'];
  return [
    ...(isError ? ['from urllib.error import HTTPError'] : []),
    ...(hasQuery ? ['from urllib.parse import urlencode'] : []),
    `from urllib.request import ${members === '' ? '' : 'Request, '}urlopen`,
    '',
    ...(hasQuery ? [layOut('query = urlencode(', query.map(pythonMember), ')', PYTHON_BRACES)] : []),
    ...(members === '' ? [] : [`request = Request(${target}, headers={${members}})`]),
    ...(isError ? pythonWithProblems(lines) : lines),
  ].join('\n');
};

const goMember = ([name, value]: readonly [string, string]): string =>
  `${doubleQuoted(name)}: {${doubleQuoted(value)}}`;

const GO_FAILURE = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

const goHead = (packages: readonly string[]): readonly string[] => [
  'package main',
  '',
  'import (',
  ...packages.map((name) => `\t"${name}"`),
  ')',
  '',
  'func main() {',
];

const go = ({ url, query, headers }: Parts): string => {
  const hasQuery = query.length > 0;
  const target = hasQuery ? `${doubleQuoted(`${url}?`)}+query.Encode()` : doubleQuoted(url);
  const opened =
    headers.length === 0
      ? [`\tresponse, err := http.Get(${target.replace('"+', '" + ')})`]
      : [
          `\trequest, err := http.NewRequest("GET", ${target}, nil)`,
          ...GO_FAILURE,
          ...headers.map(([name, value]) => `\trequest.Header.Set(${doubleQuoted(name)}, ${doubleQuoted(value)})`),
          '\tresponse, err := http.DefaultClient.Do(request)',
        ];
  return [
    ...goHead(['io', 'log', 'net/http', ...(hasQuery ? ['net/url'] : []), 'os']),
    ...(hasQuery ? [`\tquery := url.Values{${query.map(goMember).join(', ')}}`] : []),
    ...opened,
    ...GO_FAILURE,
    '\tdefer response.Body.Close()',
    '\tif _, err := io.Copy(os.Stdout, response.Body); err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '}',
  ].join('\n');
};

const one = { ts: typescript, python, go } as const satisfies Readonly<
  Record<ProgramLanguage, (parts: Parts) => string>
>;

interface Targets {
  /** Path and query of each request. */
  readonly targets: readonly string[];
  readonly isError: boolean;
}

const indented = (lines: readonly string[], indent: string): readonly string[] => lines.map((line) => indent + line);

const typescriptLoop = ({ targets }: Targets): string =>
  [
    'const targets = [',
    ...targets.map((target) => `  ${singleQuoted(target)},`),
    '];',
    'for (const target of targets) {',
    `  const response = await fetch(\`${BASE_URL_PLACEHOLDER}\${target}\`);`,
    '  console.log(await response.text());',
    '}',
  ].join('\n');

const pythonLoop = ({ targets, isError }: Targets): string => {
  const lines = [
    `with urlopen("${BASE_URL_PLACEHOLDER}" + target) as response:`,
    '    print(response.read().decode())',
  ];
  return [
    ...(isError ? ['from urllib.error import HTTPError'] : []),
    'from urllib.request import urlopen',
    '',
    'targets = [',
    ...targets.map((target) => `    ${doubleQuoted(target)},`),
    ']',
    'for target in targets:',
    ...indented(isError ? pythonWithProblems(lines) : lines, '    '),
  ].join('\n');
};

const goLoop = ({ targets }: Targets): string =>
  [
    ...goHead(['io', 'log', 'net/http', 'os']),
    '\ttargets := []string{',
    ...targets.map((target) => `\t\t${doubleQuoted(target)},`),
    '\t}',
    '\tfor _, target := range targets {',
    `\t\tresponse, err := http.Get("${BASE_URL_PLACEHOLDER}" + target)`,
    ...indented(GO_FAILURE, '\t'),
    '\t\tif _, err := io.Copy(os.Stdout, response.Body); err != nil {',
    '\t\t\tlog.Fatal(err)',
    '\t\t}',
    '\t\tresponse.Body.Close()',
    '\t}',
    '}',
  ].join('\n');

const several = { ts: typescriptLoop, python: pythonLoop, go: goLoop } as const satisfies Readonly<
  Record<ProgramLanguage, (targets: Targets) => string>
>;

/** @param requests at least one @returns a complete program that prints the bodies of the answers, in order */
export const programOf = (language: ProgramLanguage, requests: readonly RequestExample[]): string => {
  const [first, ...more] = requests;
  if (first === undefined) throw new Error('a program needs a request');
  if (more.length === 0) return one[language](partsOf(first));
  return several[language]({
    targets: requests.map(({ target }) => target),
    isError: requests.some(({ isError }) => isError),
  });
};
