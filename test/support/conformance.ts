// Checks an answer against /openapi.json: status, media type, body, headers and problem code. Every answer of the test
// app and of the local service is checked, whatever the test is about.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { documentRows } from '../../shared/contract/documents.ts';
import { isRecord } from '../../shared/model/json.ts';
import type { Release } from '../../shared/publish/document.ts';
import { openapi } from '../../shared/publish/openapi/index.ts';
import { errorTypeOf, type FailedRequest } from './error-type.ts';

interface Declared {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly 'x-problem-codes'?: readonly string[];
  readonly $ref?: string;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Declared>>;
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Partial<Readonly<Record<'get' | 'post', DescribedOperation>>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Declared & { readonly required?: boolean }>>>>;
}

const RELEASE: Release = { version: '0.0.0', date: '2026-01-01' };

export const description: OpenapiDocument = JSON.parse(openapi(RELEASE));

/** A client may ignore members that the description lacks, but no answer has such a member. */
const withoutOtherMembers = (_: string, value: unknown): unknown =>
  isRecord(value) && value['type'] === 'object' && isRecord(value['properties']) && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value;

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi.json', ...JSON.parse(JSON.stringify(description), withoutOtherMembers) });

const compiled = new Map<string, ValidateFunction>();

/** @param pointer JSON pointer to a schema in the description */
const validatorAt = (pointer: string): ValidateFunction => {
  const cached = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${pointer}` });
  compiled.set(pointer, cached);
  return cached;
};

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const pointerTo = (...names: readonly string[]): string =>
  `/${names.map((name) => encodeURIComponent(escaped(name))).join('/')}`;

/** A list of handles counts as one, before a handle. */
const variablesIn = (path: string): number => path.split('{').length - (path.includes('{handle},{handles}') ? 1.5 : 0);

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      // A comma makes the segment a list of handles, also after the last one.
      .replace('{handle},{handles}', '(?=[^/]*(?:,|%2[cC]))(?:[\\w@, ]|%40|%20|%2[cC])*')
      .replaceAll('{number}', '[1-9][0-9]?')
      .replaceAll(/\{[a-z]+\}/g, '(?:[^/%]|%40|%[89a-fA-F][0-9a-fA-F])+')}$`,
  );

/** Lists the paths that answer GET. */
export const readPaths = Object.fromEntries(
  Object.entries(description.paths).filter(([, item]) => item.get !== undefined),
);

/** Lists the path templates, those with the fewest variables first. */
const templates = Object.keys(readPaths)
  .toSorted((a, b) => variablesIn(a) - variablesIn(b))
  .map((path) => ({ path, pattern: patternOf(path) }));

/** Parts of HTML pages, which the description does not have. Their paths could also be a handle. */
const partsOfPages: ReadonlySet<string> = new Set(
  documentRows.map(([, { path }]) => path).filter((path) => !Object.hasOwn(description.paths, path)),
);

/** The edge function routes no path with a backslash or with an encoded separator. */
const UNROUTABLE = /\\|%(?:2f|5c)/i;

export const operationAt = (target: string): string | undefined => {
  const [path = ''] = target.split('?');
  return partsOfPages.has(path) || UNROUTABLE.test(path)
    ? undefined
    : templates.find(({ pattern }) => pattern.test(path))?.path;
};

/** Matches headers that servers and caches add, and headers that describe the body. */
const IGNORED_HEADERS =
  /^(?:age|connection|content-encoding|content-length|content-type|date|keep-alive|transfer-encoding|via|x-amz-.*|x-cache|alt-svc)$/;

interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const resolve = (declared: Declared, pointer: string): readonly [Declared, string] => {
  if (declared.$ref === undefined) return [declared, pointer];
  const [, , kind = '', name = ''] = declared.$ref.split('/');
  const target = description.components[kind]?.[name];
  if (target === undefined) throw new Error(`${declared.$ref} has no target`);
  return [target, pointerTo('components', kind, name)];
};

const headerErrors = ({ headers: declared = {} }: Declared, headers: CheckedAnswer['headers']): readonly string[] => {
  const names = new Map(Object.keys(declared).map((name) => [name.toLowerCase(), name]));
  const undeclared = Object.keys(headers).filter((name) => !names.has(name) && !IGNORED_HEADERS.test(name));
  const invalid = [...names].flatMap(([lower, name]) => {
    const value = headers[lower];
    // A header that is declared inline is optional.
    const isRequired = '$ref' in (declared[name] ?? {}) && description.components['headers']?.[name]?.required;
    if (value === undefined) return isRequired ? [`${name} is missing`] : [];
    const validate = validatorAt(pointerTo('components', 'headers', name, 'schema'));
    return validate(/^[0-9]+$/.test(String(value)) ? Number(value) : value)
      ? []
      : [`${name}: ${ajv.errorsText(validate.errors)}`];
  });
  return [...undeclared.map((name) => `${name} is not declared`), ...invalid];
};

const bodyErrors = (declared: Declared, pointer: string, { headers, body }: CheckedAnswer): readonly string[] => {
  const type = String(headers['content-type']).split(';')[0] ?? '';
  if (declared.content?.[type] === undefined) return [`the type ${type} is not declared`];
  const isJson = /[/+]json$/.test(type);
  const value: unknown = isJson ? JSON.parse(body) : body;
  const validate = validatorAt(`${pointer}${pointerTo('content', type, 'schema')}`);
  const codes = declared['x-problem-codes'];
  const code: unknown =
    codes && isJson && typeof value === 'object' && value !== null ? Reflect.get(value, 'code') : undefined;
  return [
    ...(validate(value) ? [] : [ajv.errorsText(validate.errors)]),
    ...(code !== undefined && codes !== undefined && !codes.includes(String(code))
      ? [`the code ${code} is not declared`]
      : []),
  ];
};

/** Lists the statuses of rejections outside any operation: a wrong origin secret or another method. */
const UNDECLARED_STATUSES: readonly number[] = [403, 405];

const isUndeclaredRejection = ({ status, body }: CheckedAnswer): boolean =>
  UNDECLARED_STATUSES.includes(status) &&
  /"code":"(?:forbidden_origin|method_not_allowed)"|<code>(?:forbidden_origin|method_not_allowed)</.test(body);

const verbs: Readonly<Record<string, 'get' | 'post'>> = { GET: 'get', HEAD: 'get', POST: 'post' };

/** @returns the errors as text; empty if the description does not cover the request */
export const conformanceErrors = (method: string, target: string, answer: CheckedAnswer): readonly string[] => {
  // A literal path takes precedence over the template of another path.
  const [literal = ''] = target.split('?');
  const path = Object.hasOwn(description.paths, literal) ? literal : operationAt(target);
  const verb = verbs[method];
  const operation = verb && description.paths[path ?? '']?.[verb];
  if (path === undefined || verb === undefined || operation === undefined || isUndeclaredRejection(answer)) return [];
  // The path of a hashtag has the form of a list below a profile.
  if (/^\/hashtag\//i.test(literal) && answer.status === 303) return [];
  const declared = operation.responses[answer.status];
  if (declared === undefined) return [`${path}: ${answer.status} is not declared`];
  const [response, pointer] = resolve(declared, pointerTo('paths', path, verb, 'responses', String(answer.status)));
  const hasBody = method !== 'HEAD' && answer.status !== 304 && answer.status !== 202;
  return [...headerErrors(response, answer.headers), ...(hasBody ? bodyErrors(response, pointer, answer) : [])].map(
    (error) => `${path} ${answer.status}: ${error}`,
  );
};

/** Checks that an HTML page runs no foreign script and that its links send no Referer. */
const htmlErrors = ({ headers }: CheckedAnswer): readonly string[] => {
  if (!String(headers['content-type']).startsWith('text/html')) return [];
  return [
    ...(String(headers['content-security-policy']).startsWith("default-src 'none'") ? [] : ['Content-Security-Policy']),
    ...(headers['referrer-policy'] === 'no-referrer' ? [] : ['Referrer-Policy']),
  ].map((name) => `${name} of an HTML page is ${String(headers[name.toLowerCase()])}`);
};

/** Problem documents have the code as a member, pages in the line for programs, Markdown of unknown routes not at all. */
const CODE_IN_BODY = /"code":"([a-z_]+)"|<code>\d{3}<\/code><\/span> <span><code>([a-z_]+)/;

/** The sign-in page of the dashboard has rules of its own. */
const OF_OPERATOR = /^\/(?:api\/)?admin(?:[/?]|$)/;

/** Checks that an error has its only type (requirements: pages). Without a body there is no code to check. */
const errorTypeErrors = (
  target: string,
  fields: Pick<FailedRequest, 'accept' | 'userAgent' | 'isAtEdge'>,
  { status, headers, body }: CheckedAnswer,
): readonly string[] => {
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const [, member, word] = CODE_IN_BODY.exec(body) ?? [];
  const code = type === 'text/markdown' ? 'route_not_found' : (member ?? word);
  if (status < 400 || body === '' || OF_OPERATOR.test(target)) return [];
  if (code === undefined) return type === 'text/html' ? ['the page of an error does not say its code'] : [];
  const expected = errorTypeOf({ target, ...fields, code });
  return type === expected ? [] : [`the error ${code} has the type ${type}, but must have ${expected}`];
};

/** @throws Error if the answer is not as /openapi.json declares, is an error of a wrong type, or is an HTML page without its security headers */
export const expectConformance = (
  method: string,
  target: string,
  answer: CheckedAnswer,
  requestHeaders: Readonly<Record<string, string>> = {},
  { isAtEdge = false }: { readonly isAtEdge?: boolean } = {},
): void => {
  const field = (wanted: string): string | undefined =>
    Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const fields = { accept: field('accept'), userAgent: isAtEdge ? field('user-agent') : undefined, isAtEdge };
  const errors = [
    ...conformanceErrors(method, target, answer),
    ...htmlErrors(answer),
    ...errorTypeErrors(target, fields, answer),
  ];
  if (errors.length > 0) throw new Error(`does not conform to /openapi.json:\n${errors.join('\n')}`);
};
