// Describes the answers of an operation: every status with its headers, media types and problem codes.
import { type HeaderDescription, type HeaderName, headerDescriptions } from '../../contract/header-descriptions.ts';
import {
  CSV_TYPE,
  type FeedFormat,
  GRAPHML_TYPE,
  isFeedFormat,
  KEPT_FORMATS,
  type KeptFormat,
  keptTypes,
  mediaTypes,
  NDJSON_TYPE,
  negotiations,
  OPML_TYPE,
} from '../../contract/media-types.ts';
import {
  acceptsApiKey,
  formatsOf,
  isNegotiated,
  type Operation,
  queryNames,
  useCasesOf,
  usesAllowance,
} from '../../contract/operations.ts';
import { problems } from '../../contract/problem-rows.ts';
import { type ProblemCode, problemRow } from '../../contract/problems.ts';
import { type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { type Example, exampleRows } from '../examples.ts';
import { bodyName } from '../operations.ts';
import { PROBLEM_TYPE, problemsOf } from './problems.ts';

export type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

export const BASE_HEADER_NAMES: readonly HeaderName[] = [
  'X-Request-Id',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Cache-Control',
  'Vary',
];

const PAGE_HEADER_NAMES: readonly HeaderName[] = ['Content-Security-Policy', 'Referrer-Policy'];

export const headers = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

export const headerComponents = (): Json =>
  Object.fromEntries(
    Object.entries<HeaderDescription>(headerDescriptions).map(
      ([name, { description, schema = text, example, isAlwaysPresent: required }]) => [
        name,
        { description, ...(required && { required }), schema, example },
      ],
    ),
  );

const headersOf = (operation: Operation, status: number): readonly HeaderName[] => [
  ...BASE_HEADER_NAMES,
  ...(status < 400 ? (['ETag'] as const) : []),
  ...(operation.lifecycle === undefined ? [] : (['Deprecation', 'Sunset'] as const)),
  ...(operation.lifecycle !== undefined || (status < 400 && hasLinks(operation)) || status === BLOCKED
    ? (['Link'] as const)
    : []),
  ...(status < 400 && hasFileNames(operation) ? (['Content-Disposition'] as const) : []),
  ...(status < 400 && hasFormat(operation, 'markdown') ? (['X-Markdown-Tokens'] as const) : []),
  ...(status < 400 && hasFormat(operation, 'csv') ? (['X-Warnings'] as const) : []),
  ...(operation.surface === 'permalink' ? (['X-Robots-Tag'] as const) : []),
  ...(acceptsApiKey(operation) && status !== 414 ? (['X-Api-Key-Status'] as const) : []),
  ...(usesAllowance(operation) ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
  ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ...((hasPages(operation) && status !== NOT_ACCEPTABLE) || (hasFeeds(operation) && status < 400)
    ? PAGE_HEADER_NAMES
    : []),
];

/** RFC 7725 section 4: the answer links to who blocks. */
const BLOCKED = problems.withheld_by_operator.status;

/** A list has a next page, and the permalink of a post has other formats. */
const hasLinks = (operation: Operation): boolean =>
  queryNames(operation).includes('cursor') || (hasPages(operation) && useCasesOf(operation).includes('readPost'));

const hasFormat = (operation: Operation, format: string): boolean => formatsOf(operation).includes(format);

const hasFileNames = (operation: Operation): boolean => hasFormat(operation, 'obsidian') || hasFormat(operation, 'csv');

/** HTML cannot win without being acceptable. */
const NOT_ACCEPTABLE = 406;

const feedFormatsOf = (operation: Operation): readonly FeedFormat[] =>
  [operation.fixed?.format ?? '', ...formatsOf(operation)].filter(isFeedFormat);

const hasFeeds = (operation: Operation): boolean => feedFormatsOf(operation).length > 0 || hasFormat(operation, 'opml');

const hasPages = (operation: Operation): boolean => operation.surface === 'permalink' && isNegotiated(operation);

const jsonSchemaOf = (names: readonly UseCaseName[]): Json => {
  const bodies = [...new Set(names.map((name) => bodyName(useCases[name].resource)))].map((name) =>
    ref('schemas', name),
  );
  const [only] = bodies;
  return bodies.length === 1 && only !== undefined ? only : { oneOf: bodies };
};

const examplesOf = (names: readonly UseCaseName[], form: keyof Example): Json =>
  Object.fromEntries(names.map((name) => [name, ref('examples', `${name}_${form}`)]));

export const answerExamples = (): Json =>
  Object.fromEntries(
    exampleRows.flatMap(([name, answers]) =>
      Object.entries(answers).map(([form, value]) => [`${name}_${form}`, { summary: useCases[name].summary, value }]),
    ),
  );

const CONTENT_BY_FORMAT = {
  json: (names: readonly UseCaseName[]) => ({ schema: jsonSchemaOf(names), examples: examplesOf(names, 'json') }),
  markdown: (names: readonly UseCaseName[]) => ({ schema: text, examples: examplesOf(names, 'markdown') }),
  html: (_: readonly UseCaseName[], { formFor }: Operation) => ({
    schema: {
      ...text,
      description: `An HTML page for browsers and link previews.${formFor === undefined ? '' : ` Without ${formFor}: a page with a form for it.`}`,
    },
  }),
} as const;

const FEED_SCHEMAS: Readonly<Record<FeedFormat, Json>> = {
  rss: { ...text, description: 'A feed in RSS 2.0.' },
  atom: { ...text, description: 'A feed in Atom (RFC 4287).' },
  jsonfeed: ref('schemas', 'JsonFeed'),
};

/** The aliases offer no feed by Accept. */
const feedContentOf = (operation: Operation): Json =>
  Object.fromEntries(
    feedFormatsOf(operation).map((format) => [
      mediaTypes[format],
      {
        schema: {
          ...FEED_SCHEMAS[format],
          ...(operation.lifecycle && { description: `Only with format=${format}.` }),
        },
      },
    ]),
  );

const NDJSON = {
  schema: {
    ...text,
    description:
      'Only with format=ndjson: newline-delimited JSON. Each line is one item of the JSON body. The last line is an object with next_cursor, which is null at the end of the list, and warnings, for a conversation also missing and completeness.',
  },
};

const CSV = {
  schema: {
    ...text,
    description:
      'Only with format=csv: a table (RFC 4180) with a header and a record for each item. Link names the next page, and X-Warnings what is missing.',
  },
};

const OPML = { schema: { ...text, description: 'Only with format=opml: the feeds of the accounts, in OPML 2.0.' } };

const GRAPHML = {
  schema: { ...text, description: 'Only with format=graphml: a graph (GraphML 1.1). X-Warnings says what is missing.' },
};

const KEPT_SCHEMAS: Readonly<Record<KeptFormat, Json>> = {
  epub: { description: 'Only with format=epub: a book (EPUB 3.3).' },
  csl: { type: 'array', description: 'Only with format=csl: a citation (CSL-JSON).', items: { type: 'object' } },
};

const keptContentOf = (operation: Operation): Json =>
  Object.fromEntries(
    KEPT_FORMATS.filter((format) => hasFormat(operation, format)).map((format) => [
      keptTypes[format],
      { schema: KEPT_SCHEMAS[format] },
    ]),
  );

const contentOf = (operation: Operation): Json => {
  if (operation.fixed?.format !== undefined) return feedContentOf(operation);
  const names = useCasesOf(operation);
  const { byRange, byName } = negotiations[operation.surface];
  const offers = isNegotiated(operation) ? [...byRange, ...byName] : (['json'] as const);
  return {
    ...Object.fromEntries(offers.map((form) => [mediaTypes[form], CONTENT_BY_FORMAT[form](names, operation)])),
    ...feedContentOf(operation),
    ...(hasFormat(operation, 'ndjson') && { [NDJSON_TYPE]: NDJSON }),
    ...(hasFormat(operation, 'csv') && { [CSV_TYPE]: CSV }),
    ...(hasFormat(operation, 'opml') && { [OPML_TYPE]: OPML }),
    ...(hasFormat(operation, 'graphml') && { [GRAPHML_TYPE]: GRAPHML }),
    ...keptContentOf(operation),
  };
};

/** Generators that support one media type take the first. The order says nothing about negotiation. */
const jsonFirst = ({ [mediaTypes.json]: json, ...others }: Json): Json => ({
  ...(json !== undefined && { [mediaTypes.json]: json }),
  ...others,
});

const ERROR_PAGE = {
  schema: { ...text, description: 'A page for people, where text/html wins. Status, headers and code are the same.' },
};

/** 404 of an unknown route is also available as Markdown. */
const pagesOf = (codes: readonly ProblemCode[], names: readonly HeaderName[]): Json => ({
  ...(PAGE_HEADER_NAMES.every((name) => names.includes(name)) && { [mediaTypes.html]: ERROR_PAGE }),
  ...(codes.includes('route_not_found') && { [mediaTypes.markdown]: { schema: text } }),
});

/** @param names the header names; with the headers of a page, the problem is also available as HTML */
export const problemResponse = (codes: readonly ProblemCode[], names: readonly HeaderName[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${problemRow(code).title}.`).join(' '),
  headers: headers(names),
  content: {
    [PROBLEM_TYPE]: {
      schema: ref('schemas', 'Problem'),
      examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
    },
    ...pagesOf(codes, names),
  },
  'x-problem-codes': codes,
});

const MARKED_ID: Json = {
  description: 'Marks of a chat stand behind the id, such as `||` or `)`.',
  headers: headers([...BASE_HEADER_NAMES, 'X-Robots-Tag', 'Location']),
  content: { 'text/plain': { schema: text } },
};

export const responsesOf = (operation: Operation): Readonly<Record<string, Json>> => ({
  200: {
    description: useCasesOf(operation)
      .map((name) => useCases[name].summary)
      .join('; '),
    headers: headers(headersOf(operation, 200)),
    content: jsonFirst(contentOf(operation)),
  },
  304: {
    description: 'Not modified: If-None-Match contains the ETag of the representation.',
    headers: headers(headersOf(operation, 304)),
  },
  ...(operation.surface === 'permalink' && operation.path.includes('{id}') && { 308: MARKED_ID }),
  ...Object.fromEntries(
    [...problemsOf(operation)].map(([status, codes]) => [status, problemResponse(codes, headersOf(operation, status))]),
  ),
});

/**
 * Stores equal answers of several operations once, under the name of the first operation and the status. A 200 is never
 * shared. An answer with a schema of its own has another name: kubb gives its type this name, which the type of the operation
 * has already.
 */
export const createResponseRegistry = (): {
  readonly responses: Record<string, Json>;
  reference(id: string, responses: Readonly<Record<string, Json>>): Json;
} => {
  const responses: Record<string, Json> = {};
  const names = new Map<string, string>([[JSON.stringify(MARKED_ID), 'MarkedId']]);
  const nameOf = (id: string, status: string, text: string): string => {
    const name = names.get(text) ?? `${id}_${status}`;
    names.set(text, name);
    return name;
  };
  return {
    responses,
    reference: (id, operationResponses) =>
      Object.fromEntries(
        Object.entries(operationResponses).map(([status, response]) => {
          if (status === '200') return [status, response];
          const name = nameOf(id, status, JSON.stringify(response));
          responses[name] = response;
          return [status, ref('responses', name)];
        }),
      ),
  };
};
