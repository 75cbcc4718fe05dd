// Generates the methods of the client from the OpenAPI description: their table, their types, and their lines in the README.
// A new read needs no code here, unless its operation has a name of its own for callers.
import { inlineCode, table } from '../../shared/publish/pages/markdown-blocks.ts';
import type { MethodRow } from '../src/options.ts';
import { type Description, type Operation, operationsOf, readDescription, referredName } from './description.ts';

export interface Method extends MethodRow {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  /** The first argument. */
  readonly argument: string;
  readonly options: readonly string[];
  /** The names of the types of the body and of the items of a list. */
  readonly body: string;
  readonly items: readonly string[];
}

/** Operations whose method is not their name without its verb. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['lookupPosts', 'lookup'],
  ['mergeTimelines', 'timeline'],
  ['readXList', 'listPosts'],
  ['searchPosts', 'search'],
]);

const OF_COLLECTION: ReadonlyMap<string, MethodRow['subject']> = new Map([
  ['posts', 'post'],
  ['profiles', 'profile'],
  ['users', 'account'],
  ['lists', 'list'],
]);

/** Parameters of the query that say what is read. The first that a route has is the argument. */
const SUBJECTS: ReadonlyMap<string, Pick<MethodRow, 'subject' | 'isSeveral'>> = new Map([
  ['url', { subject: 'post' }],
  ['ids', { subject: 'post', isSeveral: true }],
  ['handles', { subject: 'profile', isSeveral: true }],
  ['q', { subject: 'search' }],
]);

/** For JSON, the service refuses the last three. */
const NO_OPTIONS: ReadonlySet<string> = new Set([
  ...SUBJECTS.keys(),
  ...['handle', 'id', 'format', 'layout', 'threads', 'download'],
]);

const nameOf = (operationId: string): string =>
  NAMES.get(operationId) ?? operationId.replace(/^(?:read|list)(.)/, (_, first: string) => first.toLowerCase());

const targetOf = ({ path, parameters, operationId }: Operation): Omit<MethodRow, 'route' | 'result'> => {
  const [, collection = '', inPath = ''] = /\/(\w+)\/\{(\w+)\}/.exec(path) ?? [];
  const ofPath = OF_COLLECTION.get(collection);
  if (ofPath !== undefined) return { subject: ofPath, parameter: inPath };
  const names = parameters.map(({ name }) => name);
  const [parameter, target] = [...SUBJECTS].find(([name]) => names.includes(name)) ?? [];
  if (parameter === undefined || target === undefined) throw new Error(`${operationId} has no subject`);
  return { parameter, ...target };
};

const resultOf = ({ parameters }: Operation): MethodRow['result'] => {
  const has = (name: string, value?: string): boolean =>
    parameters.some((each) => each.name === name && (value === undefined || each.schema.enum?.includes(value)));
  if (!has('cursor')) return 'answer';
  // An answer that is more than a list, such as a profile, has no NDJSON.
  return has('format', 'ndjson') ? 'list' : 'firstPage';
};

/** @returns the name of each type of items */
const itemsOf = (body: string, { components }: Description): readonly string[] => {
  const { posts, users } = components.schemas[body]?.properties ?? {};
  return [posts?.items, users?.items].flatMap((items) => (items === undefined ? [] : [referredName(items)]));
};

const OPTIONS_OF_LINKS = ['feed', 'kind'] as const;

const methodOf = (operation: Operation, description: Description): Method => {
  const { path, operationId, summary, parameters, schema } = operation;
  const target = targetOf(operation);
  const argument = target.subject === 'search' ? 'query' : target.subject;
  const body = referredName(schema);
  const result = resultOf(operation);
  const options = parameters.map(({ name }) => name).filter((name) => !NO_OPTIONS.has(name));
  const fromLink = OPTIONS_OF_LINKS.find((name) => options.includes(name));
  return {
    name: nameOf(operationId),
    operationId,
    summary,
    route: path,
    ...target,
    argument: target.isSeveral ? `${argument}s` : argument,
    ...(fromLink && { fromLink }),
    options,
    body,
    items: result === 'answer' ? [] : itemsOf(body, description),
    result,
  };
};

/** In the order of the documents. */
export const methodsOf = (description: Description): readonly Method[] =>
  operationsOf(description).map((operation) => methodOf(operation, description));

const optionsType = (name: string): string => `${name[0]?.toUpperCase()}${name.slice(1)}Options`;

const resultType = ({ result, items, body }: Method): string => {
  const list = `<${items.join(' | ')}, ${body}>`;
  return { answer: `Promise<${body}>`, list: `List${list}`, firstPage: `FirstPage${list}` }[result];
};

const WORDS: Readonly<Record<MethodRow['subject'], string>> = {
  post: 'an id, or a link of the post',
  profile: 'a handle, or a link of the profile',
  account: 'an id, or a link such as https://x.com/i/user/12',
  list: 'an id, or a link such as https://x.com/i/lists/12',
  search: 'words with the operators of X, or a link of a search or a hashtag',
};

const signature = (method: Method): string => {
  const { name, summary, argument, subject, isSeveral } = method;
  return [
    '  /**',
    `   * ${summary}.`,
    '   *',
    `   * @param ${argument} ${isSeveral ? 'each ' : ''}${WORDS[subject]}`,
    '   */',
    `  ${name}(${argument}: ${isSeveral ? 'readonly string[]' : 'string'}, options?: ${optionsType(name)}): ${resultType(method)};`,
  ].join('\n');
};

const rowOf = ({ name, route, subject, parameter, isSeveral, fromLink, result }: Method): string => {
  const row: MethodRow = {
    route,
    subject,
    parameter,
    ...(isSeveral && { isSeveral }),
    ...(fromLink && { fromLink }),
    result,
  };
  return `  ${name}: ${JSON.stringify(row)},`;
};

const HEAD = '// Generated from the OpenAPI description of the service.';

/** @returns the text of client/src/methods.ts */
export const methodTypes = (description: Description): string => {
  const methods = methodsOf(description);
  const types = [...new Set(methods.flatMap(({ body, items }) => [body, ...items]))].toSorted();
  const options = methods.map(({ name, operationId, options }) => {
    const names = options.map((each) => `'${each}'`).join(' | ');
    return `export type ${optionsType(name)} = Options<'${operationId}', ${names}>;`;
  });
  return `${HEAD}
import type { FirstPage, List } from './list.ts';
import type { ${types.join(', ')} } from './openapi.ts';
import type { Options } from './options.ts';

${options.join('\n')}

/** The reads of the service. */
export interface Methods {
${methods.map(signature).join('\n')}
}
`;
};

/** @returns the text of client/src/method-rows.ts */
export const methodTable = (description: Description): string => `${HEAD}
import type { Methods } from './methods.ts';
import type { MethodRow } from './options.ts';

/** By method, in the order of the documents. */
export const methodRows: { readonly [Name in keyof Methods]: MethodRow } = {
${methodsOf(description).map(rowOf).join('\n')}
};
`;

/** @returns the table in the README */
export const methodsTable = (description: Description = readDescription()): string =>
  table(
    ['Method', 'Does', 'Result'],
    methodsOf(description).map((method) => {
      const { name, argument, options, summary } = method;
      return [inlineCode(`${name}(${argument}, { ${options.join(', ')} })`), summary, inlineCode(resultType(method))];
    }),
  );
