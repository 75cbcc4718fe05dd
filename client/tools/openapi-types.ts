// Generates the types of the client from the OpenAPI description.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parameters } from '../../shared/contract/parameters.ts';
import { jsonSchemas } from '../../shared/model/schemas.ts';
import { type Description, operationsOf, type Parameter } from './description.ts';

/** The generator needs a TypeScript of its own, so it is installed beside the other users of the description. */
const { resolve } = createRequire(new URL('../../test/client/package.json', import.meta.url));
const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin', 'cli.js');

/** @returns the schemas that the value names, with the schemas that these name */
const schemasIn = (value: object, schemas: Readonly<Record<string, object>>): ReadonlySet<string> => {
  const found = new Set<string>();
  const search = (part: object): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)) {
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`the schema ${name} is missing`);
      if (found.has(name)) continue;
      found.add(name);
      search(schema);
    }
  };
  search(value);
  return found;
};

/** The description is plainer than the answers, for other generators. */
const exactParameter = (parameter: Parameter): object =>
  parameter.name === 'thread' ? { ...parameter, schema: parameters.thread.schema } : parameter;

/** Keeps the part of the description that the client uses: the v1 routes as JSON, and problems. */
const reducedOf = (description: Description): object => {
  const { openapi, info, components } = description;
  const schemas = { ...components.schemas, ...jsonSchemas('#/components/schemas/') };
  const routes = operationsOf(description).map(({ path, operationId, summary, parameters, schema }) => {
    const responses = { 200: { description: summary, content: { 'application/json': { schema } } } };
    return [path, { get: { operationId, summary, parameters: parameters.map(exactParameter), responses } }] as const;
  });
  const names = schemasIn([routes, { $ref: '#/components/schemas/Problem' }], schemas);
  return {
    openapi,
    info,
    paths: Object.fromEntries(routes),
    components: { schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name))) },
  };
};

const problemCodesOf = (description: Description): readonly string[] => {
  const codes = operationsOf(description).flatMap(({ problemCodes }) => problemCodes);
  return [...new Set([...codes, 'route_not_found'])].toSorted();
};

/** @returns the text of client/src/openapi.ts */
export const openapiTypes = async (description: Description): Promise<string> => {
  const run = promisify(execFile)(process.execPath, [generator, '--root-types', '--root-types-no-schema-prefix']);
  run.child.stdin?.end(JSON.stringify(reducedOf(description)));
  const { stdout } = await run;
  // The client has no use for these two, and users of the package would see them.
  const types = stdout.replaceAll(/^export type (?:webhooks|\$defs) = .*\n/gm, '');
  const codes = problemCodesOf(description).map((code) => `  | '${code}'`);
  return `${types}/** Codes of problem documents. New codes may appear. */\nexport type ProblemCode =\n${codes.join('\n')};\n`;
};
