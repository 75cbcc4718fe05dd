// What a request may say: path, query and header parameters.
import { inputRow } from '../../contract/inputs.ts';
import { type Operation, queryNames, useCasesOf } from '../../contract/operations.ts';
import { type ParameterName, parameters } from '../../contract/parameters.ts';
import { type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { type ExampleParameters, exampleRequests, exampleValues } from '../example-requests.ts';
import { type Json, ref } from './responses.ts';

const isParameter = (name: string): name is ParameterName => Object.hasOwn(parameters, name);

/** One schema for all values: a handle in the path is as long as one in the query. */
const described = (name: ParameterName): Json => ({
  description: parameters[name].description,
  schema: parameters[name].schema,
});

const exampleFor = (name: ParameterName, read: UseCaseName): string | undefined => {
  const request: ExampleParameters = exampleRequests[read];
  const values: ExampleParameters = exampleValues;
  return request[name] ?? values[name];
};

/** Integers are written as such. */
const typed = (name: ParameterName, value: string): string | number =>
  parameters[name].schema['type'] === 'integer' ? Number(value) : value;

const withExample = (name: ParameterName, read: UseCaseName): Json => {
  const example = exampleFor(name, read);
  return example === undefined ? {} : { example: typed(name, example) };
};

const formatOf = (names: readonly UseCaseName[]): Json => {
  const formats = [...new Set(names.flatMap((name) => inputRow(useCases[name].input).formats))];
  return { ...described('format'), schema: { type: 'string', enum: formats, default: formats[0] } };
};

/** Where an operation cannot do without; of a post either `url` or both others. */
const REQUIRED: readonly string[] = ['q', 'url', 'handle'] satisfies ParameterName[];

const isRequired = (name: string, names: readonly UseCaseName[]): boolean => {
  const [read] = names;
  return names.length === 1 && read !== undefined && read !== 'readPost' && REQUIRED.includes(name);
};

const queryParameter = (name: string, operation: Operation): Json => {
  const names = useCasesOf(operation);
  const [read] = names;
  if (typeof operation.useCase !== 'string' && name === operation.useCase.parameter) {
    return {
      name,
      in: 'query',
      required: true,
      description: 'What to read.',
      schema: { type: 'string', enum: Object.keys(operation.useCase.choices) },
    };
  }
  if (!isParameter(name) || read === undefined) throw new Error(`${name} is no parameter`);
  return {
    name,
    in: 'query',
    ...(isRequired(name, names) && { required: true }),
    ...(name === 'format' ? formatOf(names) : described(name)),
    ...(names.length === 1 && withExample(name, read)),
  };
};

/** Of which photo or video of a post; not looked at. */
const NUMBER: Json = {
  description: 'Number of the photo or video; the post is the same.',
  schema: { type: 'integer', minimum: 1, maximum: 99 },
  example: 1,
};

const pathParameter = (name: string, operation: Operation): Json => {
  const [read] = useCasesOf(operation);
  return {
    name,
    in: 'path',
    required: true,
    ...(isParameter(name) && read !== undefined ? { ...described(name), ...withExample(name, read) } : NUMBER),
  };
};

/** The names in braces. */
const variablesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name ?? '');

export const parameterComponents = (): Json => ({
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of what the client has: one of them still being right is answered with 304.',
    schema: { type: 'string' },
    example: 'W/"m5Zq0aBcDeFgHiJkLmNoP1"',
  },
});

/** @param path one of the operation's */
export const parametersOf = (operation: Operation, path: string): readonly Json[] => [
  ...variablesOf(path).map((name) => pathParameter(name, operation)),
  ...queryNames(operation).map((name) => queryParameter(name, operation)),
  ref('parameters', 'IfNoneMatch'),
];
