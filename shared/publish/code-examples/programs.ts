// Writes the requests of curl commands as programs in TypeScript, which need no package.
import { BASE_URL_PLACEHOLDER } from '../../contract/placeholders.ts';
import type { RequestExample } from './requests.ts';

interface Parts {
  /** With the placeholder of the base URL. */
  readonly url: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
}

const ANY_ORIGIN = 'https://base-url.invalid';

const partsOf = ({ target, headers }: RequestExample): Parts => {
  const { pathname, searchParams } = new URL(target, ANY_ORIGIN);
  return {
    url: `${BASE_URL_PLACEHOLDER}${pathname}`,
    query: [...searchParams],
    headers: Object.entries(headers),
  };
};

const singleQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const MAX_WIDTH = 80;

/** On one line if it is short, else a line per member. */
const queryObject = (members: readonly string[]): string => {
  const line = `const query = new URLSearchParams({ ${members.join(', ')} });`;
  if (line.length <= MAX_WIDTH) return line;
  return ['const query = new URLSearchParams({', ...members.map((member) => `  ${member},`), '});'].join('\n');
};

const IDENTIFIER = /^[A-Za-z_]\w*$/;

const memberOf = ([name, value]: readonly [string, string]): string =>
  `${IDENTIFIER.test(name) ? name : singleQuoted(name)}: ${singleQuoted(value)}`;

const programOfOne = ({ url, query, headers }: Parts): string => {
  const hasQuery = query.length > 0;
  const options = headers.length === 0 ? '' : `, { headers: { ${headers.map(memberOf).join(', ')} } }`;
  return [
    ...(hasQuery ? [queryObject(query.map(memberOf))] : []),
    `const response = await fetch(${hasQuery ? `\`${url}?\${query}\`` : singleQuoted(url)}${options});`,
    'console.log(await response.text());',
  ].join('\n');
};

/** @param targets path and query of each request */
const programOfSeveral = (targets: readonly string[]): string =>
  [
    'const targets = [',
    ...targets.map((target) => `  ${singleQuoted(target)},`),
    '];',
    'for (const target of targets) {',
    `  const response = await fetch(\`${BASE_URL_PLACEHOLDER}\${target}\`);`,
    '  console.log(await response.text());',
    '}',
  ].join('\n');

/** @param requests at least one @returns a complete program that prints the bodies of the answers, in order */
export const programOf = (requests: readonly RequestExample[]): string => {
  const [first, ...more] = requests;
  if (first === undefined) throw new Error('a program needs a request');
  return more.length === 0 ? programOfOne(partsOf(first)) : programOfSeveral(requests.map(({ target }) => target));
};
