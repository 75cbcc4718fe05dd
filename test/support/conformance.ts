// Whether an answer is one that /openapi.json declares: status, media type, body, headers and problem code. Every answer
// of the house and of the local service is held against it, whatever the test is about.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi } from '../../shared/publish/openapi/index.ts';
import type { Release } from '../../shared/publish/release.ts';

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

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi.json', ...description });

const compiled = new Map<string, ValidateFunction>();

/** @param pointer of a schema in the description */
const validatorAt = (pointer: string): ValidateFunction => {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${pointer}` });
  compiled.set(pointer, known);
  return known;
};

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const pointerTo = (...names: readonly string[]): string =>
  `/${names.map((name) => encodeURIComponent(escaped(name))).join('/')}`;

const variablesIn = (path: string): number => path.split('{').length;

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll('{number}', '[1-9][0-9]?')
      .replaceAll(/\{[a-z]+\}/g, '(?:[^/%]|%40)+')}$`,
  );

/** What is asked with GET. */
export const readPaths = Object.fromEntries(
  Object.entries(description.paths).filter(([, item]) => item.get !== undefined),
);

/** The most literal first. */
const templates = Object.keys(readPaths)
  .toSorted((a, b) => variablesIn(a) - variablesIn(b))
  .map((path) => ({ path, pattern: patternOf(path) }));

export const operationAt = (target: string): string | undefined =>
  templates.find(({ pattern }) => pattern.test(target.split('?')[0] ?? ''))?.path;

/** What servers and caches on the way add, and what is said of the body itself. */
const NOT_OURS =
  /^(?:age|connection|content-encoding|content-length|content-type|date|keep-alive|transfer-encoding|via|x-amz-.*|x-cache|alt-svc)$/;

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

const resolve = (declared: Declared, pointer: string): readonly [Declared, string] => {
  if (declared.$ref === undefined) return [declared, pointer];
  const [, , kind = '', name = ''] = declared.$ref.split('/');
  const target = description.components[kind]?.[name];
  if (target === undefined) throw new Error(`${declared.$ref} leads nowhere`);
  return [target, pointerTo('components', kind, name)];
};

const headerFaults = ({ headers: declared = {} }: Declared, headers: Answered['headers']): readonly string[] => {
  const names = new Map(Object.keys(declared).map((name) => [name.toLowerCase(), name]));
  const undeclared = Object.keys(headers).filter((name) => !names.has(name) && !NOT_OURS.test(name));
  const wrong = [...names].flatMap(([lower, name]) => {
    const value = headers[lower];
    // One that is written out in place is one that may be missing.
    const isCertain = '$ref' in (declared[name] ?? {}) && description.components['headers']?.[name]?.required;
    if (value === undefined) return isCertain ? [`${name} is missing`] : [];
    const validate = validatorAt(pointerTo('components', 'headers', name, 'schema'));
    return validate(/^[0-9]+$/.test(String(value)) ? Number(value) : value)
      ? []
      : [`${name}: ${ajv.errorsText(validate.errors)}`];
  });
  return [...undeclared.map((name) => `${name} is not declared`), ...wrong];
};

const bodyFaults = (declared: Declared, pointer: string, { headers, body }: Answered): readonly string[] => {
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

/** Not part of any operation: who comes round the edge, or with another method, is told so anywhere. */
const OUTSIDE: readonly number[] = [403, 405];

const isOutside = ({ status, body }: Answered): boolean =>
  OUTSIDE.includes(status) && /"code":"(?:forbidden_origin|method_not_allowed)"/.test(body);

const verbs: Readonly<Record<string, 'get' | 'post'>> = { GET: 'get', HEAD: 'get', POST: 'post' };

/** @returns what is wrong, in words; nothing for what the description does not speak of */
export const conformanceErrors = (method: string, target: string, answer: Answered): readonly string[] => {
  // A path that is there as it stands is no variable of another.
  const path = Object.hasOwn(description.paths, target) ? target : operationAt(target);
  const verb = verbs[method];
  const operation = verb && description.paths[path ?? '']?.[verb];
  if (path === undefined || verb === undefined || operation === undefined || isOutside(answer)) return [];
  const declared = operation.responses[answer.status];
  if (declared === undefined) return [`${path}: ${answer.status} is not declared`];
  const [response, pointer] = resolve(declared, pointerTo('paths', path, verb, 'responses', String(answer.status)));
  const hasBody = method !== 'HEAD' && answer.status !== 304 && answer.status !== 202;
  return [...headerFaults(response, answer.headers), ...(hasBody ? bodyFaults(response, pointer, answer) : [])].map(
    (fault) => `${path} ${answer.status}: ${fault}`,
  );
};

/** An HTML page runs no script of others, and no link on it tells where the reader came from. */
const htmlErrors = ({ headers }: Answered): readonly string[] => {
  if (!String(headers['content-type']).startsWith('text/html')) return [];
  return [
    ...(String(headers['content-security-policy']).startsWith("default-src 'none'") ? [] : ['Content-Security-Policy']),
    ...(headers['referrer-policy'] === 'no-referrer' ? [] : ['Referrer-Policy']),
  ].map((name) => `${name} of an HTML page is ${String(headers[name.toLowerCase()])}`);
};

/** @throws Error if the answer is not as /openapi.json declares, or is an HTML page without its security headers */
export const expectConformance = (method: string, target: string, answer: Answered): void => {
  const faults = [...conformanceErrors(method, target, answer), ...htmlErrors(answer)];
  if (faults.length > 0) throw new Error(`not as /openapi.json says:\n${faults.join('\n')}`);
};
