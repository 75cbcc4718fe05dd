// Generates the types of the client from the OpenAPI description. They are not in the repository: `npm ci` and the build of
// the client write them.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import service from '../../package.json' with { type: 'json' };
import { parameters } from '../../shared/contract/parameters.ts';
import { jsonSchemas } from '../../shared/model/schemas.ts';
import { releaseOf } from '../../shared/publish/document.ts';
import { openapi } from '../../shared/publish/openapi/index.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  readonly 'x-problem-codes'?: readonly string[];
}

type Reference = { readonly $ref: string };

interface ReadOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

export interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, { readonly get?: ReadOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** The generator needs a TypeScript of its own, so it is installed beside the other users of the description. */
const { resolve } = createRequire(new URL('../../test/client/package.json', import.meta.url));
const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin', 'cli.js');

const resolved = <T extends object>(value: T | Reference, among: Readonly<Record<string, T>>): T => {
  if (!('$ref' in value)) return value;
  const name = value.$ref.slice(value.$ref.lastIndexOf('/') + 1);
  const target = among[name];
  if (target === undefined) throw new Error(`${value.$ref} has no target`);
  return target;
};

/** @returns the schemas that the texts name, with the schemas that these name */
const schemasIn = (value: object, schemas: Description['components']['schemas']): ReadonlySet<string> => {
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
const reducedOf = ({ openapi, info, paths, components }: Description): object => {
  const schemas = { ...components.schemas, ...jsonSchemas('#/components/schemas/') };
  const routes = Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith('/api/v1/')) return [];
    const { operationId, summary, parameters, responses } = get;
    const answer = resolved(responses['200'] ?? {}, components.responses);
    const json = answer.content?.['application/json'];
    if (json === undefined) throw new Error(`${operationId} has no JSON`);
    const operation = {
      operationId,
      summary,
      parameters: parameters
        .map((parameter) => resolved(parameter, components.parameters))
        .filter((parameter) => parameter.in !== 'header')
        .map(exactParameter),
      responses: { 200: { description: summary, content: { 'application/json': { schema: json.schema } } } },
    };
    return [[path, { get: operation }] as const];
  });
  const names = schemasIn([routes, { $ref: '#/components/schemas/Problem' }], schemas);
  return {
    openapi,
    info,
    paths: Object.fromEntries(routes),
    components: { schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name))) },
  };
};

const problemCodesOf = ({ paths, components }: Description): readonly string[] => {
  const codes = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([, { get }]) => Object.values(get?.responses ?? {}))
    .flatMap((answer) => resolved(answer, components.responses)['x-problem-codes'] ?? []);
  return [...new Set([...codes, 'route_not_found'])].toSorted();
};

/** @param description the content of /openapi.json @returns the text of client/src/openapi.ts */
export const openapiTypes = async (description: Description): Promise<string> => {
  const run = promisify(execFile)(process.execPath, [generator, '--root-types', '--root-types-no-schema-prefix']);
  run.child.stdin?.end(JSON.stringify(reducedOf(description)));
  const { stdout } = await run;
  // The client has no use for these two, and users of the package would see them.
  const types = stdout.replaceAll(/^export type (?:webhooks|\$defs) = .*\n/gm, '');
  const codes = problemCodesOf(description).map((code) => `  | '${code}'`);
  return `${types}/** Codes of problem documents. New codes may appear. */\nexport type ProblemCode =\n${codes.join('\n')};\n`;
};

/** Writes client/src/openapi.ts. */
export const writeOpenapiTypes = async (): Promise<void> => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const description: Description = JSON.parse(openapi(releaseOf(service.version, changelog)));
  writeFileSync(new URL('../src/openapi.ts', import.meta.url), await openapiTypes(description));
};
