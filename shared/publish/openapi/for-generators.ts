// Spells the schemas of bodies so that the clients of common generators read every answer. .ci/spectral.yaml forbids the
// spellings that they do not read.
import { isRecord } from '../../model/json.ts';
import { articleBlocks } from '../../model/post.ts';
import type { JsonSchema, SchemaName } from '../../model/schemas.ts';
import { type Json, ref } from './responses.ts';

const forms = (...names: readonly SchemaName[]): readonly Json[] => names.map((name) => ref('schemas', name));

/**
 * openapi-generator takes each constant for a text: its clients refuse `true`, or do not compile. It merges the alternatives
 * of `anyOf` into one type that requires the members of all.
 */
const respelled = (_: string, value: unknown): unknown => {
  if (!isRecord(value)) return value;
  const { anyOf, ...schema } = value;
  if (anyOf !== undefined) return { oneOf: anyOf, ...schema };
  return value['type'] === 'boolean' && 'const' in value
    ? { type: 'boolean', description: `Always ${value['const']}.` }
    : value;
};

const withMembers = (schema: JsonSchema, members: Json, change: Json = {}): Json => ({
  ...schema,
  ...change,
  properties: { ...(isRecord(schema['properties']) && schema['properties']), ...members },
});

const QUOTE: Json = { quote: { anyOf: forms('Post', 'PostLink', 'UnidentifiedTombstone') } };

/**
 * Clients of `oneOf` ignore unknown members while they try each form, and refuse what has two forms. So the two tombstones of
 * a quote are one, and a link names a member that only a post has. Its type is text: those in Java compare only texts and
 * lists.
 */
const withDistinctQuotes = (schemas: Readonly<Record<SchemaName, JsonSchema>>): Json => ({
  ...schemas,
  Post: withMembers(schemas.Post, QUOTE),
  TreePost: withMembers(schemas.TreePost, QUOTE),
  PostLink: withMembers(schemas.PostLink, {
    cashtags: { type: 'string', description: 'Never present. It tells a link from a post, which has an array.' },
  }),
  UnidentifiedTombstone: withMembers(
    schemas.UnidentifiedTombstone,
    { id: { type: 'string', description: 'Absent if the provider does not return it.' } },
    { description: 'A quoted post that cannot be read.' },
  ),
});

/** Go compares a value with an enumeration only if it has a name, and tells the blocks apart by their types. */
const blocksWithNamedTypes = (schemas: Readonly<Record<SchemaName, JsonSchema>>): Json =>
  Object.fromEntries(
    Object.entries(articleBlocks).flatMap(([name, { shape }]) => [
      [name, withMembers(schemas[name as SchemaName], { type: ref('schemas', `${name}Type`) })], // its own key
      [`${name}Type`, { type: 'string', enum: [shape.type.value] }],
    ]),
  );

export const forGenerators = (schemas: Readonly<Record<SchemaName, JsonSchema>>): Json =>
  JSON.parse(JSON.stringify({ ...withDistinctQuotes(schemas), ...blocksWithNamedTypes(schemas) }), respelled);
