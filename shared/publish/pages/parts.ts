// What the pages have in common: links, tables, examples, and what the contract says of a read.

import { type CacheClass, cacheControl, DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import { type DocumentName, documents } from '../../contract/documents.ts';
import { inputs } from '../../contract/inputs.ts';
import { type Operation, operationRows, pathsOf, useCasesOf, versionedPath } from '../../contract/operations.ts';
import { type ParameterName, type ParameterRow, parameters } from '../../contract/parameters.ts';
import { ERRORS_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { queryString } from '../../contract/query-string.ts';
import { type UseCase, type UseCaseName, useCases } from '../../contract/use-cases.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { type ExampleParameters, exampleRequests } from '../example-requests.ts';
import { exampleOf } from '../examples.ts';

export const day = (instant: string): string => instant.slice(0, 10);

/** @param words @default the title @param section the id of a heading of the page */
export const link = (name: DocumentName, words: string = documents[name].title, section?: string): string =>
  `[${words}](${B}${documents[name].path}${section === undefined ? '' : `#${section}`})`;

export const code = (name: ProblemCode): string => `[\`${name}\`](${B}${ERRORS_PATH}#${name})`;

export const warned = (name: WarningCode): string => link('formats', `\`${name}\``, 'warnings');

/** The heading of a page and what it is about. */
export const opening = (name: DocumentName, summary: string): string => `# ${documents[name].title}\n\n${summary}`;

const rowOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(head), rowOf(head.map(() => '---')), ...rows.map(rowOf)].join('\n');

export const fence = (tag: 'sh' | 'ts' | 'json' | 'markdown' | 'http', text: string): string =>
  `\`\`\`${tag}\n${text.trim()}\n\`\`\``;

/** Commands that work as they stand: the tests run each of them. */
export const sh = (...lines: readonly string[]): string => fence('sh', lines.join('\n'));

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

export const duration = (seconds: number): string => {
  const [size, unit] = UNITS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** What Cache-Control says by default, in seconds. */
export const freshness = (kind: CacheClass) => {
  const field = cacheControl(kind, DEFAULT_CACHE_TTL_SECONDS);
  const of = (directive: string): number => Number(new RegExp(`${directive}=(\\d+)`).exec(field)?.[1] ?? 0);
  return {
    fresh: of('s-maxage'),
    whileRevalidating: of('stale-while-revalidate'),
    ifError: of('stale-if-error'),
  };
};

const cacheWords = (kind: CacheClass): string => {
  const { fresh, whileRevalidating, ifError } = freshness(kind);
  return `${duration(fresh)}, up to ${duration(whileRevalidating)} more while it is read again, up to ${duration(ifError)} while the source is down`;
};

const isSchema = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const codeList = (values: readonly unknown[]): string => values.map((value) => `\`${String(value)}\``).join(', ');

/** A JSON Schema in words. */
const acceptedBy = (schema: Readonly<Record<string, unknown>>): string => {
  const { enum: values, oneOf, type, minimum, maximum, pattern, maxLength } = schema;
  if (Array.isArray(oneOf)) return oneOf.filter(isSchema).map(acceptedBy).join(', or ');
  if (Array.isArray(values)) return codeList(values);
  if (type === 'integer')
    return maximum === undefined ? `${String(minimum)} or more` : `${String(minimum)} to ${String(maximum)}`;
  if (typeof pattern === 'string') return `\`${pattern}\``;
  return maxLength === undefined ? 'text' : `up to ${String(maxLength)} characters`;
};

const readRow = (name: UseCaseName): UseCase => useCases[name];

const namesOf = (read: UseCaseName): readonly ParameterName[] => inputs[useCases[read].input].parameters;

/** oEmbed has a status of its own for a format that is not there. */
const refusalsOf = (read: UseCaseName, name: ParameterName): readonly ProblemCode[] =>
  name === 'format' && readRow(read).representation === 'json' ? ['format_not_implemented'] : parameters[name].codes;

const defaultOf = (read: UseCaseName, name: ParameterName): string => {
  const { schema }: ParameterRow<unknown> = parameters[name];
  if (name === 'format') return readRow(read).representation === 'json' ? '`json`' : 'as `Accept` says';
  return schema['default'] === undefined ? '' : `\`${String(schema['default'])}\``;
};

const acceptedIn = (read: UseCaseName, name: ParameterName): string =>
  name === 'format' ? codeList(inputs[useCases[read].input].formats) : acceptedBy(parameters[name].schema);

/** @param read whose v1 route decides what is in the path */
export const parameterTable = (read: UseCaseName, names: readonly ParameterName[] = namesOf(read)): string =>
  table(
    ['Parameter', 'Default', 'Accepts', 'Meaning', 'Refused with'],
    names.map((name) => [
      versionedPath(read).includes(`{${name}}`) ? `\`${name}\` (in the path)` : `\`${name}\``,
      defaultOf(read, name),
      acceptedIn(read, name),
      parameters[name].description,
      refusalsOf(read, name).map(code).join(', '),
    ]),
  );

const addressesOf = (read: UseCaseName, kind: Operation['surface']): string =>
  operationRows
    .filter(([, operation]) => operation.surface === kind && useCasesOf(operation).includes(read))
    .flatMap(([, operation]) => pathsOf(operation).map((path) => ({ path, choice: operation.useCase })))
    .map(({ path, choice }) => {
      const chosen =
        typeof choice === 'string' ? undefined : Object.entries(choice.choices).find(([, name]) => name === read);
      const query = typeof choice === 'string' || chosen === undefined ? '' : `?${choice.parameter}=${chosen[0]}`;
      return `\`GET ${path}${query}\``;
    })
    .join(', ');

/** How a read can fail besides what the table of its parameters says, in the order in which it is found out. */
const errorsOf = (read: UseCaseName): readonly ProblemCode[] => {
  const { apiKey, representation, problems } = readRow(read);
  const names = namesOf(read);
  return [
    ...new Set<ProblemCode>([
      ...(apiKey === 'honoured' ? (['invalid_key'] as const) : []),
      'repeated_parameter',
      ...(names.includes('url') ? (['missing_parameter'] as const) : []),
      ...(representation === 'negotiated' ? (['not_acceptable'] as const) : []),
      'rate_limited',
      ...problems,
      'upstream_failed',
      'upstream_unavailable',
    ]),
  ];
};

/** What holds of a read: where it is, what it costs, how it is cached and how it fails. */
export const readTable = (read: UseCaseName): string => {
  const { allowance, apiKey, cache, tool } = readRow(read);
  const alias = addressesOf(read, 'alias');
  return table(
    ['Property', 'Value'],
    [
      ['Address', addressesOf(read, 'versioned')],
      ['Permalink', addressesOf(read, 'permalink')],
      ['Deprecated alias', alias === '' ? '' : `${alias}, see ${link('versioning', 'versioning')}`],
      ['MCP tool', tool === undefined ? '' : `${link('mcp', `\`${tool}\``)}`],
      [
        'Costs',
        allowance === 'fair-use'
          ? `nothing, within ${link('limits', 'fair use')}`
          : `one of the allowance ${link('limits', `\`${allowance}\``)}`,
      ],
      ['Key', apiKey === 'ignored' ? '`Authorization` is not looked at' : `optional, see ${link('limits')}`],
      ['Kept by shared caches', cacheWords(cache)],
      ['Errors, besides those of parameters', errorsOf(read).map(code).join(', ')],
    ].filter(([, value]) => value !== ''),
  );
};

/** Slashes and colons mean nothing in a query. */
const readable = (query: string): string => query.replaceAll('%2F', '/').replaceAll('%3A', ':');

/** A request and what was answered to it, less what differs each time. */
export const recorded = (read: UseCaseName): string => {
  const given: ExampleParameters = exampleRequests[read];
  const path = versionedPath(read);
  const filled = path.replace('{handle}', given.handle ?? '');
  const query = queryString({ ...given, ...(filled !== path && { handle: undefined }), format: 'json' });
  const answer = JSON.stringify(exampleOf(read).json, undefined, 2)
    .replace(/"(fetched_at|next_cursor)": "[^"]*"/g, '"$1": "…"')
    .replace(/cursor=[\w-]+/g, 'cursor=…');
  return `${sh(`curl '${B}${filled}?${readable(query)}'`)}\n\n${fence('json', answer)}`;
};
