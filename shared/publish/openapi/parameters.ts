// Describes path, query and header parameters.
import { type Operation, queryNames, useCasesOf } from '../../contract/operations.ts';
import { type ParameterName, parameters } from '../../contract/parameters.ts';
import { readWords } from '../../contract/reads/index.ts';
import { rowOf, type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { type ExampleParameters, exampleValues } from '../examples.ts';
import { type Json, ref } from './responses.ts';

const isParameter = (name: string): name is ParameterName => Object.hasOwn(parameters, name);

/** Generators choose the type of a variable by the format of an integer. */
const withFormats = (schema: Json): Json => {
  const { maximum } = schema;
  if (schema['type'] !== 'integer') return schema;
  return { ...schema, format: typeof maximum === 'number' && maximum < 2 ** 31 ? 'int32' : 'int64' };
};

/** Their default depends on other parameters. Generated clients send every declared default. */
const WITHOUT_DEFAULT: readonly ParameterName[] = ['replies'];

/** The patterns, the forms of instants and the longest request target imply these lengths. */
const MAX_LENGTHS: Partial<Readonly<Record<ParameterName, number>>> = {
  handle: 16,
  id: 19,
  ids: 8192,
  since: 35,
  until: 35,
};

/** A word or a number. Generators write no union into a query, so these parameters are described as text. */
const TEXTS: Partial<Readonly<Record<ParameterName, Json>>> = {
  thread: { type: 'string', pattern: '^(full|off|[2-9]|[1-9][0-9]|100)$', default: 'full' },
};

const schemaOf = (name: ParameterName): Json => {
  const { default: value, ...schema } = TEXTS[name] ?? withFormats(parameters[name].schema);
  const maxLength = MAX_LENGTHS[name];
  return {
    ...schema,
    ...(maxLength !== undefined && { maxLength }),
    ...(value !== undefined && !WITHOUT_DEFAULT.includes(name) && { default: value }),
  };
};

/** The schema is the same in the path and in the query. */
const descriptionOf = (name: ParameterName): Json => ({
  description: parameters[name].description,
  schema: schemaOf(name),
});

const exampleFor = (name: ParameterName, useCase: UseCaseName): string | undefined => {
  const request: ExampleParameters = readWords[useCase].example;
  const values: ExampleParameters = exampleValues;
  return request[name] ?? values[name];
};

/** OpenAPI examples have the type of their schema. */
const toSchemaType = (name: ParameterName, value: string): string | number =>
  parameters[name].schema['type'] === 'integer' ? Number(value) : value;

const withExample = (name: ParameterName, useCase: UseCaseName): Json => {
  const example = exampleFor(name, useCase);
  return example === undefined ? {} : { example: toSchemaType(name, example) };
};

const formatOf = (names: readonly UseCaseName[]): Json => {
  const formats = [...new Set(names.flatMap((name) => useCases[name].formats))];
  // Without a default: generated clients send defaults, and then `format` would always win over Accept.
  return { ...descriptionOf('format'), schema: { type: 'string', enum: formats } };
};

/** An operation of several reads has no parameter that all of them require. */
const isRequired = (name: string, names: readonly UseCaseName[]): boolean =>
  names.length === 1 && names.some((useCase) => rowOf(useCase).required.some((required) => required === name));

const isParameterOf = (useCase: UseCaseName, name: ParameterName): boolean => rowOf(useCase).parameters.includes(name);

const queryParameter = (name: string, operation: Operation): Json => {
  const names = useCasesOf(operation);
  const [useCase] = names;
  if (typeof operation.useCase !== 'string' && name === operation.useCase.parameter) {
    return {
      name,
      in: 'query',
      required: true,
      description: 'The resource to read.',
      schema: { type: 'string', enum: Object.keys(operation.useCase.choices) },
      example: Object.keys(operation.useCase.choices)[0],
    };
  }
  if (!isParameter(name) || useCase === undefined) throw new Error(`${name} is not a parameter`);
  return {
    name,
    in: 'query',
    ...(isRequired(name, names) && { required: true }),
    ...(name === 'format' ? formatOf(names) : descriptionOf(name)),
    ...withExample(name, names.find((each) => isParameterOf(each, name)) ?? useCase),
  };
};

/** The service ignores the number of a photo or video. */
const NUMBER: Json = {
  description: 'Number of the photo or video. It does not change the answer.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 99 },
  example: 1,
};

const pathParameter = (name: string, operation: Operation): Json => {
  const [useCase] = useCasesOf(operation);
  return {
    name,
    in: 'path',
    required: true,
    ...(isParameter(name) && useCase !== undefined
      ? { ...descriptionOf(name), ...withExample(name, useCase) }
      : NUMBER),
  };
};

const variablesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name ?? '');

export const parameterComponents = (): Json => ({
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of the representations that the client has. If one of them is current, the answer is 304.',
    schema: { type: 'string' },
    example: 'W/"m5Zq0aBcDeFgHiJkLmNoP1"',
  },
});

/** @param path one of the paths of the operation */
export const parametersOf = (operation: Operation, path: string): readonly Json[] => {
  const variables = variablesOf(path);
  const names = queryNames(operation).filter((name) => !variables.includes(name));
  return [
    ...variables.map((name) => pathParameter(name, operation)),
    ...names.map((name) => queryParameter(name, operation)),
    ref('parameters', 'IfNoneMatch'),
  ];
};
