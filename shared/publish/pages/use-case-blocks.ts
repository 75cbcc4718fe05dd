// Writes what the contract says about a use case: its parameters, its routes and rules, and a recorded example.
import type { CacheClass } from '../../contract/caching.ts';
import { parameterProblems, useCaseProblems } from '../../contract/inputs.ts';
import { type Operation, operationRows, pathsOf, useCasesOf, versionedPath } from '../../contract/operations.ts';
import { type ParameterName, type ParameterRow, parameters } from '../../contract/parameters.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { type UseCase, type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { isRecord, type JsonRecord } from '../../model/json.ts';
import { exampleOf, exampleTarget } from '../examples.ts';
import { codeBlock, codeList, duration, errorCode, inlineCode, link, table } from './markdown-blocks.ts';
import { cacheDurations } from './values.ts';

/** A JSON Schema as text. */
const schemaText = (schema: JsonRecord): string => {
  const { enum: values, oneOf, type, minimum, maximum, pattern, maxLength } = schema;
  if (Array.isArray(oneOf)) return oneOf.filter(isRecord).map(schemaText).join(', or ');
  if (Array.isArray(values)) return codeList(values);
  if (type === 'integer')
    return maximum === undefined ? `${String(minimum)} or more` : `${String(minimum)} to ${String(maximum)}`;
  if (typeof pattern === 'string') return inlineCode(pattern);
  return maxLength === undefined ? 'text' : `up to ${String(maxLength)} characters`;
};

const parameterNames = (name: UseCaseName): readonly ParameterName[] => useCases[name].parameters;

const defaultText = (useCase: UseCaseName, name: ParameterName): string => {
  const { schema }: ParameterRow<unknown> = parameters[name];
  if (name === 'format') return useCases[useCase].representation === 'json' ? '`json`' : 'selected by `Accept`';
  return schema['default'] === undefined ? '' : inlineCode(String(schema['default']));
};

const acceptedText = (useCase: UseCaseName, name: ParameterName): string =>
  name === 'format' ? codeList(useCases[useCase].formats) : schemaText(parameters[name].schema);

export const parameterTable = (useCase: UseCaseName): string =>
  table(
    ['Parameter', 'Default', 'Accepted values', 'Meaning', 'Errors'],
    parameterNames(useCase).map((name) => [
      versionedPath(useCase).includes(`{${name}}`) ? `\`${name}\` (in the path)` : inlineCode(name),
      defaultText(useCase, name),
      acceptedText(useCase, name),
      parameters[name].description,
      parameterProblems(useCase, name).map(errorCode).join(', '),
    ]),
  );

const routesOn = (surface: Operation['surface'], useCase: UseCaseName): string =>
  operationRows
    .filter(([, operation]) => operation.surface === surface && useCasesOf(operation).includes(useCase))
    .flatMap(([, operation]) => pathsOf(operation).map((path) => ({ path, choice: operation.useCase })))
    .map(({ path, choice }) => {
      const chosen =
        typeof choice === 'string' ? undefined : Object.entries(choice.choices).find(([, name]) => name === useCase);
      const query = typeof choice === 'string' || chosen === undefined ? '' : `?${choice.parameter}=${chosen[0]}`;
      return `\`GET ${path}${query}\``;
    })
    .join(', ');

/** The codes beyond those of single parameters, in the order of the checks. */
const generalErrors = (useCase: UseCaseName): readonly ProblemCode[] => {
  const { apiKey, representation }: UseCase = useCases[useCase];
  const names = parameterNames(useCase);
  return [
    ...new Set<ProblemCode>([
      ...(apiKey === 'honoured' ? (['invalid_key'] as const) : []),
      'repeated_parameter',
      ...(names.some((name) => ['url', 'ids', 'handles'].includes(name)) ? (['missing_parameter'] as const) : []),
      ...(representation === 'negotiated' ? (['not_acceptable'] as const) : []),
      ...useCaseProblems(useCase),
    ]),
  ];
};

const cachingText = (cacheClass: CacheClass): string => {
  const { fresh, stale, staleIfError } = cacheDurations(cacheClass);
  const longest = cacheClass === 'post' ? cacheDurations('monthOldPost').fresh : fresh;
  const kept = longest === fresh ? duration(fresh) : `${duration(fresh)} to ${duration(longest)}`;
  return `${kept}, up to ${duration(stale)} more during revalidation, up to ${duration(staleIfError)} while the upstream fails`;
};

/** The routes of a use case, its MCP tool, its cost, its caching and its errors. */
export const useCaseTable = (useCase: UseCaseName): string => {
  const { allowance, mostUnits = 1, apiKey, cache, tool }: UseCase = useCases[useCase];
  const alias = routesOn('alias', useCase);
  return table(
    ['Property', 'Value'],
    [
      ['Route', routesOn('versioned', useCase)],
      ['Permalink', routesOn('permalink', useCase)],
      ['Deprecated alias', alias === '' ? '' : `${alias}, see ${link('versioning', 'versioning')}`],
      ['MCP tool', tool === undefined ? '' : link('mcp', inlineCode(tool))],
      [
        'Allowance',
        allowance === 'fair-use'
          ? `none; ${link('limits', 'fair use')} applies`
          : `${mostUnits === 1 ? 'one unit' : `one to ${mostUnits} units`} of ${link('limits', inlineCode(allowance))}`,
      ],
      ['API key', apiKey === 'ignored' ? '`Authorization` is ignored' : `optional, see ${link('limits')}`],
      ['Kept in shared caches', cachingText(cache)],
      ['Errors, in addition to those of parameters', generalErrors(useCase).map(errorCode).join(', ')],
    ].filter(([, value]) => value !== ''),
  );
};

/** RFC 3986 section 3.4 allows `/` and `:` in a query, so they need no percent-encoding. */
const readableQuery = (query: string): string => query.replaceAll('%2F', '/').replaceAll('%3A', ':');

/** A request and its recorded answer. `…` replaces values that differ on each request. */
export const exampleBlock = (useCase: UseCaseName): string => {
  const answer = JSON.stringify(exampleOf(useCase).json, undefined, 2)
    .replace(/"(fetched_at|next_cursor)": "[^"]*"/g, '"$1": "…"')
    .replace(/cursor=[\w-]+/g, 'cursor=…');
  return `${codeBlock('sh', `curl '${B}${readableQuery(exampleTarget(useCase, 'json'))}'`)}\n\n${codeBlock('json', answer)}`;
};
