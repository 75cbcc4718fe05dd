// Tests what generators of clients need from /openapi.json. test/client runs the generators themselves.
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { createTestApp } from '../support/test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
type Json = any;

const served = async (): Promise<Json> => (await createTestApp().get('/openapi.json')).json();

const operationsOf = ({ paths }: Json): readonly Json[] =>
  Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item));

const validator = (): Ajv2020.Ajv2020 => {
  const ajv = new Ajv2020.default({ strict: false });
  addFormats.default(ajv);
  return ajv;
};

/** All schemas, and all nodes below them. */
const nodesOf = (value: Json): readonly Json[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(nodesOf)] : [];

test('[discovery 4] every operation of /openapi.json has its own description that is more than its summary', async () => {
  const described = operationsOf(await served()).map(({ operationId, summary, description }) => {
    expect(description?.length, operationId).toBeGreaterThan(summary.length);
    return description;
  });
  expect(described.length).toBeGreaterThan(25);
});

test('[discovery 4] application/json is the first media type of every 200 of /openapi.json that has it', async () => {
  const types = operationsOf(await served()).map(({ responses }) => Object.keys(responses['200'].content));
  const several = types.filter((names) => names.length > 1);
  expect(several.length).toBeGreaterThan(10);
  for (const names of several) expect(names[0]).toBe('application/json');
});

test('[discovery 4] /openapi.json declares no default of format, and no default that depends on other parameters', async () => {
  const parameters = operationsOf(await served()).flatMap((operation) => operation.parameters ?? []);
  const withDefault = parameters.filter(({ schema }) => schema !== undefined && 'default' in schema);
  const names = new Set(withDefault.map(({ name }) => name));
  expect(names).toContain('limit');
  for (const name of ['format', 'replies']) expect(names).not.toContain(name);
});

test('[discovery 4] every example of a parameter or header in /openapi.json is valid against its schema', async () => {
  const document = await served();
  const ajv = validator();
  const described: readonly Json[] = [
    ...operationsOf(document).flatMap(({ parameters = [] }) => parameters),
    ...operationsOf(document).flatMap(({ responses }) =>
      Object.values<Json>(responses).flatMap(({ headers = {} }) => Object.values(headers)),
    ),
    ...Object.values(document.components.headers),
    ...Object.values(document.components.parameters),
  ].filter((item) => item.example !== undefined);
  expect(described.length).toBeGreaterThan(50);
  for (const { name, description, schema, example } of described) {
    expect(ajv.validate(schema, example), `${name ?? description}: ${ajv.errorsText()}`).toBe(true);
  }
});

test('[discovery 4] every number in /openapi.json has a format, and every text parameter a length or a set of values', async () => {
  const document = await served();
  const isNumber = ({ type }: Json): boolean => [type].flat().some((name) => name === 'integer' || name === 'number');
  const schemas = [
    ...nodesOf(document.components.schemas),
    ...operationsOf(document).flatMap(({ parameters = [] }) => nodesOf(parameters.map(({ schema }: Json) => schema))),
  ];
  const numbers = schemas.filter(isNumber);
  expect(numbers.length).toBeGreaterThan(30);
  for (const number of numbers) expect(['int32', 'int64', 'double'], JSON.stringify(number)).toContain(number.format);
  for (const { operationId, parameters = [] } of operationsOf(document)) {
    for (const { name, schema } of parameters.filter((parameter: Json) => parameter.schema?.type === 'string')) {
      const isBounded = [schema.enum, schema.maxLength, schema.format].some((bound) => bound !== undefined);
      expect(isBounded, `${operationId} ${name}`).toBe(true);
    }
  }
});

test('[discovery 4] the blocks of an article are named schemas in /openapi.json, and the discriminator maps every type', async () => {
  const { schemas } = (await served()).components;
  const { oneOf, discriminator } = schemas.ArticleBlock;
  expect(discriminator.propertyName).toBe('type');
  const named = (ref: string): Json => schemas[ref.replace('#/components/schemas/', '')];
  for (const [type, ref] of Object.entries<string>(discriminator.mapping)) {
    expect(named(ref).properties.type.const).toBe(type);
  }
  expect(oneOf.map(({ $ref }: Json) => $ref)).toEqual(Object.values(discriminator.mapping));
  expect(schemas.ArticleParagraph.properties.spans.items.$ref).toBe('#/components/schemas/ArticleSpan');
});

test('[discovery 4] no schema of a body in /openapi.json has an object without a name', async () => {
  const { schemas } = (await served()).components;
  for (const [name, schema] of Object.entries<Json>(schemas)) {
    const unnamed = nodesOf(schema.properties ?? {}).filter(({ type, properties }) => type === 'object' && properties);
    expect(unnamed, name).toEqual([]);
  }
});
