// Provides `postern:tool-schemas` to the bundles: the output schemas of the MCP tools, built from the zod schemas at
// build time, because the start-up of a function must not pay for building them.
import type { Plugin } from 'esbuild';
import type { ToolSchemas } from '../../functions/mcp/tools.ts';
import { isRecord } from '../../shared/model/json.ts';
import { bodySchemaNames, type JsonSchema, jsonSchemas, type SchemaName } from '../../shared/model/schemas.ts';

/** Members whose names explain them. */
const SELF_EXPLANATORY: ReadonlySet<string> = new Set(['source', 'fetched_at', 'warnings', 'next_cursor']);

/** Keeps one level. Deeper levels would cost tokens in every conversation, and the documentation has them. */
const shallow = (name: string, { type = 'object', description, items }: JsonSchema): JsonSchema => ({
  type,
  ...(isRecord(items) && { items: { type: items['type'] ?? 'object' } }),
  ...(description !== undefined && !SELF_EXPLANATORY.has(name) && { description }),
});

/** Schemas stay open: a later version may add members and, if they are not frozen, values. */
const shapeOf = (name: SchemaName): JsonSchema => {
  const { properties, required } = jsonSchemas('#/$defs/')[name];
  if (!isRecord(properties) || !Array.isArray(required)) throw new Error(`the schema ${name} is not an object schema`);
  const members = Object.entries(properties).flatMap(([member, schema]) =>
    member !== 'markdown' && isRecord(schema) ? [[member, shallow(member, schema)]] : [],
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
