// esbuild plugin: `postern:tool-schemas` is what the results of MCP tools look like, so that no function loads zod.
import type { Plugin } from 'esbuild';
import type { ToolSchemas } from '../../functions/mcp/tools.ts';
import { bodySchemaNames, type JsonSchema, jsonSchemas, type SchemaName } from '../../shared/model/schemas.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What needs no words in a tool. */
const PLAIN: ReadonlySet<string> = new Set(['source', 'fetched_at', 'warnings', 'next_cursor']);

/** The documentation has all of it: what is deeper would cost every conversation its tokens. */
const shallow = (name: string, { type = 'object', description, items }: JsonSchema): JsonSchema => ({
  type,
  ...(isSchema(items) && { items: { type: items['type'] ?? 'object' } }),
  ...(description !== undefined && !PLAIN.has(name) && { description }),
});

/** Open: members may be added, and values of those that are not frozen. */
const shapeOf = (name: SchemaName): JsonSchema => {
  const { properties, required } = jsonSchemas('#/$defs/')[name];
  if (!isSchema(properties) || !Array.isArray(required)) throw new Error(`${name} is no object`);
  const members = Object.entries(properties).flatMap(([member, schema]) =>
    member !== 'markdown' && isSchema(schema) ? [[member, shallow(member, schema)]] : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required: required.filter((member) => member !== 'markdown'),
  };
};

export const toolSchemas = (): ToolSchemas => ({
  post: shapeOf(bodySchemaNames.post),
  profile: shapeOf(bodySchemaNames.profile),
  users: shapeOf(bodySchemaNames.users),
  search: shapeOf(bodySchemaNames.search),
});

export const toolSchemasPlugin = (): Plugin => ({
  name: 'postern-tool-schemas',
  setup(build) {
    build.onResolve({ filter: /^postern:tool-schemas$/ }, ({ path }) => ({ path, namespace: 'postern-tool-schemas' }));
    build.onLoad({ filter: /./, namespace: 'postern-tool-schemas' }, () => ({
      contents: `export const toolSchemas = ${JSON.stringify(toolSchemas())};`,
      loader: 'js',
    }));
  },
});
